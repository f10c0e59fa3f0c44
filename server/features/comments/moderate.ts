import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { type Caller, isStaff } from '#server/platform/authorization/guards.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { rejectNonAuthor, visibleTo } from '#server/features/scripts/visibility.ts'
import { type AnnounceOptions, announceComment } from './announce.ts'

/**
 * Its author and moderators still see it. A pending one stays hidden. Returns whether everyone could see it before; undefined
 * if it is already hidden or deleted.
 */
export async function hideComment(trx: Transaction, id: number): Promise<{ wasPublic: boolean } | undefined> {
  const { rows } = await sql<{ wasPublic: boolean }>`update comments set hidden_at = now(), is_pending = false
    where id = ${id} and (hidden_at is null or is_pending) and deleted_at is null
    returning announced_to is not null as "wasPublic"`.execute(trx)
  return rows[0]
}

/** Returns whether everyone could see it before it was hidden; if not, it is announced. Undefined if it isn't hidden. */
export async function unhideComment(
  trx: Transaction,
  options: AnnounceOptions,
  id: number,
): Promise<{ wasPublic: boolean } | undefined> {
  const { rows } = await sql<{ wasPublic: boolean }>`update comments set hidden_at = null, is_pending = false
    where id = ${id} and hidden_at is not null returning announced_to is not null as "wasPublic"`.execute(trx)
  if (rows[0]) await announceComment(trx, options, id)
  return rows[0]
}

/** Keeps a pending comment hidden: the decision on it was made. */
export async function rejectPending(trx: Transaction, id: number): Promise<void> {
  await sql`update comments set is_pending = false where id = ${id} and is_pending`.execute(trx)
}

/** Sets slow mode. Throws AppError `script_not_found`, and `not_the_author` unless the caller is the author or a moderator. */
export async function setSlowMode(db: Database, caller: Caller, scriptId: number, seconds: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true }, async (trx) => {
    const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
      where s.id = ${scriptId} and ${visibleTo(caller)} and (s.author_id = ${caller.id} or ${isStaff(caller)}::boolean)
      for key share of s`.execute(trx)
    if (rows.length === 0) await rejectNonAuthor(trx, scriptId, caller)
    await sql`insert into comment_settings (script_id, slow_seconds) values (${scriptId}, ${seconds})
      on conflict (script_id) do update set slow_seconds = excluded.slow_seconds`.execute(trx)
  })
}
