import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { orderWinners } from './draw-order.ts'
import { sharePrizes } from './prizes.ts'
import { alreadyDrawn, giveawayNotFound, noEntries } from './refusals.ts'
import type { Seal } from './seal.ts'

/**
 * Draws the winners, once: entries, winners, prizes, notifications and the revealed seed together or not at all. Gives
 * how many won. Throws AppError `giveaway_not_found`, `already_drawn` or `no_entries`.
 */
export function drawGiveaway(db: Database, seal: Seal, giveawayId: number, adminId: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '60s'`.execute(trx)
    await lockAdmin(trx, adminId)
    return drawWithin(trx, seal, giveawayId, adminId)
  })
}

/** The draw itself, for a transaction that does more. */
export async function drawWithin(trx: Database, seal: Seal, giveawayId: number, adminId: number): Promise<number> {
  const giveaway = await lockUndrawn(trx, giveawayId)
  await excludeAbsent(trx, giveawayId)
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
    if (member_id !== null) await tellWinner(trx, member_id, { id: giveawayId, title: giveaway.title })
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
async function excludeAbsent(trx: Database, giveawayId: number): Promise<void> {
  await sql`update giveaway_entries e set is_excluded = true
    where e.giveaway_id = ${giveawayId} and (e.member_id is null
      or e.member_id in (select id from members where banned_until > now()))`.execute(trx)
}

// The prize itself stays sealed in the winner's entry and is put in when they read this.
function tellWinner(trx: Database, memberId: number, { id, title }: { id: number; title: string }): Promise<void> {
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
