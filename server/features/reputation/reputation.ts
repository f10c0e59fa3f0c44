// One point per giver, receiver and UTC day. Every point is a row of the ledger; members.reputation holds the sum.
// Muted members may give points, since a point has no text.
import { sql } from 'kysely'
import type { ReputationStatus } from '#contract/reputation.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { hasBlocked } from '#server/features/members/blocking.ts'
import { isBanned, lockMembers } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound, unauthorized } from '#server/platform/http/errors.ts'

const DAILY_LIMIT = { free: 3, premium: 10, staff: 25 }

interface MemberRow {
  id: number
  name: string
  slug: string
  reputation: number
  subscription_type: 'free' | 'premium'
  is_staff: boolean
  is_banned: boolean
}

interface Pair {
  giver: MemberRow
  receiver: MemberRow
}

interface DailyUsage {
  used: number
  already_given_today: boolean
  /** Seconds until the next UTC day. */
  seconds_left: number
}

export async function getReputationStatus(
  db: Database,
  giverId: number,
  receiverId: number,
): Promise<ReputationStatus> {
  const pair = await getPair(db, giverId, receiverId)
  return toStatus(pair, await findDailyUsage(db, giverId, receiverId))
}

/**
 * The giver is locked while their points are counted, so concurrent requests cannot pass the limit. Throws AppError
 * `own_reputation`, `not_possible`, `not_found`, `already_given`, and `daily_limit` with the time until midnight UTC.
 */
export function giveReputation(
  db: Database,
  giverId: number,
  receiverId: number,
): Promise<ReputationStatus & { new_reputation: number }> {
  if (giverId === receiverId) {
    throw new AppError('own_reputation', 403, "You can't give reputation to yourself.")
  }
  return db.transaction().execute(async (trx) => {
    await lockMembers(trx, [giverId, receiverId])
    const pair = await getPair(trx, giverId, receiverId)
    const { giver, receiver } = pair
    // The message does not reveal the block.
    if (await hasBlocked(trx, receiverId, giverId)) {
      throw new AppError('not_possible', 403, "You can't give this member a point.")
    }
    const usage = await findDailyUsage(trx, giverId, receiverId)
    if (usage.already_given_today) {
      throw new AppError('already_given', 409, `You've already given ${receiver.name} a point today.`)
    }
    if (usage.used >= limitOf(giver)) {
      const sentence = `You've used all ${limitOf(giver)} points for today. They reset at midnight UTC.`
      throw new AppError('daily_limit', 429, sentence, { retryAfter: usage.seconds_left })
    }
    const new_reputation = await addEntry(trx, { receiverId, giverId, kind: 'gift', points: 1 })
    await notify(trx, {
      memberId: receiverId,
      kind: 'reputation',
      type: 'success',
      title: 'Reputation received',
      message: 'gave you a reputation point.',
      link: `/profile/${receiver.slug}`,
      actorId: giverId,
      groupKey: 'reputation',
    })
    return { ...toStatus(pair, { used: usage.used + 1, already_given_today: true }), new_reputation }
  })
}

/** Adds the difference to the ledger. Returns the former total. Throws AppError `not_found`. */
export async function adjustReputation(
  trx: Transaction,
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

/** Throws AppError `unauthorized` if the giver is banned or deleted, and `not_found` if the receiver is. */
async function getPair(db: Database, giverId: number, receiverId: number): Promise<Pair> {
  const members = await findMembers(db, [giverId, receiverId])
  const giver = members.find(({ id }) => id === giverId)
  const receiver = members.find(({ id }) => id === receiverId)
  if (!giver || giver.is_banned) throw unauthorized()
  if (!receiver || receiver.is_banned) throw notFound('This member')
  return { giver, receiver }
}

const limitOf = ({ is_staff, subscription_type }: MemberRow) => DAILY_LIMIT[is_staff ? 'staff' : subscription_type]

function toStatus(
  { giver, receiver }: Pair,
  { used, already_given_today }: Pick<DailyUsage, 'used' | 'already_given_today'>,
): ReputationStatus {
  const limit = limitOf(giver)
  // Members who lost a role today may have given more points than their new limit.
  const remaining = Math.max(0, limit - used)
  return {
    can_give_reputation: giver.id !== receiver.id && !already_given_today && remaining > 0,
    daily_limit: limit,
    daily_used: used,
    daily_remaining: remaining,
    subscription_type: giver.subscription_type,
  }
}

async function findMembers(db: Database, ids: number[]): Promise<MemberRow[]> {
  const { rows } =
    await sql<MemberRow>`select id, coalesce(nullif(display_name, ''), username) as name, slug, reputation,
      subscription_type, is_admin or is_moderator as is_staff, coalesce(${isBanned('members')}, false) as is_banned
    from members where id = any(${ids}::int[])`.execute(db)
  return rows
}

/** Counts the points that a member has given on this UTC day, by the clock of the database. */
async function findDailyUsage(db: Database, giverId: number, receiverId: number): Promise<DailyUsage> {
  const { rows } = await sql<DailyUsage>`select count(*) as used,
      coalesce(bool_or(receiver_id = ${receiverId}), false) as already_given_today,
      ceil(extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day'
        - (now() at time zone 'UTC')))::int as seconds_left
    from reputation_ledger
    where kind = 'gift' and giver_id = ${giverId} and day = (now() at time zone 'UTC')::date`.execute(db)
  return rows[0] ?? { used: 0, already_given_today: false, seconds_left: 0 }
}

interface LedgerEntry {
  receiverId: number
  giverId: number | null
  kind: 'gift' | 'adjustment'
  points: number
}

/** Returns the receiver's new total. The receiver must be locked. */
async function addEntry(trx: Transaction, { receiverId, giverId, kind, points }: LedgerEntry): Promise<number> {
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
