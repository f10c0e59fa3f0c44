import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { alreadyDrawn, giveawayNotFound, noEntries } from './errors.ts'
import type { Seal } from './seal.ts'
import { isBanned, lockAdmin } from '#server/features/members/standing.ts'

/**
 * Draws the winners, once: entries, winners, prizes, notifications and the revealed seed together or not at all. Gives
 * how many won. Throws AppError `giveaway_not_found`, `already_drawn` or `no_entries`.
 */
export function drawGiveaway(db: Database, seal: Seal, giveawayId: number, adminId: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '60s'`.execute(trx)
    await lockAdmin(trx, adminId)
    return drawInTransaction(trx, seal, giveawayId, adminId)
  })
}

/** The draw itself, for a transaction that does more. */
export async function drawInTransaction(
  trx: Database,
  seal: Seal,
  giveawayId: number,
  adminId: number,
): Promise<number> {
  const giveaway = await lockUndrawn(trx, giveawayId)
  await excludeIneligible(trx, giveawayId)
  const seed = seal.open(giveaway.sealed_seed)
  const winners = await orderWinners(trx, { id: giveawayId, seed, winnerCount: giveaway.winner_count })
  if (winners.length === 0) throw noEntries()
  const prizes = sharePrizes(giveaway.sealed_prizes ? seal.open(giveaway.sealed_prizes) : '', winners.length)
  for (const [index, entryId] of winners.entries()) {
    const prize = prizes[index]
    const { member_id } = await trx
      .updateTable('giveaway_entries')
      .set({ place: index + 1, sealed_prize: prize === undefined ? null : seal.seal(prize) })
      .where('id', '=', entryId)
      .returning('member_id')
      .executeTakeFirstOrThrow()
    if (member_id !== null) await notifyWinner(trx, member_id, { id: giveawayId, title: giveaway.title })
  }
  await trx
    .updateTable('giveaways')
    .set({ seed, drawn_at: sql`now()` })
    .where('id', '=', giveawayId)
    .execute()
  await writeAudit(trx, {
    actorId: adminId,
    action: 'select_winners',
    subjectType: 'giveaway',
    subjectId: giveawayId,
    after: { title: giveaway.title, entries: winners },
  })
  return winners.length
}

async function lockUndrawn(trx: Database, giveawayId: number) {
  const giveaway = await trx
    .selectFrom('giveaways')
    .select(['title', 'winner_count', 'sealed_seed', 'sealed_prizes', 'drawn_at'])
    .where('id', '=', giveawayId)
    .forUpdate()
    .executeTakeFirst()
  if (!giveaway) throw giveawayNotFound()
  if (giveaway.drawn_at) throw alreadyDrawn()
  return giveaway
}

/** Who is banned at this moment, or gone, does not take part. */
async function excludeIneligible(trx: Database, giveawayId: number): Promise<void> {
  await sql`update giveaway_entries e set is_excluded = true
    where e.giveaway_id = ${giveawayId} and (e.member_id is null
      or e.member_id in (select id from members where ${isBanned('members')}))`.execute(trx)
}

// The prize itself stays sealed in the winner's entry and is put in when they read this.
function notifyWinner(trx: Database, memberId: number, { id, title }: { id: number; title: string }): Promise<void> {
  return notify(trx, {
    memberId,
    kind: 'prizes',
    type: 'success',
    title: 'You won a giveaway!',
    message: `Congratulations, you won “${title}”.`,
    link: `/giveaways#giveaway-${id}`,
    groupKey: `prize:${id}`,
  })
}

const BLOCK_BYTES = 64

/** SHA-256 of the 32 bytes of a seed, both in hexadecimal. */
export const hashSeed = (seed: string): string => createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')

const padded = (seed: string, pad: number): Buffer =>
  Buffer.concat([Buffer.from(seed, 'hex'), Buffer.alloc(BLOCK_BYTES)], BLOCK_BYTES).map((byte) => byte ^ pad) as Buffer

/**
 * HMAC-SHA-256 (RFC 2104) of the seed's bytes and the id in decimal digits, as an expression of the database: a million
 * entries are ordered there within a second, and here nothing waits.
 */
function rankOf(seed: string): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(${padded(seed, 0x5c)}::bytea || sha256(${padded(seed, 0x36)}::bytea || convert_to(e.id::text, 'utf8')))`
}

/** The ids of the entries that win, the first winner first: the lowest ranks among those that take part. */
async function orderWinners(
  db: Database,
  giveaway: { id: number; seed: string; winnerCount: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select e.id from giveaway_entries e
    where e.giveaway_id = ${giveaway.id} and not e.is_excluded
    order by ${rankOf(giveaway.seed)} limit ${giveaway.winnerCount}`.execute(db)
  return rows.map(({ id }) => id)
}

const KEY_TYPES = new Set(['exec_key', 'executor_key'])

export const isKeyPrize = (prizeType: string): boolean => KEY_TYPES.has(prizeType)

/** The lines of a prize, without the empty ones. */
export function prizeLines(prizeValue: string): string[] {
  return prizeValue
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** What each winner gets: a line each where there are enough, else the same text for all; nothing without a prize. */
function sharePrizes(prizeValue: string, winners: number): string[] {
  const lines = prizeLines(prizeValue)
  if (lines.length === 0) return []
  return Array.from(
    { length: winners },
    (_, place) => (lines.length >= winners ? lines[place] : prizeValue.trim()) ?? '',
  )
}
