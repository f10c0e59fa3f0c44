import { sql } from 'kysely'
import type { NotificationKind } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { isBlocking } from '#server/features/members/blocking.ts'

/** PostgreSQL channel for inbox and session changes. Triggers publish on it too. */
export const LIVE_CHANNEL = 'live'

/** Publishes at commit that the inbox of a member, or of all members, has changed. */
export async function publishInboxChange(trx: Transaction, memberId: number | 'all'): Promise<void> {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${`inbox ${memberId}`})`.execute(trx)
}

/** Kinds that members can turn off, and kinds that are always delivered. */
export type EventKind = NotificationKind | 'prizes' | 'sanctions' | 'admin' | 'security'

export interface Event {
  memberId: number
  kind: EventKind
  type: Notification['type']
  title: string
  /** A sentence. With an actor, the part after their name: 'rated your script “Spring”.' */
  message: string
  link: string | null
  /** The member who caused the event. They are not notified of their own actions. */
  actorId?: number
  /** Events with the same key share one row, which counts the actors: 'Ada and 9 others rated …'. Needs an actor. */
  groupKey?: string
  happenedAt?: Date
}

/** Time after which an event in a read group starts a new count. */
const GROUP_RESET_AFTER = sql`interval '24 hours'`
const MAX_ACTORS = 100

/**
 * Notifies a member, unless they have turned this kind off or blocked the actor. Call it in the transaction of the event.
 * An event of a group moves the group to the top and marks it as unread; the same actor within a day changes nothing.
 */
export async function notify(trx: Transaction, event: Event): Promise<void> {
  const { memberId, kind, type, title, message, link, actorId = null, groupKey = null, happenedAt = null } = event
  if (actorId === memberId) return
  const actors = actorId === null ? [] : [actorId]
  const written = await sql`insert into notifications as n
      (member_id, kind, type, title, message, link, group_key, actor_id, actors, actor_count, moved_at)
    select ${memberId}, ${kind}, ${type}, ${title}, ${message}, ${link}, ${groupKey}, ${actorId}, ${actors}::int[],
      ${actors.length}, coalesce(${happenedAt}::timestamptz, now())
    where not exists (select 1 from inboxes where member_id = ${memberId} and ${kind} = any(unwanted_kinds))
      and not ${isBlocking(memberId, actorId)}
    on conflict (member_id, group_key) where group_key is not null do update set
      kind = excluded.kind, type = excluded.type, title = excluded.title, message = excluded.message,
      link = excluded.link, actor_id = excluded.actor_id, is_read = false, moved_at = excluded.moved_at,
      actors = case when n.is_read and n.moved_at <= excluded.moved_at - ${GROUP_RESET_AFTER} then excluded.actors
        when n.actors @> excluded.actors then n.actors
        else (n.actors || excluded.actors)[1:${sql.lit(MAX_ACTORS)}] end,
      actor_count = case when n.is_read and n.moved_at <= excluded.moved_at - ${GROUP_RESET_AFTER} then 1
        when n.actors @> excluded.actors then n.actor_count else n.actor_count + 1 end
      where not (n.actors @> excluded.actors and n.moved_at > excluded.moved_at - ${GROUP_RESET_AFTER})`.execute(trx)
  if (written.numAffectedRows) await publishInboxChange(trx, memberId)
}

export interface AdminMessage {
  type: Notification['type']
  title: string
  message: string
  link?: string | null
  sentBy: number
}

const BROADCAST_LOCK = 7_301_148

export function sendToMember(
  trx: Transaction,
  memberId: number,
  { type, title, message, link = null }: AdminMessage,
): Promise<void> {
  return notify(trx, { memberId, kind: 'admin', type, title, message, link })
}

/** Locks broadcasts until the commit, so that ids commit in order: a read position must not cover one that commits later. */
export async function lockBroadcasts(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BROADCAST_LOCK})`.execute(trx)
}

/** Sends a message to all present members as one row and returns its id. */
export async function sendToAll(trx: Transaction, adminMessage: AdminMessage): Promise<number> {
  const { type, title, message, link = null, sentBy } = adminMessage
  await lockBroadcasts(trx)
  const { id } = await trx
    .insertInto('broadcasts')
    .values({ type, title, message, link, sent_by: sentBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publishInboxChange(trx, 'all')
  return id
}
