import { sql } from 'kysely'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { findOwnRow, findRatedScript, findReviewRow, findSummary, type RatedScript, type ReviewRow } from './queries.ts'
import type { RatingsOptions } from './reading.ts'
import { toReview } from './review.ts'
import { readText } from './review-text.ts'
import { moveVote } from './summary.ts'
import { noteTrend } from './trend.ts'

/** Stars that make a script trend. */
const TRENDING_FROM = 4

interface Given {
  rating: number
  review?: string | null | undefined
}

/** Throws AppError `script_not_found` for what the member may not rate because they may not see it, `own_script`. */
function requireRateable(script: RatedScript | undefined, memberId: number): RatedScript {
  if (script?.author_id === memberId) throw new AppError('own_script', 403, 'You cannot rate your own script.')
  if (!script?.is_public || script.is_author_banned) {
    throw new AppError('script_not_found', 404, 'This script was not found.')
  }
  return script
}

async function requireSummary(trx: Database, scriptId: number): Promise<RatingSummary> {
  const summary = await findSummary(trx, scriptId)
  if (!summary) throw notFound('This script')
  return summary
}

export const ratingsLink = ({ title, id }: Pick<RatedScript, 'title' | 'id'>) =>
  `/scripts/${scriptSlug(title, id)}#ratings`

interface Present {
  id: number
  rating: number
  is_counted: boolean
  is_hidden: boolean
}

/** Writes a rating, or the present one anew. A rating that a ban had taken out counts again with it; a hidden one stays so. */
async function writeRating(
  trx: Database,
  key: { scriptId: number; memberId: number },
  next: { rating: number; review: string | null },
): Promise<number> {
  const { scriptId, memberId } = key
  const { rows } = await sql<Present>`select id, rating, is_counted, hidden_at is not null as is_hidden
    from ratings where script_id = ${scriptId} and member_id = ${memberId} for update`.execute(trx)
  const [present] = rows
  const counts = !present?.is_hidden
  await moveVote(trx, scriptId, {
    from: present?.is_counted ? present.rating : null,
    to: counts ? next.rating : null,
  })
  if (!present) {
    const row = { script_id: scriptId, member_id: memberId, ...next }
    return (await trx.insertInto('ratings').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  await sql`update ratings set rating = ${next.rating}, review = ${next.review}, is_counted = ${counts},
      edited_at = case when (rating, review) is distinct from (${next.rating}, ${next.review}::text) then now()
        else edited_at end
    where id = ${present.id}`.execute(trx)
  return present.id
}

/** Tells the author of what is new: a first rating, or first words. */
async function tellAuthor(
  trx: Database,
  script: RatedScript,
  before: ReviewRow | undefined,
  after: ReviewRow,
  memberId: number,
) {
  const isReview = after.review !== null && before?.review == null
  if (before && !isReview) return
  await notify(trx, {
    memberId: script.author_id,
    kind: 'reviews',
    type: 'info',
    title: isReview ? 'New review' : 'New rating',
    message: `${isReview ? 'reviewed' : 'rated'} your script “${script.title}”.`,
    link: ratingsLink(script),
    actorId: memberId,
    groupKey: `${isReview ? 'review' : 'rating'}:${script.id}`,
  })
}

/**
 * Creates or replaces a member's rating of a script and updates the script's summary in the same transaction. Throws
 * AppError `invalid`, `script_not_found`, `own_script`, and what `lockStanding` throws.
 */
export function rateScript(
  { db, discordCdnUrl }: RatingsOptions,
  key: { scriptId: number; memberId: number },
  { rating, review }: Given,
): Promise<{ rating: Review; summary: RatingSummary }> {
  const next = { rating, review: readText('review', review) }
  const { scriptId, memberId } = key
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { exclusive: true })
    const script = requireRateable(await findRatedScript(trx, scriptId, { isHeld: true }), memberId)
    const before = await findOwnRow(trx, scriptId, memberId)
    if (!before && rating >= TRENDING_FROM) await noteTrend(trx, key)
    const after = await findReviewRow(trx, await writeRating(trx, key, next))
    if (!after) throw notFound('This rating')
    await tellAuthor(trx, script, before, after, memberId)
    return { rating: toReview(after, discordCdnUrl), summary: await requireSummary(trx, scriptId) }
  })
}

/** Deletes a member's rating, even of a script that is hidden by now. Throws AppError `not_found` and `unauthorized`. */
export function removeRating(
  db: Database,
  { scriptId, memberId }: { scriptId: number; memberId: number },
): Promise<RatingSummary> {
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { allowMuted: true, exclusive: true })
    const { rows } = await sql<{ rating: number; is_counted: boolean }>`delete from ratings
      where script_id = ${scriptId} and member_id = ${memberId} returning rating, is_counted`.execute(trx)
    const [gone] = rows
    if (!gone) throw notFound('Your rating')
    await moveVote(trx, scriptId, { from: gone.is_counted ? gone.rating : null, to: null })
    return requireSummary(trx, scriptId)
  })
}
