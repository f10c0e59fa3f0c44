import { sql } from 'kysely'
import type { Giveaway } from '#contract/giveaways.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { getGiveaway, giveawayNotFound, type GiveawaysOptions, type Viewer } from './queries.ts'

const alreadyEntered = () => new AppError('already_entered', 409, 'You have already entered this giveaway.')
const giveawayEnded = () => new AppError('giveaway_ended', 409, 'This giveaway has ended.')
const giveawayInactive = () => new AppError('giveaway_inactive', 409, "This giveaway isn't open right now.")
const giveawayFull = () => new AppError('giveaway_full', 409, 'This giveaway is full.')
const notVerified = () =>
  new AppError(
    'email_not_verified',
    403,
    'This giveaway requires a verified email. Verify yours on Discord and sign in again.',
  )

/**
 * Throws AppError `giveaway_not_found`, `giveaway_ended`, `giveaway_inactive`, `giveaway_full`, `already_entered`,
 * `email_not_verified`, and what `lockMember` throws.
 */
export function enterGiveaway(options: GiveawaysOptions, giveawayId: number, viewer: Viewer): Promise<Giveaway> {
  const memberId = viewer.viewerId
  return transactAsMember(options.db, { memberId, allowMuted: true }, async (trx) => {
    // The update locks the giveaway's row and rechecks its conditions, so concurrent entries cannot exceed the limit.
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
    // Read before the commit: if reading fails, the entry is rolled back along with the error.
    return getGiveaway({ ...options, db: trx }, giveawayId, viewer)
  })
}

/** Deletes a locked member's entries in giveaways that are not drawn yet, which frees their places. */
export async function withdrawEntries(trx: Transaction, memberId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select g.id from giveaways g
    where g.drawn_at is null and g.id in (select giveaway_id from giveaway_entries where member_id = ${memberId})
    order by g.id for no key update`.execute(trx)
  const ids = rows.map(({ id }) => id)
  await sql`with withdrawn as (
      delete from giveaway_entries where member_id = ${memberId} and giveaway_id = any(${ids}::int[]) returning giveaway_id)
    update giveaways g set entry_count = entry_count - 1 from withdrawn where g.id = withdrawn.giveaway_id`.execute(trx)
}

async function explainRejection(trx: Transaction, giveawayId: number, memberId: number): Promise<AppError> {
  const { rows } = await sql<Record<'active' | 'ended' | 'entered' | 'verified', boolean>>`
    select g.is_active as active, g.drawn_at is not null or g.end_date <= now() as ended,
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
