// Notifications about a script for all followers of its author or all its watchers: one row, however many they are.
import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { LIVE_CHANNEL, lockBroadcasts } from './notify.ts'

interface AnnouncedScript {
  scriptId: number
  authorId: number
}

/** Once per script. Call it last in the transaction: it locks all broadcasts until the commit. */
export async function announcePublished(trx: Transaction, { scriptId, authorId }: AnnouncedScript): Promise<void> {
  const { rows } = await sql`select from follows where author_id = ${authorId} limit 1`.execute(trx)
  if (rows.length === 0) return
  await lockBroadcasts(trx)
  const written = await sql`insert into broadcasts (type, audience, author_id, script_id)
    values ('info', 'followers', ${authorId}, ${scriptId}) on conflict do nothing`.execute(trx)
  if (written.numAffectedRows) await publishAudienceChange(trx, 'followers', authorId)
}

/** A later version within this time replaces the notification of the former one. */
const REPLACED_WITHIN = sql`interval '1 hour'`

/** Call it last, like `announcePublished`. */
export async function announceVersion(
  trx: Transaction,
  { scriptId, authorId, version }: AnnouncedScript & { version: string },
): Promise<void> {
  const { rows } = await sql`select from watches where script_id = ${scriptId} limit 1`.execute(trx)
  if (rows.length === 0) return
  await lockBroadcasts(trx)
  await sql`delete from broadcasts where script_id = ${scriptId} and audience = 'watchers'
    and created_at > now() - ${REPLACED_WITHIN}`.execute(trx)
  await sql`insert into broadcasts (type, audience, author_id, script_id, version)
    values ('info', 'watchers', ${authorId}, ${scriptId}, ${version})`.execute(trx)
  await publishAudienceChange(trx, 'watchers', scriptId)
}

/**
 * Adds the changes to the notification of the version, which becomes unread. Does nothing if there is none, or it is older
 * than an hour. Call it last, like `announcePublished`.
 */
export async function announceBehavior(
  trx: Transaction,
  { scriptId, version, starts, stops }: { scriptId: number; version: string; starts: string[]; stops: string[] },
): Promise<void> {
  const { rows: watches } = await sql`select from watches where script_id = ${scriptId} limit 1`.execute(trx)
  if (watches.length === 0) return
  await lockBroadcasts(trx)
  // A new row, because a higher id makes it unread.
  const { rows } = await sql<{ id: number }>`with former as (
      delete from broadcasts where script_id = ${scriptId} and audience = 'watchers' and version = ${version}
        and starts is null and created_at > now() - ${REPLACED_WITHIN} returning type, audience, author_id, created_at
    )
    insert into broadcasts (type, audience, author_id, script_id, version, starts, stops, created_at)
    select type, audience, author_id, ${scriptId}, ${version}, ${starts}::text[], ${stops}::text[], created_at
    from former order by created_at desc limit 1
    returning id`.execute(trx)
  if (rows.length > 0) await publishAudienceChange(trx, 'watchers', scriptId)
}

export type Audience = 'followers' | 'watchers'

async function publishAudienceChange(trx: Transaction, audience: Audience, id: number): Promise<void> {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${`${audience} ${id}`})`.execute(trx)
}

/** Returns which of these members follow the author, or watch the script, with this id. */
export async function findAudience(
  db: Database,
  audience: Audience,
  id: number,
  memberIds: readonly number[],
): Promise<number[]> {
  const { rows } = await (
    audience === 'followers'
      ? sql<{ id: number }>`select follower_id as id from follows
        where author_id = ${id} and follower_id = any(${memberIds}::int[])`
      : sql<{ id: number }>`select member_id as id from watches
        where script_id = ${id} and member_id = any(${memberIds}::int[])`
  ).execute(db)
  return rows.map((row) => row.id)
}
