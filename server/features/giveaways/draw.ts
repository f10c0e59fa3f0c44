import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { alreadyDrawn, giveawayNotFound } from './queries.ts'
import { openForAdmin } from './seal.ts'
import { isBanned, lockAdmin } from '#server/features/members/standing.ts'

const LOST_SEED = 'Restore the key, or delete this giveaway and create a new one.'
const LOST_PRIZES = 'Restore the key, or enter the prizes again.'

const noEntries = () => new AppError('no_entries', 409, 'No eligible entries in this giveaway yet.')

/**
 * Draws once, in one transaction. Returns the number of winners. Throws AppError `giveaway_not_found`, `already_drawn`,
 * `no_entries`, `unreadable`, and what `lockAdmin` throws.
 */
export function drawGiveaway(
  { db, seal, emit }: { db: Database; seal: Seal; emit: Emit },
  giveawayId: number,
  adminId: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '60s'`.execute(trx)
    await lockAdmin(trx, adminId)
    const { title, winnerCount } = await drawInTransaction(trx, seal, giveawayId, adminId)
    await emit(trx, { type: 'giveaway.ended', giveaway: { id: giveawayId, title, winner_count: winnerCount } })
    return winnerCount
  })
}

export async function drawInTransaction(
  trx: Transaction,
  seal: Seal,
  giveawayId: number,
  adminId: number,
): Promise<{ title: string; winnerCount: number }> {
  const giveaway = await lockUndrawn(trx, giveawayId)
  await excludeIneligible(trx, giveawayId)
  const seed = openForAdmin(seal, giveaway.sealed_seed, LOST_SEED)
  const winners = await orderWinners(trx, { id: giveawayId, seed, winnerCount: giveaway.winner_count })
  if (winners.length === 0) throw noEntries()
  const prizes = sharePrizes(
    giveaway.sealed_prizes ? openForAdmin(seal, giveaway.sealed_prizes, LOST_PRIZES) : '',
    winners.length,
  )
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
  return { title: giveaway.title, winnerCount: winners.length }
}

async function lockUndrawn(trx: Transaction, giveawayId: number) {
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

async function excludeIneligible(trx: Transaction, giveawayId: number): Promise<void> {
  await sql`update giveaway_entries e set is_excluded = true
    where e.giveaway_id = ${giveawayId} and (e.member_id is null
      or e.member_id in (select id from members where ${isBanned('members')}))`.execute(trx)
}

// The message doesn't have the prize: it stays sealed in the entry and is added when the winner reads the message.
function notifyWinner(trx: Transaction, memberId: number, { id, title }: { id: number; title: string }): Promise<void> {
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

const pad = (seed: string, byte: number): Buffer =>
  Buffer.concat([Buffer.from(seed, 'hex'), Buffer.alloc(BLOCK_BYTES)], BLOCK_BYTES).map(
    (keyByte) => keyByte ^ byte,
  ) as Buffer

/**
 * SQL expression of an entry's rank: HMAC-SHA-256 (RFC 2104) with the seed's bytes as key and the id in decimal digits as
 * message. PostgreSQL sorts a million entries within a second, without blocking the event loop.
 */
function rankOf(seed: string): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(${pad(seed, 0x5c)}::bytea || sha256(${pad(seed, 0x36)}::bytea || convert_to(e.id::text, 'utf8')))`
}

/** Ids of the winning entries, first winner first: the eligible entries with the lowest ranks. */
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

export function prizeLines(prizeValue: string): string[] {
  return prizeValue
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** The prize of each winner: one line each if there are enough lines, else the whole text. Empty without a prize. */
function sharePrizes(prizeValue: string, winners: number): string[] {
  const lines = prizeLines(prizeValue)
  if (lines.length === 0) return []
  return Array.from(
    { length: winners },
    (_, index) => (lines.length >= winners ? lines[index] : prizeValue.trim()) ?? '',
  )
}
