import type { ReputationStatus } from '#contract/reputation.ts'
import type { Database } from '#server/db/database.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound, unauthorized } from '#server/http/errors.ts'
import { sql } from 'kysely'
import { isBanned, lockMembers } from '#server/features/members/standing.ts'

// A member gives another at most one point a UTC day, as many a day as their role allows; never to oneself, never by or to who is
// banned. Every point is a row of the ledger, and members.reputation its kept sum. The muted may: a point is no text.

/** Points a member may give on one day. */
const DAILY_LIMIT = { free: 3, premium: 10, staff: 25 }

interface Pair {
  giver: MemberRow
  receiver: MemberRow
}

/** Throws AppError `unauthorized` where the giver may not call any more, `not_found` for who is not there to be given. */
function readPair(rows: MemberRow[], giverId: number, receiverId: number): Pair {
  const giver = rows.find(({ id }) => id === giverId)
  const receiver = rows.find(({ id }) => id === receiverId)
  if (!giver || giver.is_banned) throw unauthorized()
  if (!receiver || receiver.is_banned) throw notFound('This member')
  return { giver, receiver }
}

const limitOf = ({ is_staff, subscription_type }: MemberRow) => DAILY_LIMIT[is_staff ? 'staff' : subscription_type]

function toStatus(
  { giver, receiver }: Pair,
  { used, has_given }: Pick<DailyUsage, 'used' | 'has_given'>,
): ReputationStatus {
  const limit = limitOf(giver)
  // Who lost a role today may have given more than the limit that is now theirs.
  const remaining = Math.max(0, limit - used)
  return {
    can_give_reputation: giver.id !== receiver.id && !has_given && remaining > 0,
    daily_limit: limit,
    daily_used: used,
    daily_remaining: remaining,
    subscription_type: giver.subscription_type,
  }
}

/** Whether a member may give another a point now, and what is left of their day. Throws AppError `not_found`. */
export async function getReputationStatus(
  db: Database,
  giverId: number,
  receiverId: number,
): Promise<ReputationStatus> {
  const pair = readPair(await findMembers(db, [giverId, receiverId]), giverId, receiverId)
  return toStatus(pair, await findDailyUsage(db, giverId, receiverId))
}

/**
 * Gives one point. The giver's row is held while their day is counted, so that however many come at once the limit holds.
 * Throws AppError `own_reputation`, `not_found`, `already_given`, or `daily_limit` with the time to midnight UTC.
 */
export function giveReputation(
  db: Database,
  giverId: number,
  receiverId: number,
): Promise<ReputationStatus & { new_reputation: number }> {
  if (giverId === receiverId) {
    throw new AppError('own_reputation', 403, 'You cannot give reputation to yourself.')
  }
  return db.transaction().execute(async (trx) => {
    await lockMembers(trx, [giverId, receiverId])
    const pair = readPair(await findMembers(trx, [giverId, receiverId]), giverId, receiverId)
    const { giver, receiver } = pair
    const day = await findDailyUsage(trx, giverId, receiverId)
    if (day.has_given) {
      throw new AppError('already_given', 409, `You have given ${receiver.name} a point today. Come back tomorrow.`)
    }
    if (day.used >= limitOf(giver)) {
      const sentence = `You have given all ${limitOf(giver)} points of today. New ones come at midnight UTC.`
      throw new AppError('daily_limit', 429, sentence, { retryAfter: day.seconds_left })
    }
    const new_reputation = await addEntry(trx, { receiverId, giverId, kind: 'gift', points: 1 })
    await notify(trx, {
      memberId: receiverId,
      kind: 'reputation',
      type: 'success',
      title: 'Reputation received',
      message: 'gave you a point of reputation.',
      link: `/profile/${receiver.slug}`,
      actorId: giverId,
      groupKey: 'reputation',
    })
    return { ...toStatus(pair, { used: day.used + 1, has_given: true }), new_reputation }
  })
}

/**
 * Sets a member's total, as admins may: an entry of the ledger with the difference. Call it with the transaction of the
 * deed; gives the total before. Throws AppError `not_found`.
 */
export async function adjustReputation(
  trx: Database,
  memberId: number,
  newTotal: number,
  adminId: number,
): Promise<number> {
  await lockMembers(trx, [memberId])
  const [member] = await findMembers(trx, [memberId])
  if (!member) throw notFound('This member')
  const points = newTotal - member.reputation
  if (points !== 0) await addEntry(trx, { receiverId: memberId, giverId: adminId, kind: 'adjustment', points })
  return member.reputation
}

export interface MemberRow {
  id: number
  /** The name they are shown under. */
  name: string
  slug: string
  reputation: number
  subscription_type: 'free' | 'premium'
  is_staff: boolean
  is_banned: boolean
}

const STANDING = sql`id, coalesce(nullif(display_name, ''), username) as name, slug, reputation, subscription_type,
  is_admin or is_moderator as is_staff, coalesce(${isBanned('members')}, false) as is_banned`

export async function findMembers(db: Database, ids: number[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select ${STANDING} from members where id = any(${ids}::int[])`.execute(db)
  return rows
}

export interface DailyUsage {
  used: number
  /** Whether this receiver got one of them. */
  has_given: boolean
  /** Until the next UTC day. */
  seconds_left: number
}

/** What a giver has given on this UTC day, by the database's clock. */
export async function findDailyUsage(db: Database, giverId: number, receiverId: number): Promise<DailyUsage> {
  const { rows } = await sql<DailyUsage>`select count(*) as used,
      coalesce(bool_or(receiver_id = ${receiverId}), false) as has_given,
      ceil(extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day'
        - (now() at time zone 'UTC')))::int as seconds_left
    from reputation_ledger
    where kind = 'gift' and giver_id = ${giverId} and day = (now() at time zone 'UTC')::date`.execute(db)
  return rows[0] ?? { used: 0, has_given: false, seconds_left: 0 }
}

interface Entry {
  receiverId: number
  giverId: number | null
  kind: 'gift' | 'adjustment'
  points: number
}

/** Writes an entry and brings the kept sum up to it; gives the new sum. Hold the receiver's row first. */
export async function addEntry(trx: Database, { receiverId, giverId, kind, points }: Entry): Promise<number> {
  await trx
    .insertInto('reputation_ledger')
    .values({ receiver_id: receiverId, giver_id: giverId, kind, points })
    .execute()
  const { reputation } = await trx
    .updateTable('members')
    .set((eb) => ({ reputation: eb('reputation', '+', points) }))
    .where('id', '=', receiverId)
    .returning('reputation')
    .executeTakeFirstOrThrow()
  return reputation
}
