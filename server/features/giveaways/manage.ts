import { randomBytes } from 'node:crypto'
import type { GiveawayChange, GiveawayCreation } from '#contract/giveaways.ts'
import type { Database } from '#server/db/database.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { hashSeed } from './draw-order.ts'
import { readEndDate, readText, requirePrizes } from './input.ts'
import { alreadyDrawn, giveawayNotFound, wrongField } from './refusals.ts'
import type { Seal } from './seal.ts'

const SEED_BYTES = 32

/** Makes a giveaway with a secret seed whose hash is published. Gives its id. Throws AppError `invalid`. */
export function createGiveaway(db: Database, seal: Seal, given: GiveawayCreation, adminId: number): Promise<number> {
  const row = readCreation(given, seal)
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    return insertGiveaway(trx, { ...row, created_by: adminId })
  })
}

/** Writes a giveaway and that it was made. */
export async function insertGiveaway(
  trx: Database,
  row: ReturnType<typeof readCreation> & { created_by: number; created_at?: Date; is_active?: boolean },
): Promise<number> {
  const { id } = await trx.insertInto('giveaways').values(row).returning('id').executeTakeFirstOrThrow()
  await writeAudit(trx, {
    actorId: row.created_by,
    action: 'create_giveaway',
    subjectType: 'giveaway',
    subjectId: id,
    after: { title: row.title, end_date: row.end_date, winner_count: row.winner_count },
  })
  return id
}

/** What a new giveaway's row holds. Throws AppError `invalid`. */
export function readCreation(given: GiveawayCreation, seal: Seal) {
  const { prize_type: prizeType = 'custom', winner_count: winnerCount = 1, max_entries = null } = given
  const prizeValue = given.prize_value ?? ''
  requirePrizes({ prizeType, prizeValue, winnerCount })
  const seed = randomBytes(SEED_BYTES).toString('hex')
  const title = readText('title', given.title)
  if (!title) throw wrongField('title', 'is required')
  return {
    title,
    description: readText('description', given.description ?? ''),
    prize_type: prizeType,
    prize_description: readText('prize_description', given.prize_description ?? ''),
    sealed_prizes: prizeValue ? seal.seal(readText('prize_value', prizeValue)) : null,
    entry_requirement: given.entry_requirement ?? 'login',
    end_date: readEndDate(given.end_date),
    max_entries,
    winner_count: winnerCount,
    sealed_seed: seal.seal(seed),
    seed_sha256: hashSeed(seed),
  }
}

/** What a draw rests on, and so stays as it was drawn. */
const FIXED = ['prize_type', 'prize_value', 'entry_requirement', 'end_date', 'max_entries', 'winner_count'] as const

/** Changes a giveaway. Throws AppError `invalid`, `giveaway_not_found`, or `already_drawn` for what a draw rests on. */
export function changeGiveaway(db: Database, seal: Seal, given: GiveawayChange, adminId: number): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const old = await trx.selectFrom('giveaways').selectAll().where('id', '=', given.id).forUpdate().executeTakeFirst()
    if (!old) throw giveawayNotFound()
    const set = readChange(given, seal)
    if (old.drawn_at && FIXED.some((field) => given[field] !== undefined)) throw alreadyDrawn()
    const next = { ...old, ...set }
    if (next.max_entries !== null && next.max_entries < old.entry_count) {
      throw wrongField('max_entries', `must be at least ${old.entry_count}: that many have entered`)
    }
    const prizeValue = next.sealed_prizes ? seal.open(next.sealed_prizes) : ''
    requirePrizes({ prizeType: next.prize_type, prizeValue, winnerCount: next.winner_count })
    if (Object.keys(set).length > 0) await trx.updateTable('giveaways').set(set).where('id', '=', given.id).execute()
    const shown = (row: typeof next) => ({
      title: row.title,
      end_date: row.end_date,
      max_entries: row.max_entries,
      winner_count: row.winner_count,
      is_active: row.is_active,
    })
    await writeAudit(trx, {
      actorId: adminId,
      action: 'edit_giveaway',
      subjectType: 'giveaway',
      subjectId: given.id,
      before: shown(old),
      after: { ...shown(next), prizes_changed: given.prize_value !== undefined },
    })
  })
}

function readChange(given: GiveawayChange, seal: Seal) {
  const { title, description, prize_description, prize_value, end_date } = given
  const { prize_type, entry_requirement, max_entries, winner_count, is_active } = given
  if (title !== undefined && !title.trim()) throw wrongField('title', 'is required')
  return {
    ...(title === undefined ? {} : { title: readText('title', title) }),
    ...(description === undefined ? {} : { description: readText('description', description) }),
    ...(prize_description === undefined ? {} : { prize_description: readText('prize_description', prize_description) }),
    ...(prize_value === undefined
      ? {}
      : { sealed_prizes: prize_value ? seal.seal(readText('prize_value', prize_value)) : null }),
    ...(end_date === undefined ? {} : { end_date: readEndDate(end_date) }),
    ...(prize_type === undefined ? {} : { prize_type }),
    ...(entry_requirement === undefined ? {} : { entry_requirement }),
    ...(max_entries === undefined ? {} : { max_entries }),
    ...(winner_count === undefined ? {} : { winner_count }),
    ...(is_active === undefined ? {} : { is_active }),
  }
}

/** Deletes a giveaway with its entries. Throws AppError `giveaway_not_found`. */
export function deleteGiveaway(db: Database, giveawayId: number, adminId: number): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const gone = await trx
      .deleteFrom('giveaways')
      .where('id', '=', giveawayId)
      .returning(['title', 'entry_count'])
      .executeTakeFirst()
    if (!gone) throw giveawayNotFound()
    await writeAudit(trx, {
      actorId: adminId,
      action: 'delete_giveaway',
      subjectType: 'giveaway',
      subjectId: giveawayId,
      before: gone,
    })
  })
}

/** All prizes of a giveaway, one a line; that they were looked at is written down. Throws AppError `giveaway_not_found`. */
export function revealPrizes(db: Database, seal: Seal, giveawayId: number, adminId: number): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const giveaway = await trx
      .selectFrom('giveaways')
      .select('sealed_prizes')
      .where('id', '=', giveawayId)
      .executeTakeFirst()
    if (!giveaway) throw giveawayNotFound()
    await writeAudit(trx, {
      actorId: adminId,
      action: 'reveal_prizes',
      subjectType: 'giveaway',
      subjectId: giveawayId,
    })
    return giveaway.sealed_prizes ? seal.open(giveaway.sealed_prizes) : ''
  })
}
