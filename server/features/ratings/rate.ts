import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_REVIEW_LENGTH } from '#contract/limits.ts'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { hasBlocked } from '#server/features/members/blocking.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { countRating } from '#server/features/scripts/insights.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { parseOptionalText, parseText } from '#server/platform/http/text.ts'
import {
  findOwnRow,
  findRatedScript,
  findReviewRow,
  findSummary,
  type RatedScript,
  type RatingsOptions,
  type ReviewRow,
  toReview,
} from './queries.ts'
import { moveVote } from './summary.ts'

/** Minimum number of stars with which a member's first rating raises the script's trend. */
const MIN_TRENDING_STARS = 4
const RATER_HASH_BYTES = 16

interface RatingKey {
  scriptId: number
  memberId: number
}

/** Throws AppError `invalid`, `script_not_found` also if it is not visible, `own_script`, and what `lockMember` throws. */
export function rateScript(
  { db, emit }: RatingsOptions & { emit: Emit },
  key: RatingKey,
  { rating, review }: { rating: number; review?: string | null | undefined },
): Promise<{ rating: Review; summary: RatingSummary }> {
  const next = { rating, review: parseOptionalText(review, { field: 'review', maxLength: MAX_REVIEW_LENGTH }) }
  const { scriptId, memberId } = key
  return transactAsMember(db, { memberId, exclusive: true }, async (trx) => {
    const script = requireRateable(await findRatedScript(trx, scriptId, undefined, { lock: true }), memberId)
    const before = await findOwnRow(trx, scriptId, memberId)
    if (!before && rating >= MIN_TRENDING_STARS) await recordTrend(trx, key)
    const after = await findReviewRow(trx, await writeRating(trx, key, next))
    if (!after) throw notFound('This rating')
    if (!before) await countRating(trx, scriptId, rating)
    if (!before || isNewReview(before, after)) {
      await notifyAuthor(trx, script, before, after, memberId)
      const posted = { rating: after.rating, text: after.review }
      await emit(trx, { type: 'review.posted', scriptId, actorId: memberId, review: posted })
    }
    return { rating: toReview(after), summary: await requireSummary(trx, scriptId) }
  })
}

/** Works on hidden scripts, too. Throws AppError `not_found`, and what `lockMember` throws. */
export function removeRating(db: Database, { scriptId, memberId }: RatingKey): Promise<RatingSummary> {
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql<{ rating: number; is_counted: boolean }>`delete from ratings
      where script_id = ${scriptId} and member_id = ${memberId} returning rating, is_counted`.execute(trx)
    const [deleted] = rows
    if (!deleted) throw notFound('Your rating')
    await moveVote(trx, scriptId, { from: deleted.is_counted ? deleted.rating : null, to: null })
    return requireSummary(trx, scriptId)
  })
}

/**
 * Throws AppError `invalid`, `not_found`, `forbidden`, `no_review`, `already_answered`, `not_possible` if the reviewer has
 * blocked the caller, and what `lockMember` throws.
 */
export function replyToReview(
  { db }: RatingsOptions,
  caller: Caller,
  ratingId: number,
  input: string,
): Promise<Review> {
  const reply = parseText(input, { field: 'reply', maxLength: MAX_REVIEW_LENGTH })
  return transactAsMember(db, { memberId: caller.id }, async (trx) => {
    const { script, reviewerId } = await findReviewForReply(trx, caller, ratingId)
    // The message does not reveal the block.
    if (reviewerId !== null && (await hasBlocked(trx, reviewerId, caller.id))) {
      throw new AppError('not_possible', 403, "You can't reply to this review.")
    }
    // The condition on `reply` admits one of several concurrent replies.
    const written = await sql`update ratings set reply = ${reply}, replied_at = now()
      where id = ${ratingId} and reply is null`.execute(trx)
    if (!written.numAffectedRows) throw new AppError('already_answered', 409, "You've already replied to this review.")
    if (reviewerId !== null) {
      await notify(trx, {
        memberId: reviewerId,
        kind: 'replies',
        type: 'info',
        title: 'Reply to your review',
        message: `replied to your review of “${script.title}”.`,
        link: ratingsLink(script),
        actorId: caller.id,
      })
    }
    const row = await findReviewRow(trx, ratingId)
    if (!row) throw notFound('This review')
    return toReview(row)
  })
}

