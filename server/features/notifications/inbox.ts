import type { Notification } from '#contract/notifications.ts'
import type { Database } from '#server/db/database.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import {
  countUnread,
  deleteOne,
  deleteRead,
  findInbox,
  type InboxRow,
  lockInbox,
  markAllRead,
  markOneRead,
} from './inbox-queries.ts'
import { publishInboxChange } from './live.ts'

const MAX_SHOWN = 100

/** "Ada", "Ada and 1 other", "Ada and 9 others"; the name of who is banned is not shown, that of who left is gone. */
function nameActors({ actor_name, actor_count, is_actor_banned }: InboxRow): string {
  const name = is_actor_banned ? 'A member' : (actor_name ?? 'Deleted member')
  const others = actor_count - 1
  if (others < 1) return name
  return `${name} and ${others} ${others === 1 ? 'other' : 'others'}`
}

/** A member's own prizes by giveaway: they are sealed, and put in only when their winner reads of them. */
export type FindPrizes = (memberId: number) => Promise<Map<number, string>>

const PRIZE_KEY = 'prize:'

async function openPrizes(rows: InboxRow[], memberId: number, findPrizes: FindPrizes): Promise<Map<string, string>> {
  if (!rows.some(({ group_key }) => group_key?.startsWith(PRIZE_KEY))) return new Map()
  return new Map([...(await findPrizes(memberId))].map(([giveawayId, prize]) => [`${PRIZE_KEY}${giveawayId}`, prize]))
}

/** The one function that makes a notification for its member from a row. */
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
    is_read,
    created_at: new Date(row.created_at).toISOString(),
  }
}

/** The member's newest notifications, at most 100, and how many are unread in all. */
export async function listInbox(
  db: Database,
  memberId: number,
  findPrizes: FindPrizes,
): Promise<{ notifications: Notification[]; unread_count: number }> {
  const { rows, unread } = await findInbox(db, memberId, MAX_SHOWN)
  const prizes = await openPrizes(rows, memberId, findPrizes)
  return { notifications: rows.map((row) => toNotification(row, prizes)), unread_count: unread }
}

interface Marked {
  message: string
  unread_count: number
}

/** Changes the member's inbox in one transaction, tells their other devices, and counts what is unread now. */
function change(db: Database, memberId: number, message: string, deed: (trx: Database) => Promise<void>) {
  return db.transaction().execute(async (trx): Promise<Marked> => {
    await lockInbox(trx, memberId)
    await deed(trx)
    await publishInboxChange(trx, memberId)
    return { message, unread_count: await countUnread(trx, memberId) }
  })
}

function requireOne(found: boolean): void {
  if (!found) throw notFound('This notification')
}

/** Marks one read, or all without an id. Throws AppError `not_found` for what is not the member's own. */
export function markRead(
  db: Database,
  memberId: number,
  { id, isAll }: { id: number | undefined; isAll: boolean | undefined },
): Promise<Marked> {
  if (id === undefined ? isAll === false : isAll === true) {
    throw new AppError('invalid', 400, 'Name one notification, or mark all of them read.')
  }
  if (id === undefined) return change(db, memberId, 'Marked all as read.', (trx) => markAllRead(trx, memberId))
  return change(db, memberId, 'Marked as read.', async (trx) => requireOne(await markOneRead(trx, memberId, id)))
}

/** Deletes one, or all read ones without an id. Throws AppError `not_found` for what is not the member's own. */
export function deleteNotifications(db: Database, memberId: number, id: number | undefined): Promise<Marked> {
  if (id === undefined) {
    return change(db, memberId, 'Deleted what was read.', (trx) => deleteRead(trx, memberId))
  }
  return change(db, memberId, 'Deleted.', async (trx) => requireOne(await deleteOne(trx, memberId, id)))
}
