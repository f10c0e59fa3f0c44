import { parseDayOrTime } from '@scriptyard/text'
import { randomBytes } from 'node:crypto'
import type { GiveawayChange, GiveawayCreation } from '#contract/giveaways.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { hashSeed, isKeyPrize, prizeLines } from './draw.ts'
import { fieldError, invalidField } from '#server/platform/http/field-errors.ts'
import { parseLine, parseOptionalText } from '#server/platform/http/text.ts'
import { alreadyDrawn, giveawayNotFound } from './queries.ts'
import { openForAdmin } from './seal.ts'

const SEED_BYTES = 32
const TITLE = { field: 'title' }

/** Creates a giveaway with a secret seed whose hash is published. Returns its id. Throws AppError `invalid`. */
export function createGiveaway(db: Database, seal: Seal, input: GiveawayCreation, adminId: number): Promise<number> {
  const row = parseCreation(input, seal)
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    return insertGiveaway(trx, { ...row, created_by: adminId })
  })
}

export async function insertGiveaway(
  trx: Transaction,
  row: ReturnType<typeof parseCreation> & { created_by: number; created_at?: Date },
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

/** The row of a new giveaway. Throws AppError `invalid`. */
export function parseCreation(input: GiveawayCreation, seal: Seal) {
  const { prize_type: prizeType = 'custom', winner_count: winnerCount = 1, max_entries = null } = input
  const prizeValue = input.prize_value ?? ''
  requirePrizes({ prizeType, prizeValue, winnerCount })
  const seed = randomBytes(SEED_BYTES).toString('hex')
  return {
    title: parseLine(input.title, TITLE),
    description: parseOptionalText(input.description, { field: 'description' }) ?? '',
    prize_type: prizeType,
    prize_description: parseOptionalText(input.prize_description, { field: 'prize_description' }) ?? '',
    sealed_prizes: sealPrizes(prizeValue, seal),
    entry_requirement: input.entry_requirement ?? 'login',
    end_date: parseEndDate(input.end_date),
    max_entries,
    winner_count: winnerCount,
    is_active: input.is_active ?? true,
    sealed_seed: seal.seal(seed),
    seed_sha256: hashSeed(seed),
  }
}

/** Fields that a draw depends on; they can't change after it. */
const LOCKED_AFTER_DRAW = [
  'prize_type',
  'prize_value',
  'entry_requirement',
  'end_date',
  'max_entries',
  'winner_count',
] as const

const PRIZE_FIELDS = ['prize_type', 'prize_value', 'winner_count'] as const
const ENTER_PRIZES = 'Enter the prizes again.'

/** Changes a giveaway. Throws AppError `invalid`, `giveaway_not_found`, `already_drawn` for a locked field, or `unreadable`. */
export function changeGiveaway(db: Database, seal: Seal, input: GiveawayChange, adminId: number): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const old = await trx.selectFrom('giveaways').selectAll().where('id', '=', input.id).forUpdate().executeTakeFirst()
    if (!old) throw giveawayNotFound()
    const set = parseChange(input, seal)
    if (old.drawn_at && LOCKED_AFTER_DRAW.some((field) => input[field] !== undefined)) throw alreadyDrawn()
    const next = { ...old, ...set }
    if (next.max_entries !== null && next.max_entries < old.entry_count) {
      throw fieldError('max_entries', `must be at least ${old.entry_count}, because that many have entered`)
    }
    if (PRIZE_FIELDS.some((field) => input[field] !== undefined)) {
      const prizeValue = next.sealed_prizes ? openForAdmin(seal, next.sealed_prizes, ENTER_PRIZES) : ''
      requirePrizes({ prizeType: next.prize_type, prizeValue, winnerCount: next.winner_count })
    }
    if (Object.keys(set).length > 0) await trx.updateTable('giveaways').set(set).where('id', '=', input.id).execute()
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
      subjectId: input.id,
      before: shown(old),
      after: { ...shown(next), prizes_changed: input.prize_value !== undefined },
    })
  })
}

function parseChange(input: GiveawayChange, seal: Seal) {
  const { title, description, prize_description, prize_value, end_date } = input
  const { prize_type, entry_requirement, max_entries, winner_count, is_active } = input
  return {
    ...(title === undefined ? {} : { title: parseLine(title, TITLE) }),
    ...(description === undefined
      ? {}
      : { description: parseOptionalText(description, { field: 'description' }) ?? '' }),
    ...(prize_description === undefined
      ? {}
      : { prize_description: parseOptionalText(prize_description, { field: 'prize_description' }) ?? '' }),
    ...(prize_value === undefined ? {} : { sealed_prizes: sealPrizes(prize_value, seal) }),
    ...(end_date === undefined ? {} : { end_date: parseEndDate(end_date) }),
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
    const deleted = await trx
      .deleteFrom('giveaways')
      .where('id', '=', giveawayId)
      .returning(['title', 'entry_count'])
      .executeTakeFirst()
    if (!deleted) throw giveawayNotFound()
    await writeAudit(trx, {
      actorId: adminId,
      action: 'delete_giveaway',
      subjectType: 'giveaway',
      subjectId: giveawayId,
      before: deleted,
    })
  })
}

/** All prizes of a giveaway, one per line. Writes an audit log entry. Throws AppError `giveaway_not_found` or `unreadable`. */
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
    return giveaway.sealed_prizes ? openForAdmin(seal, giveaway.sealed_prizes, ENTER_PRIZES) : ''
  })
}

const LATEST_YEAR = 2100

/** Parses a time, or a day, which means its end in UTC. Throws AppError `invalid`. */
function parseEndDate(raw: string): Date {
  if (!raw.trim()) throw invalidField('end_date', 'Choose an end date.')
  const end = parseDayOrTime(raw.trim(), '23:59:59.999', { mayLackZone: true })
  if (!end) throw fieldError('end_date', 'must be a day such as 2030-01-31, or a time')
  if (end.getUTCFullYear() > LATEST_YEAR) throw fieldError('end_date', `must not be after the year ${LATEST_YEAR}`)
  if (end.getTime() <= Date.now()) throw fieldError('end_date', 'must not be in the past')
  return end
}

function sealPrizes(raw: string | null, seal: Seal): Buffer | null {
  const prizes = parseOptionalText(raw, { field: 'prize_value', label: 'Keys' })
  return prizes === null ? null : seal.seal(prizes)
}

/** Throws AppError `invalid` if the prizes are keys and there are fewer of them than winners. */
function requirePrizes(giveaway: { prizeType: string; prizeValue: string; winnerCount: number }): void {
  const { prizeType, prizeValue, winnerCount } = giveaway
  if (!isKeyPrize(prizeType)) return
  const lines = prizeLines(prizeValue).length
  if (lines < winnerCount) {
    const [winners, keys] = [
      winnerCount === 1 ? '1 winner' : `${winnerCount} winners`,
      lines === 1 ? '1 key' : `${lines} keys`,
    ]
    throw invalidField(
      'prize_value',
      `Enter one key per winner: there ${lines === 1 ? 'is' : 'are'} ${keys} for ${winners}.`,
    )
  }
}
