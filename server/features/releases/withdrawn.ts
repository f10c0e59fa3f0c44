// What programs ask about withdrawn code and before they update.
import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Provenance } from '#contract/versions.ts'
import { findChangeSince } from '#server/features/behavior/read.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import {
  explainMissing,
  isEntry,
  isListedWithdrawal,
  toWithdrawal,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
} from '#server/features/scripts/withdrawals.ts'
import type { Database } from '#server/platform/db/database.ts'
import { cursorId, cursorOf } from '#server/platform/http/cursor.ts'
import { notFound } from '#server/platform/http/errors.ts'

const cursors = cursorOf(Type.Object({ before: cursorId }))

/** Throws AppError `invalid`. */
export async function listWithdrawals(
  db: Database,
  { sha256, limit, cursor }: QueryOf<'GET /api/v1/withdrawn'>,
): Promise<ResultOf<'GET /api/v1/withdrawn'>> {
  const before = cursor === undefined ? undefined : cursors.decode(cursor).before
  const conditions: RawBuilder<unknown>[] = [
    isEntry,
    ...(sha256 === undefined ? [isListedWithdrawal] : [sql`w.sha256 = ${sha256.toLowerCase()}`]),
    ...(before === undefined ? [] : [sql`w.id < ${before}`]),
  ]
  const { rows } = await sql<WithdrawalRow>`select ${WITHDRAWAL_COLUMNS} from withdrawals w
    where ${sql.join(conditions, sql` and `)} order by w.id desc limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    withdrawals: page.map(toWithdrawal),
    pagination: { next_cursor: last ? cursors.encode({ before: last.id }) : null },
  }
}

interface LatestRow {
  title: string
  number: number
  version: string
  sha256: string
  provenance: Provenance
}

/** Throws AppError `script_not_found`, `not_found` for code that never was public in this script, and what `explainMissing` makes. */
export async function describeUpdate(
  { db, publicUrl }: { db: Database; publicUrl: string },
  { id, from }: QueryOf<'GET /api/script-update'>,
): Promise<ResultOf<'GET /api/script-update'>> {
  const { rows } = await sql<LatestRow>`select s.title, v.number, v.version, v.sha256, v.provenance
    from scripts s join members m on m.id = s.author_id
      join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${id} and ${isReachable('s', 'm')}`.execute(db)
  const [row] = rows
  if (!row) throw await explainMissing(db, id, {})
  const { title, ...latest } = row
  const { rows: known } = await sql<{
    number: number
    withdrawn: boolean
  }>`select number, state = 'withdrawn' as withdrawn
    from script_versions where script_id = ${id} and sha256 = ${from.toLowerCase()}
      and (state = 'published' or published_at is not null)
    order by state = 'withdrawn', number desc limit 1`.execute(db)
  if (!known[0]) throw notFound('This version')
  const { number, withdrawn } = known[0]
  const change = await findChangeSince(db, id, latest.number, sql`${number}::int`)
  const isSame = latest.sha256 === from.toLowerCase()
  return {
    latest: {
      ...latest,
      raw_url: `${publicUrl}/raw/${encodeURIComponent(scriptSlug(title, id))}?sha256=${latest.sha256}`,
    },
    starts: change?.starts ?? [],
    stops: change?.stops ?? [],
    hosts_added: change?.hosts_added ?? [],
    withdrawn,
    is_compared: isSame || change !== undefined,
  }
}
