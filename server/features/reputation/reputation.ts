// A member gives another at most one point a UTC day, as many a day as their role allows; never to oneself, never by or to who is
// banned. Every point is a row of the ledger, and members.reputation its kept sum. The muted may: a point is no text.
import type { ReputationStatus } from '#contract/reputation.ts'
import type { Database } from '#server/db/database.ts'
import { lockMembers } from '#server/features/members/service.ts'
import { notify } from '#server/features/notifications/service.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { unauthorized } from '#server/http/guards.ts'
import { addEntry, type DailyUsage, findDailyUsage, findMembers, type MemberRow } from './queries.ts'

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
