// Withdrawn code, and what its addresses answer.
import { sql } from 'kysely'
import { readScriptId, scriptSlug } from '#contract/slug.ts'
import type { Withdrawal } from '#contract/versions.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { formatTime } from '#server/platform/http/text.ts'
import type { VersionKey } from './queries.ts'
import { scriptNotFound } from './visibility.ts'

export interface WithdrawalRow extends Omit<Withdrawal, 'withdrawn_at' | 'reinstated_at'> {
  id: number
  withdrawn_at: Date
  reinstated_at: Date | null
}

/** Only entries about hidden scripts have no slug, version and reason. */
export const WITHDRAWAL_COLUMNS = sql`w.id, w.sha256, coalesce(w.slug, '') as slug, coalesce(w.version, '') as version,
  w.withdrawn_at, w.withdrawn_as as by, coalesce(w.reason, '') as reason, w.is_malicious, w.reinstated_at`

/** SQL condition: withdrawal `w` is about a version, which everyone may know. */
export const isEntry = sql`w.subject = 'version'`

export const toWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  sha256: row.sha256,
  slug: row.slug,
  version: row.version,
  withdrawn_at: row.withdrawn_at.toISOString(),
  by: row.by,
  reason: row.reason,
  is_malicious: row.is_malicious,
  reinstated_at: row.reinstated_at?.toISOString() ?? null,
})

/** A sentence such as 'Version 1.0.3 was withdrawn by its author on Nov 29, 2026, 14:00 UTC: It deletes saved games.' */
export function describeWithdrawal({ version, by, withdrawn_at, reason }: WithdrawalRow): string {
  const who = by === 'author' ? 'its author' : 'moderators'
  return `Version ${version} was withdrawn by ${who} on ${formatTime(withdrawn_at)}: ${reason}`
}

/**
 * Why a visitor gets no code: 410 for withdrawn code and removed scripts, 404 otherwise. The address without a version is that of
 * withdrawn code while no other takes its place: when the only version is withdrawn, the page answers 410 too, and stays for its
 * author and the staff. What was withdrawn is public, even if the script is private now.
 */
export async function explainMissing(db: Database, id: number, { number, sha256 }: VersionKey): Promise<AppError> {
  const withdrawal = await findWithdrawal(db, id, { number, sha256 })
  if (withdrawal) {
    const successor = await findSuccessor(db, id)
    const advice = successor ? ` It is replaced by /scripts/${successor.slug}` : ''
    const { version, withdrawn_at, by, reason, is_malicious } = toWithdrawal(withdrawal)
    return new AppError('version_withdrawn', 410, `${describeWithdrawal(withdrawal)}${advice}`, {
      withdrawn: { version, withdrawn_at, by, reason, is_malicious, successor },
    })
  }
  // Ids rise and are never used again. Scripts whose publication failed have used some, too; nobody knows their addresses.
  const { rows } = await sql`select where not exists (select from scripts where id = ${id})
    and ${id} <= pg_sequence_last_value(pg_get_serial_sequence('scripts', 'id')::regclass)`.execute(db)
  return rows.length > 0 ? new AppError('script_removed', 410, 'This script was removed.') : scriptNotFound()
}

async function findWithdrawal(
  db: Database,
  id: number,
  { number, sha256 }: VersionKey,
): Promise<WithdrawalRow | undefined> {
  const version = sql`select from script_versions v where v.script_id = w.script_id and v.sha256 = w.sha256`
  // The version that was published last, of a script that everyone could see if it had code.
  const isLast = sql`w.sha256 = (select case when v.state = 'withdrawn' then v.sha256 end
    from scripts s join members m on m.id = s.author_id join script_versions v on v.script_id = s.id
    where s.id = ${id} and s.was_public and s.hidden_at is null and ${isActive('m')}
      and v.state in ('published', 'withdrawn')
    order by coalesce(v.published_at, v.state_since) desc, v.number desc limit 1)`
  const { rows } = await sql<WithdrawalRow>`select ${WITHDRAWAL_COLUMNS} from withdrawals w
    where w.script_id = ${id} and ${isEntry} and w.reinstated_at is null
      and ${sha256 === undefined ? sql`true` : sql`w.sha256 = ${sha256}`}
      and ${number === undefined ? sql`true` : sql`exists (${version} and v.number = ${number})`}
      and ${sha256 === undefined && number === undefined ? isLast : sql`true`}
    limit 1`.execute(db)
  return rows[0]
}

/** SQL condition: lists may contain withdrawal `w`, because its script is not unlisted. */
export const isListedWithdrawal = sql`not exists (select from scripts s where s.id = w.script_id and s.is_unlisted)`

/** The script that replaces another one, if everyone can see it. */
export async function findSuccessor(db: Database, id: number): Promise<{ slug: string; title: string } | null> {
  const { rows } = await sql<{ id: number; title: string }>`select n.id, n.title
    from scripts s join scripts n on n.id = s.successor_id join members m on m.id = n.author_id
    where s.id = ${id} and ${isListed('n', 'm')}`.execute(db)
  const [row] = rows
  return row ? { slug: scriptSlug(row.title, row.id), title: row.title } : null
}

/** Null names none. Throws AppError `invalid` unless everyone can see the successor. */
export async function setSuccessor(trx: Transaction, id: number, slug: string | null | undefined): Promise<void> {
  if (slug === undefined) return
  const successor = slug === null ? null : await lockSuccessor(trx, id, slug)
  await sql`update scripts set successor_id = ${successor} where id = ${id}`.execute(trx)
}

async function lockSuccessor(trx: Transaction, id: number, slug: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select s.id from scripts s join members m on m.id = s.author_id
    where s.id = ${readScriptId(slug)} and s.id <> ${id} and ${isListed('s', 'm')} for key share of s`.execute(trx)
  if (!rows[0]) throw fieldError('successor_slug', 'must be the slug of another public script', 'Successor')
  return rows[0].id
}

/** Text of Luau that says why there is no code. After a withdrawal, a loader that runs it stops. */
export function toStopCode({ status, message }: AppError): string {
  // Everything up to the end of the line is the comment.
  const line = message.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  if (status !== 410) return `-- ${line}\n`
  return `-- ${line}\nerror("${line.replaceAll(/["\\]/g, '\\$&')}", 0)\n`
}
