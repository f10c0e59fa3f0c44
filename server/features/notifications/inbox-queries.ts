import { type RawBuilder, sql } from 'kysely'
import type { Notification } from '#contract/notifications.ts'
import type { Database } from '#server/db/database.ts'

export interface InboxRow extends Omit<Notification, 'created_at'> {
  /** As JSON writes a time: ISO 8601 with microseconds. */
  created_at: string
  /** What the event belongs to; null for what admins sent. */
  group_key: string | null
  actor_count: number
  /** The newest actor's, null where there is none any more. */
  actor_name: string | null
  is_actor_banned: boolean
}

/** The member with the marks of what was sent to all; a member who never touched them has none. */
const marked = (memberId: number) => sql`select m.id, m.created_at, coalesce(i.read_to, 0) as read_to,
  coalesce(i.cleared_to, 0) as cleared_to from members m left join inboxes i on i.member_id = m.id where m.id = ${memberId}`

/** Own rows by a partial index, broadcasts above the mark: counted, and so never negative. */
const unreadCount = (memberId: number): RawBuilder<number> => sql`(
  (select count(*) from notifications where member_id = ${memberId} and not is_read)
  + (select count(*) from (${marked(memberId)}) me
      join broadcasts b on b.id > me.read_to and b.created_at >= me.created_at
      where not exists (select 1 from broadcast_marks k where k.member_id = ${memberId} and k.broadcast_id = b.id)))`

export async function countUnread(db: Database, memberId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${unreadCount(memberId)} as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** The newest of both kinds and the number of unread ones, as one statement saw them. */
export async function findInbox(
  db: Database,
  memberId: number,
  limit: number,
): Promise<{ rows: InboxRow[]; unread: number }> {
  const { rows } = await sql<{ rows: InboxRow[]; unread: number }>`select ${unreadCount(memberId)} as unread,
    coalesce((select json_agg(found) from (
      (select n.id, n.type, n.title, n.message, n.link, n.is_read, n.moved_at as created_at, n.group_key,
          n.actor_count,
          coalesce(nullif(a.display_name, ''), a.username) as actor_name,
          coalesce(a.banned_until > now(), false) as is_actor_banned
        from notifications n left join members a on a.id = n.actor_id
        where n.member_id = ${memberId} order by n.moved_at desc, n.id desc limit ${limit})
      union all
      (select b.id, b.type, b.title, b.message, b.link, b.id <= me.read_to or k.broadcast_id is not null, b.created_at,
          null, 0, null, false
        from (${marked(memberId)}) me join broadcasts b on b.id > me.cleared_to and b.created_at >= me.created_at
          left join broadcast_marks k on k.member_id = ${memberId} and k.broadcast_id = b.id
        where k.is_deleted is not true order by b.id desc limit ${limit})
      order by created_at desc, id desc limit ${limit}) found), '[]') as rows`.execute(db)
  return rows[0] ?? { rows: [], unread: 0 }
}

/** Makes the member's marks if there are none and holds them, so that their own requests come one after the other. */
export async function lockInbox(trx: Database, memberId: number): Promise<void> {
  await sql`insert into inboxes (member_id) values (${memberId}) on conflict do nothing`.execute(trx)
  await sql`select 1 from inboxes where member_id = ${memberId} for update`.execute(trx)
}

/** Whether there is such a broadcast for this member, and they have not deleted it. */
async function isShown(trx: Database, memberId: number, broadcastId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from (${marked(memberId)}) me
    join broadcasts b on b.id > me.cleared_to and b.created_at >= me.created_at
    left join broadcast_marks k on k.member_id = ${memberId} and k.broadcast_id = b.id
    where b.id = ${broadcastId} and k.is_deleted is not true`.execute(trx)
  return rows.length > 0
}

/** Gives whether the member has one of this id. */
export async function markOneRead(trx: Database, memberId: number, id: number): Promise<boolean> {
  const own = await sql`update notifications set is_read = true
    where id = ${id} and member_id = ${memberId}`.execute(trx)
  if (own.numAffectedRows) return true
  if (!(await isShown(trx, memberId, id))) return false
  await sql`insert into broadcast_marks (member_id, broadcast_id) values (${memberId}, ${id})
    on conflict do nothing`.execute(trx)
  return true
}

/** Gives whether the member had one of this id. */
export async function deleteOne(trx: Database, memberId: number, id: number): Promise<boolean> {
  const own = await sql`delete from notifications where id = ${id} and member_id = ${memberId}`.execute(trx)
  if (own.numAffectedRows) return true
  if (!(await isShown(trx, memberId, id))) return false
  await sql`insert into broadcast_marks (member_id, broadcast_id, is_deleted) values (${memberId}, ${id}, true)
    on conflict (member_id, broadcast_id) do update set is_deleted = true`.execute(trx)
  return true
}

/** One mark stands for all broadcasts, so this costs the same with a thousand of them. */
export async function markAllRead(trx: Database, memberId: number): Promise<void> {
  await sql`update notifications set is_read = true where member_id = ${memberId} and not is_read`.execute(trx)
  await sql`update inboxes set read_to = greatest(read_to, (select max(id) from broadcasts))
    where member_id = ${memberId}`.execute(trx)
  await sql`delete from broadcast_marks k using inboxes i where i.member_id = ${memberId} and k.member_id = i.member_id
    and k.broadcast_id <= i.read_to and not k.is_deleted`.execute(trx)
}

export async function deleteRead(trx: Database, memberId: number): Promise<void> {
  await sql`delete from notifications where member_id = ${memberId} and is_read`.execute(trx)
  await sql`update inboxes set cleared_to = read_to where member_id = ${memberId}`.execute(trx)
  await sql`delete from broadcast_marks k using inboxes i where i.member_id = ${memberId} and k.member_id = i.member_id
    and k.broadcast_id <= i.cleared_to`.execute(trx)
  await sql`update broadcast_marks set is_deleted = true where member_id = ${memberId} and not is_deleted`.execute(trx)
}
