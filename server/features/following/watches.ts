import { sql } from 'kysely'
import type { Card, Pagination } from '#contract/catalogue.ts'
import { MAX_WATCHES } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { AppError } from '#server/platform/http/errors.ts'

interface WatchKey {
  memberId: number
  scriptId: number
}

export interface WatchStatus {
  is_watching: boolean
}

/** Throws AppError `script_not_found`, `own_script`, `too_many_watches`, and what `lockMember` throws. */
export function watchScript(db: Database, { memberId, scriptId }: WatchKey): Promise<WatchStatus> {
  // Exclusive, so that concurrent requests cannot pass the limit.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql<{ author_id: number; is_public: boolean; others: number }>`select s.author_id,
        ${isReachable('s', 'm')} as is_public,
        (select count(*) from watches where member_id = ${memberId} and script_id <> ${scriptId}) as others
      from scripts s join members m on m.id = s.author_id where s.id = ${scriptId} for key share of s`.execute(trx)
    const [script] = rows
    if (script?.author_id === memberId) throw new AppError('own_script', 409, "You can't watch your own script.")
    if (!script?.is_public) throw scriptNotFound()
    if (script.others >= MAX_WATCHES) {
      throw new AppError('too_many_watches', 409, `You watch ${MAX_WATCHES} scripts, which is the limit.`)
    }
    await sql`insert into watches (member_id, script_id) values (${memberId}, ${scriptId})
      on conflict do nothing`.execute(trx)
    return { is_watching: true }
  })
}

/** Throws what `lockMember` throws. */
export function unwatchScript(db: Database, { memberId, scriptId }: WatchKey): Promise<WatchStatus> {
  return transactAsMember(db, { memberId, allowMuted: true }, async (trx) => {
    await sql`delete from watches where member_id = ${memberId} and script_id = ${scriptId}`.execute(trx)
    return { is_watching: false }
  })
}

export async function getWatchStatus(db: Database, { memberId, scriptId }: WatchKey): Promise<WatchStatus> {
  const { rows } = await sql`select from watches
    where member_id = ${memberId} and script_id = ${scriptId}`.execute(db)
  return { is_watching: rows.length > 0 }
}

export async function listWatchedScripts(
  { db }: { db: Database },
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ scripts: Card[]; pagination: Pagination }> {
  const from = sql`watches w join scripts s on s.id = w.script_id join members m on m.id = s.author_id
    where w.member_id = ${memberId} and ${isReachable('s', 'm')}`
  const [{ rows }, { rows: totals }] = await Promise.all([
    sql<{ id: number }>`select s.id from ${from} order by w.created_at desc, s.id
      limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${from}`.execute(db),
  ])
  const ids = rows.map(({ id }) => id)
  const byId = new Map((await findCardRows(db, ids)).map((row) => [row.id, toCard(row)]))
  const total = totals[0]?.total ?? 0
  return {
    scripts: ids.flatMap((id) => byId.get(id) ?? []),
    pagination: { page, limit, total, pages: Math.ceil(total / limit) },
  }
}
