import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import Type, { type Static } from 'typebox'
import { describeChange } from '#contract/behavior-changes.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { NotificationKind } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import { scriptSlug } from '#contract/slug.ts'
import { defaultSummary, MAX_SUMMARY_SOURCE_LENGTH } from '#contract/summary.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isBlocking } from '#server/features/members/blocking.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { isBanned } from '#server/features/members/standing.ts'
import { cursorOf, cursorTime, cursorTimeOf } from '#server/platform/http/cursor.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import type { Audience } from './announce.ts'
import { publishInboxChange } from './notify.ts'

/** Returns for example 'Ada', 'Ada and 1 other' or 'Ada and 9 others'. Names of banned and deleted members are hidden. */
function nameActors({ actor_name, actor_count, is_actor_banned }: InboxRow): string {
  const name = is_actor_banned ? 'A member' : (actor_name ?? 'Deleted member')
  const others = actor_count - 1
  if (others < 1) return name
  return `${name} and ${others} ${others === 1 ? 'other' : 'others'}`
}

/** Finds a member's own prizes by giveaway id. Prizes are stored encrypted, so notifications don't contain them. */
export type FindPrizes = (memberId: number) => Promise<Map<number, string>>

const PRIZE_KEY = 'prize:'

async function openPrizes(rows: InboxRow[], memberId: number, findPrizes: FindPrizes): Promise<Map<string, string>> {
  if (!rows.some(({ group_key }) => group_key?.startsWith(PRIZE_KEY))) return new Map()
  return new Map([...(await findPrizes(memberId))].map(([giveawayId, prize]) => [`${PRIZE_KEY}${giveawayId}`, prize]))
}

/** Summaries by description: the same new scripts are in the inboxes of all followers of their authors. */
const summaries = new LRUCache<string, string>({ max: 1000, memoMethod: (description) => defaultSummary(description) })

function describeScript(
  row: ScriptRow,
  author: string,
): Pick<Notification, 'title' | 'message' | 'link' | 'subscription'> {
  const { script_id, script_title, author_id, version } = row
  const link = `/scripts/${scriptSlug(script_title, script_id)}`
  if (row.audience === 'followers') {
    return {
      title: 'New script',
      message: `${author} published “${script_title}”.\n${row.summary ?? summaries.memo(row.description ?? '')}`,
      link,
      subscription: { kind: 'author', id: author_id, name: author },
    }
  }
  const changes = describeChange({
    starts: row.starts ?? [],
    stops: row.stops ?? [],
    hosts_added: [],
    hosts_removed: [],
  })
  return {
    title: 'New version',
    message: [
      `${author} updated “${script_title}” to version ${version}.`,
      ...changes.map((text, i) => `${i === 0 ? 'This update' : 'It'} ${text}.`),
    ].join('\n'),
    link,
    subscription: { kind: 'script', id: script_id, name: script_title },
  }
}

function toNotification(row: InboxRow, prizes: Map<string, string>): Notification {
  const { id, type, title, link, is_read } = row
  const message = row.actor_count > 0 ? `${nameActors(row)} ${row.message}` : row.message
  const prize = prizes.get(row.group_key ?? '')
  return {
    id,
    type,
    title,
    message: prize ? `${message}\nYour prize: ${prize}` : message,
    link,
    subscription: null,
    ...(row.script ? describeScript(row.script, nameActors(row)) : {}),
    is_read,
    created_at: new Date(row.created_at).toISOString(),
  }
}

