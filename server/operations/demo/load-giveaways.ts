import { sql } from 'kysely'
import { demoGiveaways } from '#demo/giveaways.ts'
import type { DemoGiveaway } from '#demo/types.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { drawInTransaction } from '#server/features/giveaways/draw.ts'
import { insertGiveaway, parseCreation } from '#server/features/giveaways/manage.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { daysAgo } from './load-members.ts'

const OPEN_FOR_DAYS = 30

export async function loadGiveaways(trx: Transaction, seal: Seal, members: Map<string, number>): Promise<void> {
  const adminId = members.get('admin')
  if (adminId === undefined) throw new Error('The demo has no admin.')
  for (const giveaway of demoGiveaways) {
    const id = await insertGiveaway(trx, { ...readGiveaway(giveaway, seal), created_by: adminId })
    await enterAll(trx, id, giveaway.entrants, members)
    if (giveaway.endsInDays > 0) continue
    await drawInTransaction(trx, seal, id, adminId)
    await trx
      .updateTable('giveaways')
      .set({ drawn_at: daysAgo(-giveaway.endsInDays) })
      .where('id', '=', id)
      .execute()
  }
}

function readGiveaway(giveaway: DemoGiveaway, seal: Seal) {
  const { title, description, prizeType, prizeDescription, prizeValue, entryRequirement, maxEntries } = giveaway
  const input = {
    title,
    description,
    prize_type: prizeType,
    prize_description: prizeDescription,
    prize_value: prizeValue,
    entry_requirement: entryRequirement,
    // `parseCreation` rejects an end in the past; the real end replaces this one below.
    end_date: daysAgo(-1).toISOString(),
    max_entries: maxEntries,
    winner_count: giveaway.winnerCount,
  }
  const end_date = daysAgo(-giveaway.endsInDays)
  const created_at = daysAgo(Math.max(1, OPEN_FOR_DAYS - giveaway.endsInDays))
  return { ...parseCreation(input, seal), end_date, created_at, is_active: giveaway.isActive }
}

async function enterAll(trx: Transaction, id: number, keys: string[], members: Map<string, number>): Promise<void> {
  const ids = keys.flatMap((key) => members.get(key) ?? [])
  if (ids.length === 0) return
  await trx
    .insertInto('giveaway_entries')
    .values(ids.map((member_id) => ({ giveaway_id: id, member_id })))
    .execute()
  await sql`update giveaways set entry_count = ${ids.length} where id = ${id}`.execute(trx)
}
