import { sql } from 'kysely'
import type { Notification } from '#contract/notifications.ts'
import type { Database } from '#server/db/database.ts'
import { publishInboxChange } from './live.ts'
import { notify } from './notify.ts'

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
