import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { NotificationKind } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'

/** The channel on which PostgreSQL passes on, at commit, whose streams have news. Migrations speak on it too. */
export const LIVE_CHANNEL = 'live'

/** Whose inbox changed: a member's, or everybody's. */
export async function publishInboxChange(trx: Database, memberId: number | 'all'): Promise<void> {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${`inbox ${memberId}`})`.execute(trx)
}

/** What members choose from, and what always arrives. */
export type EventKind = NotificationKind | 'prizes' | 'sanctions' | 'admin'

export interface Event {
  memberId: number
  kind: EventKind
  type: Notification['type']
  title: string
  /** A sentence; where there is an actor what they did ("rated your script “Spring”."), to stand behind their name. */
  message: string
  /** Path on this site. */
  link: string | null
  /** Who did it. Nobody is told of what they did themself. */
  actorId?: number
  /** Events with the same key share one row, which counts the people: "Ada and 9 others rated ...". Needs an actor. */
  groupKey?: string
  /** For what happened before there were notifications; now when left out. */
  happenedAt?: Date
}

/** A group that was read that long ago is history: the next event starts to count afresh. */
const GROUP_RESET_AFTER = sql`interval '24 hours'`
const MAX_ACTORS = 100

/**
 * Tells a member, unless they do not want this kind. Call it with the transaction of the deed. An event of a group moves
 * the group's row up and makes it unread again; the same person again within a day changes nothing.
 */
export async function notify(trx: Database, event: Event): Promise<void> {
  const { memberId, kind, type, title, message, link, actorId = null, groupKey = null, happenedAt = null } = event
  if (actorId === memberId) return
  const actors = actorId === null ? [] : [actorId]
  const written = await sql`insert into notifications as n
      (member_id, kind, type, title, message, link, group_key, actor_id, actors, actor_count, moved_at)
    select ${memberId}, ${kind}, ${type}, ${title}, ${message}, ${link}, ${groupKey}, ${actorId}, ${actors}::int[],
      ${actors.length}, coalesce(${happenedAt}::timestamptz, now())
    where not exists (select 1 from inboxes where member_id = ${memberId} and ${kind} = any(unwanted_kinds))
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

/** What an admin sends. */
export interface AdminMessage {
  type: Notification['type']
  title: string
  message: string
  link?: string | null
  sentBy: number
}

const BROADCAST_LOCK = 7_301_148

/** Sends to one member, whatever they chose to hear of. Call it with the transaction of the deed. */
export function sendToMember(
  trx: Database,
  memberId: number,
  { type, title, message, link = null }: AdminMessage,
): Promise<void> {
  return notify(trx, { memberId, kind: 'admin', type, title, message, link })
}

/**
 * Sends to everybody who is a member by now: one row, and no work per member until they look. Gives its id. One at a
 * time, so that ids are committed in order: a mark 'read up to here' must not cover what comes later.
 */
export async function sendToAll(trx: Database, letter: AdminMessage): Promise<number> {
  const { type, title, message, link = null, sentBy } = letter
  await sql`select pg_advisory_xact_lock(${BROADCAST_LOCK})`.execute(trx)
  const { id } = await trx
    .insertInto('broadcasts')
    .values({ type, title, message, link, sent_by: sentBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publishInboxChange(trx, 'all')
  return id
}