const Position = Type.Object({
  before: cursorTime,
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
type Position = Static<typeof Position>
const cursors = cursorOf(Position)

/** Newest first. A notification that happens again may be missing from later pages. Throws AppError `invalid`. */
export async function listInbox(
  db: Database,
  memberId: number,
  { limit, cursor }: QueryOf<'GET /api/user-notifications'>,
  findPrizes: FindPrizes,
): Promise<ResultOf<'GET /api/user-notifications'>> {
  const position = cursor ? cursors.decode(cursor) : undefined
  const { rows, unread } = await findInbox(db, memberId, { limit: limit + 1, position })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const prizes = await openPrizes(page, memberId, findPrizes)
  return {
    notifications: page.map((row) => toNotification(row, prizes)),
    unread_count: unread,
    pagination: { next_cursor: last ? cursors.encode({ before: cursorTimeOf(last.created_at), id: last.id }) : null },
  }
}

interface InboxChange {
  message: string
  unread_count: number
}

/** Changes the member's inbox in one transaction, notifies their open pages and counts what is unread now. */
function change(db: Database, memberId: number, message: string, apply: (trx: Transaction) => Promise<void>) {
  return db.transaction().execute(async (trx): Promise<InboxChange> => {
    await lockInbox(trx, memberId)
    await apply(trx)
    await publishInboxChange(trx, memberId)
    return { message, unread_count: await countUnread(trx, memberId) }
  })
}

function requireFound(isFound: boolean): void {
  if (!isFound) throw notFound('This notification')
}

/** Marks all if `isAll`. Throws AppError `invalid`, and `not_found` if the notification is not the member's. */
export function markRead(
  db: Database,
  memberId: number,
  { id, isAll }: { id: number | undefined; isAll: boolean | undefined },
): Promise<InboxChange> {
  if (id === undefined ? isAll === false : isAll === true) {
    throw new AppError('invalid', 400, 'Choose one notification or mark all as read.')
  }
  if (id === undefined) return change(db, memberId, 'Marked all as read.', (trx) => markAllRead(trx, memberId))
  return change(db, memberId, 'Marked as read.', async (trx) => requireFound(await markOneRead(trx, memberId, id)))
}

/** Deletes all read ones without an id. Throws AppError `not_found` if the notification is not the member's. */
export function deleteNotifications(db: Database, memberId: number, id: number | undefined): Promise<InboxChange> {
  if (id === undefined) {
    return change(db, memberId, 'Deleted read notifications.', (trx) => deleteRead(trx, memberId))
  }
  return change(db, memberId, 'Deleted.', async (trx) => requireFound(await deleteOne(trx, memberId, id)))
}

interface ScriptRow {
  audience: Audience
  script_id: number
  script_title: string
  summary: string | null
  /** Its start, for followers of the author. Null if there is a summary. */
  description: string | null
  author_id: number
  version: string | null
  /** What the version starts and stops doing, if watchers should know. */
  starts: CapabilityId[] | null
  stops: CapabilityId[] | null
}

interface InboxRow extends Omit<Notification, 'created_at' | 'subscription'> {
  script: ScriptRow | null
  /** ISO 8601 with microseconds, as PostgreSQL's JSON has it. */
  created_at: string
  group_key: string | null
  actor_count: number
  /** Name of the latest actor; null if there is none or the account is deleted. */
  actor_name: string | null
  is_actor_banned: boolean
}

/** SQL: the member with their read and cleared positions in the broadcasts, 0 by default, and unwanted kinds. */
const inboxPositions = (memberId: number) => sql`select m.id, m.created_at, coalesce(i.read_through, 0) as read_through,
  coalesce(i.deleted_through, 0) as deleted_through, coalesce(i.unwanted_kinds, '{}') as unwanted_kinds
  from members m left join inboxes i on i.member_id = m.id where m.id = ${memberId}`

/** The newest new scripts and new versions of an inbox. Older ones are neither shown nor counted. */
const MAX_ABOUT_SCRIPTS = 100

const isWanted = (kind: NotificationKind) => sql`not (${kind} = any(me.unwanted_kinds))`

/**
 * SQL for `from`: inbox `me` and its broadcasts `b` above a position. Leaves out scripts `s` that are not public any more,
 * and authors `a` who are banned or blocked.
 */
const receivedBroadcasts = (
  memberId: number,
  position: 'read_through' | 'deleted_through',
) => sql`(${inboxPositions(memberId)}) me
  cross join lateral (
    select b.id from broadcasts b
      where b.audience = 'all' and b.id > me.${sql.ref(position)} and b.created_at >= me.created_at
    union all
    (select b.id from follows f cross join lateral (
        select b.id from broadcasts b
          where b.author_id = f.author_id and b.audience = 'followers' and b.id > me.${sql.ref(position)}
            and b.created_at >= f.created_at
          order by b.id desc limit ${MAX_ABOUT_SCRIPTS}) b
      where f.follower_id = me.id and ${isWanted('new_scripts')}
      order by b.id desc limit ${MAX_ABOUT_SCRIPTS})
    union all
    (select b.id from watches w cross join lateral (
        select b.id from broadcasts b
          where b.script_id = w.script_id and b.audience = 'watchers' and b.id > me.${sql.ref(position)}
            and b.created_at >= w.created_at and b.author_id <> me.id
          order by b.id desc limit ${MAX_ABOUT_SCRIPTS}) b
      where w.member_id = me.id and ${isWanted('new_versions')}
      order by b.id desc limit ${MAX_ABOUT_SCRIPTS})
  ) received
  join broadcasts b on b.id = received.id
  left join scripts s on s.id = b.script_id
  left join members a on a.id = b.author_id`

const isReceived = (memberId: number) => sql<boolean>`(b.audience = 'all'
  or ${isReachable('s', 'a')} and (b.audience = 'watchers' or not s.is_unlisted) and not ${isBlocking(memberId, sql.ref('b.author_id'))})`

/** SQL: unread own rows, by a partial index. */
const unreadOwn = (memberId: number) =>
  sql`(select count(*) from notifications where member_id = ${memberId} and not is_read)`

async function countUnread(db: Database, memberId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${unreadOwn(memberId)}
    + (select count(*) from ${receivedBroadcasts(memberId, 'read_through')}
      where ${isReceived(memberId)}
        and not exists (select 1 from broadcast_marks k where k.member_id = ${memberId} and k.broadcast_id = b.id))
    as count`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * One statement, so that list and count are consistent. Broadcasts are collected once: the cleared position is never above
 * the read position, so the unread ones are among them.
 */
async function findInbox(
  db: Database,
  memberId: number,
  { limit, position }: { limit: number; position: Position | undefined },
): Promise<{ rows: InboxRow[]; unread: number }> {
  const isAfter = (time: string, id: string) =>
    position ? sql`(${sql.ref(time)}, ${sql.ref(id)}) < (${position.before}, ${position.id})` : sql`true`
  const { rows } = await sql<{ rows: InboxRow[]; unread: number }>`with received as materialized (
      select b.*, b.id <= me.read_through or k.broadcast_id is not null as is_read, k.is_deleted is true as is_deleted,
        s.id is not null as has_script, s.title as script_title, s.summary, s.description, a.display_name, a.username
      from ${receivedBroadcasts(memberId, 'deleted_through')}
        left join broadcast_marks k on k.member_id = ${memberId} and k.broadcast_id = b.id
      where ${isReceived(memberId)})
    select ${unreadOwn(memberId)} + (select count(*) from received where not is_read) as unread,
    coalesce((select json_agg(page order by created_at desc, id desc) from (
      (select n.id, n.type, n.title, n.message, n.link, n.is_read, n.moved_at as created_at, n.group_key,
          n.actor_count,
          coalesce(nullif(a.display_name, ''), a.username) as actor_name,
          coalesce(${isBanned('a')}, false) as is_actor_banned, null::json as script
        from notifications n left join members a on a.id = n.actor_id
        where n.member_id = ${memberId} and ${isAfter('n.moved_at', 'n.id')} order by n.moved_at desc, n.id desc limit ${limit})
      union all
      (select b.id, b.type, b.title, b.message, b.link, b.is_read, b.created_at, null,
          case when b.has_script then 1 else 0 end, coalesce(nullif(b.display_name, ''), b.username), false,
          case when b.has_script then json_build_object('audience', b.audience, 'script_id', b.script_id,
            'script_title', b.script_title, 'summary', b.summary, 'description', case when b.audience = 'followers'
              and b.summary is null then left(b.description, ${MAX_SUMMARY_SOURCE_LENGTH}) end,
            'author_id', b.author_id, 'version', b.version, 'starts', b.starts, 'stops', b.stops) end
        from (select * from received b where not b.is_deleted and ${isAfter('b.created_at', 'b.id')}
          order by b.created_at desc, b.id desc limit ${limit}) b)
      order by created_at desc, id desc limit ${limit}) page), '[]') as rows`.execute(db)
  return rows[0] ?? { rows: [], unread: 0 }
}

/** Locks the member's inbox row, creating it if needed, so that their requests run one after the other. */
export async function lockInbox(trx: Transaction, memberId: number): Promise<void> {
  await sql`insert into inboxes (member_id) values (${memberId}) on conflict do nothing`.execute(trx)
  await sql`select 1 from inboxes where member_id = ${memberId} for update`.execute(trx)
}

async function isShown(trx: Transaction, memberId: number, broadcastId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${receivedBroadcasts(memberId, 'deleted_through')}
    left join broadcast_marks k on k.member_id = ${memberId} and k.broadcast_id = b.id
    where b.id = ${broadcastId} and ${isReceived(memberId)} and k.is_deleted is not true`.execute(trx)
  return rows.length > 0
}

async function markOneRead(trx: Transaction, memberId: number, id: number): Promise<boolean> {
  const own = await sql`update notifications set is_read = true
    where id = ${id} and member_id = ${memberId}`.execute(trx)
  if (own.numAffectedRows) return true
  if (!(await isShown(trx, memberId, id))) return false
  await sql`insert into broadcast_marks (member_id, broadcast_id) values (${memberId}, ${id})
    on conflict do nothing`.execute(trx)
  return true
}

async function deleteOne(trx: Transaction, memberId: number, id: number): Promise<boolean> {
  const own = await sql`delete from notifications where id = ${id} and member_id = ${memberId}`.execute(trx)
  if (own.numAffectedRows) return true
  if (!(await isShown(trx, memberId, id))) return false
  await sql`insert into broadcast_marks (member_id, broadcast_id, is_deleted) values (${memberId}, ${id}, true)
    on conflict (member_id, broadcast_id) do update set is_deleted = true`.execute(trx)
  return true
}

/** Moves the read position past all broadcasts, so the cost does not depend on their number. */
async function markAllRead(trx: Transaction, memberId: number): Promise<void> {
  await sql`update notifications set is_read = true where member_id = ${memberId} and not is_read`.execute(trx)
  await sql`update inboxes set read_through = greatest(read_through, (select max(id) from broadcasts))
    where member_id = ${memberId}`.execute(trx)
  await sql`delete from broadcast_marks k using inboxes i where i.member_id = ${memberId} and k.member_id = i.member_id
    and k.broadcast_id <= i.read_through and not k.is_deleted`.execute(trx)
}

async function deleteRead(trx: Transaction, memberId: number): Promise<void> {
  await sql`delete from notifications where member_id = ${memberId} and is_read`.execute(trx)
  await sql`update inboxes set deleted_through = read_through where member_id = ${memberId}`.execute(trx)
  await sql`delete from broadcast_marks k using inboxes i where i.member_id = ${memberId} and k.member_id = i.member_id
    and k.broadcast_id <= i.deleted_through`.execute(trx)
  await sql`update broadcast_marks set is_deleted = true where member_id = ${memberId} and not is_deleted`.execute(trx)
}
