import { sql } from 'kysely'
import type { Giveaway } from '#contract/giveaways.ts'
import type { Database } from '#server/db/database.ts'
import { lockMember } from '#server/features/members/standing.ts'
import {
  alreadyEntered,
  giveawayEnded,
  giveawayFull,
  giveawayInactive,
  giveawayNotFound,
  notVerified,
} from './errors.ts'
import { getGiveaway, type GiveawaysOptions, type Viewer } from './queries.ts'

/**
 * Enters a member into a giveaway and gives it as they see it now. All is read before the entry counts, on the one
 * connection that writes it: who is told of a failure is not in. Throws AppError `giveaway_not_found`, `giveaway_ended`, `giveaway_inactive`,
 * `giveaway_full`, `already_entered` or `email_not_verified`, and then nothing was written.
 */
export function enterGiveaway(options: GiveawaysOptions, giveawayId: number, viewer: Viewer): Promise<Giveaway> {
  const memberId = viewer.viewerId
  return options.db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { allowMuted: true })
    // The count is raised only where there is room, under the row's lock: the next one sees it.
    const { numAffectedRows } = await sql`update giveaways g set entry_count = entry_count + 1
      where g.id = ${giveawayId} and g.is_active and g.drawn_at is null and g.end_date > now()
        and (g.max_entries is null or g.entry_count < g.max_entries)
        and (g.entry_requirement = 'login' or exists (select from members where id = ${memberId} and email_verified))
        and not exists (select from giveaway_entries where giveaway_id = g.id and member_id = ${memberId})`.execute(trx)
    if (!numAffectedRows) throw await explainRejection(trx, giveawayId, memberId)
    const entered = await trx
      .insertInto('giveaway_entries')
      .values({ giveaway_id: giveawayId, member_id: memberId })
      .onConflict((on) => on.columns(['giveaway_id', 'member_id']).doNothing())
      .executeTakeFirst()
    if (!entered.numInsertedOrUpdatedRows) throw alreadyEntered()
    return getGiveaway({ ...options, db: trx }, giveawayId, viewer)
  })
}

async function explainRejection(trx: Database, giveawayId: number, memberId: number): Promise<Error> {
  const { rows } = await sql<Record<'active' | 'ended' | 'full' | 'entered' | 'verified', boolean>>`
    select g.is_active as active, g.drawn_at is not null or g.end_date <= now() as ended,
      coalesce(g.entry_count >= g.max_entries, false) as full,
      exists (select from giveaway_entries where giveaway_id = g.id and member_id = ${memberId}) as entered,
      g.entry_requirement = 'login' or exists (select from members where id = ${memberId} and email_verified) as verified
    from giveaways g where g.id = ${giveawayId} and (g.is_active or g.drawn_at is not null)`.execute(trx)
  const [state] = rows
  if (!state) return giveawayNotFound()
  if (state.entered) return alreadyEntered()
  if (state.ended) return giveawayEnded()
  if (!state.active) return giveawayInactive()
  if (!state.verified) return notVerified()
  return giveawayFull()
}
