import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { type Caller, isStaff } from '#server/features/authorization/guards.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { rejectNonAuthor, visibleTo } from '#server/features/scripts/visibility.ts'
import { type NotifiedComment, notifyOfComment } from './notify.ts'

/** Its author and moderators still see it. A pending one stays hidden. Returns false if already hidden or deleted. */
export async function hideComment(trx: Database, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update comments set hidden_at = now(), is_pending = false
    where id = ${id} and (hidden_at is null or is_pending) and deleted_at is null`.execute(trx)
  return numAffectedRows === 1n
}

/** Also publishes a comment that waited for review: those concerned are notified. Returns false if it isn't hidden. */
export async function unhideComment(trx: Database, id: number): Promise<boolean> {
  const { rows } = await sql<
    NotifiedComment & { is_pending: boolean }
  >`select c.id, c.script_id, s.title as script_title,
      s.author_id as script_author_id, c.parent_id, p.author_id as replied_to, c.author_id, c.mentions, c.is_pending
    from comments c join scripts s on s.id = c.script_id left join comments p on p.id = c.parent_id
    where c.id = ${id} and c.hidden_at is not null for update of c`.execute(trx)
  const [comment] = rows
  if (!comment) return false
  await sql`update comments set hidden_at = null, is_pending = false where id = ${id}`.execute(trx)
  if (comment.is_pending) await notifyOfComment(trx, comment)
  return true
}

/** Keeps a pending comment hidden: the decision on it was made. */
export async function rejectPending(trx: Database, id: number): Promise<void> {
  await sql`update comments set is_pending = false where id = ${id} and is_pending`.execute(trx)
}

/** Sets slow mode. Throws AppError `script_not_found`, and `not_the_author` unless the caller is the author or a moderator. */
export async function setSlowMode(db: Database, caller: Caller, scriptId: number, seconds: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockMember(trx, caller.id, { allowMuted: true })
    const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
      where s.id = ${scriptId} and ${visibleTo(caller)} and (s.author_id = ${caller.id} or ${isStaff(caller)}::boolean)
      for key share of s`.execute(trx)
    if (rows.length === 0) await rejectNonAuthor(trx, scriptId, caller)
    await sql`insert into comment_settings (script_id, slow_seconds) values (${scriptId}, ${seconds})
      on conflict (script_id) do update set slow_seconds = excluded.slow_seconds`.execute(trx)
  })
}