function requireRateable(script: RatedScript | undefined, memberId: number): RatedScript {
  if (script?.author_id === memberId) throw new AppError('own_script', 403, 'You cannot rate your own script.')
  if (!script?.is_public) throw scriptNotFound()
  return script
}

async function requireSummary(trx: Transaction, scriptId: number): Promise<RatingSummary> {
  const summary = await findSummary(trx, scriptId)
  if (!summary) throw notFound('This script')
  return summary
}

async function findReviewForReply(trx: Transaction, caller: Caller, ratingId: number) {
  const { rows } = await sql<{ script_id: number; member_id: number | null; is_written: boolean }>`
    select script_id, member_id, is_written from ratings where id = ${ratingId} and is_counted`.execute(trx)
  const [rating] = rows
  const script = rating && (await findRatedScript(trx, rating.script_id, caller, { lock: true }))
  if (!rating || !script?.is_visible) throw notFound('This review')
  if (script.author_id !== caller.id) {
    throw new AppError('forbidden', 403, "Only the script's author can reply to its reviews.")
  }
  if (!rating.is_written) throw new AppError('no_review', 409, 'This rating has no review to reply to.')
  return { script, reviewerId: rating.member_id }
}

const ratingsLink = ({ title, id }: Pick<RatedScript, 'title' | 'id'>) => `/scripts/${scriptSlug(title, id)}#ratings`

interface FormerRating {
  id: number
  rating: number
  is_counted: boolean
  is_hidden: boolean
}

/** Inserts or updates the rating and returns its id. A vote removed by an expired ban counts again; a hidden one doesn't. */
async function writeRating(
  trx: Transaction,
  { scriptId, memberId }: RatingKey,
  next: { rating: number; review: string | null },
): Promise<number> {
  const { rows } = await sql<FormerRating>`select id, rating, is_counted, hidden_at is not null as is_hidden
    from ratings where script_id = ${scriptId} and member_id = ${memberId} for update`.execute(trx)
  const [former] = rows
  const counts = !former?.is_hidden
  await moveVote(trx, scriptId, { from: former?.is_counted ? former.rating : null, to: counts ? next.rating : null })
  if (!former) {
    const row = { script_id: scriptId, member_id: memberId, ...next }
    return (await trx.insertInto('ratings').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  await sql`update ratings set rating = ${next.rating}, review = ${next.review}, is_counted = ${counts},
      edited_at = case when (rating, review) is distinct from (${next.rating}, ${next.review}::text) then now()
        else edited_at end
    where id = ${former.id}`.execute(trx)
  return former.id
}

const isNewReview = (before: ReviewRow | undefined, after: ReviewRow): boolean =>
  after.review !== null && before?.review == null

async function notifyAuthor(
  trx: Transaction,
  script: RatedScript,
  before: ReviewRow | undefined,
  after: ReviewRow,
  memberId: number,
): Promise<void> {
  const isReview = isNewReview(before, after)
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

/** Raises a script's trend for a member's rating, at most once in 24 hours: ratings can be removed and added again. */
async function recordTrend(trx: Transaction, { scriptId, memberId }: RatingKey): Promise<void> {
  const { rows } = await sql<{ id: number }>`select person_of(${memberId}) as id`.execute(trx)
  const rater = createHash('sha256').update(`rating of ${rows[0]?.id}`).digest().subarray(0, RATER_HASH_BYTES)
  await sql`with counted as (
      insert into script_visits as known (script_id, kind, visitor) values (${scriptId}, 'rating', ${rater})
      on conflict (script_id, kind, visitor) do update set counted_at = now()
        where known.counted_at < now() - interval '24 hours'
      returning script_id
    )
    update script_stats st set trend = add_trend(st.trend, 5)
    from counted where st.script_id = counted.script_id`.execute(trx)
}
