// One entry a member, never more than there is room for; a draw happens once, over a seed whose hash was published when
// the giveaway was made. Prizes are sealed, and opened for their winners and, on record, for admins.
import type { Giveaway, GiveawayDraw } from '#contract/giveaways.ts'
import type { Database } from '#server/db/database.ts'
import { toGiveaway } from './giveaway.ts'
import { findEntryIds, findGiveaways, type GiveawayFilter } from './queries.ts'
import { giveawayNotFound } from './refusals.ts'
import type { Seal } from './seal.ts'

export { drawWithin } from './draw.ts'
export { insertGiveaway, readCreation } from './manage.ts'
export { createPrizeSeal, type Seal } from './seal.ts'

export interface GiveawaysOptions {
  db: Database
  seal: Seal
  discordCdnUrl: string
}

export interface Viewer {
  viewerId: number
  isAdmin: boolean
}

export async function listGiveaways(options: GiveawaysOptions, filter: GiveawayFilter): Promise<Giveaway[]> {
  const rows = await findGiveaways(options.db, filter)
  return rows.map((row) => toGiveaway(row, options.seal, options.discordCdnUrl))
}

/** One giveaway as a viewer sees it. Throws AppError `giveaway_not_found`. */
export async function getGiveaway(options: GiveawaysOptions, id: number, viewer: Viewer): Promise<Giveaway> {
  const [giveaway] = await listGiveaways(options, { ...viewer, id, status: 'all' })
  if (!giveaway) throw giveawayNotFound()
  return giveaway
}

/** All that it takes to replay a draw; without seed and winners until it is drawn. Throws AppError `giveaway_not_found`. */
export async function getDraw({ db }: GiveawaysOptions, id: number): Promise<GiveawayDraw> {
  const [row] = await findGiveaways(db, { viewerId: 0, id, isAdmin: false, status: 'all' })
  if (!row) throw giveawayNotFound()
  return {
    giveaway_id: row.id,
    title: row.title,
    seed_sha256: row.seed_sha256,
    seed: row.seed,
    winner_count: row.winner_count,
    entries: await findEntryIds(db, id),
    winners: row.winners.map(({ entry_id }) => entry_id),
    drawn_at: row.drawn_at?.toISOString() ?? null,
  }
}

/** A member's own prizes by giveaway, for the notifications that speak of them. */
export async function findOwnPrizes(
  { db, seal }: Pick<GiveawaysOptions, 'db' | 'seal'>,
  memberId: number,
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('giveaway_entries')
    .select(['giveaway_id', 'sealed_prize'])
    .where('member_id', '=', memberId)
    .where('sealed_prize', 'is not', null)
    .execute()
  return new Map(rows.flatMap((row) => (row.sealed_prize ? [[row.giveaway_id, seal.open(row.sealed_prize)]] : [])))
}
