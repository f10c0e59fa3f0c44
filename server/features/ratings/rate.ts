import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import type { Caller } from '#server/features/authorization/guards.ts'
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

/** Stars that make a script trend. */
const TRENDING_FROM = 4

interface RatingInput {
  rating: number
  review?: string | null | undefined
}

/** Throws AppError `script_not_found` for what the member may not rate because they may not see it, `own_script`. */
function requireRateable(script: RatedScript | undefined, memberId: number): RatedScript {
  if (script?.author_id === memberId) throw new AppError('own_script', 403, 'You cannot rate your own script.')
  if (!script?.is_public) {
    throw new AppError('script_not_found', 404, 'This script was not found.')
  }
  return script
}

async function requireSummary(trx: Database, scriptId: number): Promise<RatingSummary> {
  const summary = await findSummary(trx, scriptId)
  if (!summary) throw notFound('This script')
  return summary
}

const ratingsLink = ({ title, id }: Pick<RatedScript, 'title' | 'id'>) => `/scripts/${scriptSlug(title, id)}#ratings`

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
async function notifyAuthor(
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
  { rating, review }: RatingInput,
): Promise<{ rating: Review; summary: RatingSummary }> {
  const next = { rating, review: parseReviewText('review', review) }
  const { scriptId, memberId } = key
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { exclusive: true })
    const script = requireRateable(await findRatedScript(trx, scriptId, undefined, { lock: true }), memberId)
    const before = await findOwnRow(trx, scriptId, memberId)
    if (!before && rating >= TRENDING_FROM) await recordTrend(trx, key)
    const after = await findReviewRow(trx, await writeRating(trx, key, next))
    if (!after) throw notFound('This rating')
    await notifyAuthor(trx, script, before, after, memberId)
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

interface AnsweredRow {
  script_id: number
  member_id: number | null
  is_written: boolean
}

/**
 * Answers a review of the caller's own script. What is said stays said: the condition lets one answer in, however many come at
 * once. Throws AppError `invalid`, `not_found`, `forbidden`, `no_review`, `already_answered`, and what `lockStanding` throws.
 */
export function replyToReview(
  { db, discordCdnUrl }: RatingsOptions,
  caller: Caller,
  ratingId: number,
  given: string,
): Promise<Review> {
  const reply = parseReviewText('reply', given)
  if (reply === null) {
    throw new AppError('invalid', 400, 'Write an answer first.', { fields: { reply: 'Write an answer first.' } })
  }
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, caller.id)
    const { rows } = await sql<AnsweredRow>`select script_id, member_id, is_written from ratings
      where id = ${ratingId} and is_counted`.execute(trx)
    const [rating] = rows
    const script = rating && (await findRatedScript(trx, rating.script_id, caller, { lock: true }))
    if (!rating || !script?.is_visible) throw notFound('This review')
    if (script.author_id !== caller.id) {
      throw new AppError('forbidden', 403, 'Only the author of the script can answer its reviews.')
    }
    if (!rating.is_written) throw new AppError('no_review', 409, 'There are only stars here, and nothing to answer.')
    const written = await sql`update ratings set reply = ${reply}, replied_at = now()
      where id = ${ratingId} and reply is null`.execute(trx)
    if (!written.numAffectedRows) throw new AppError('already_answered', 409, 'You have answered this review already.')
    if (rating.member_id !== null) {
      await notify(trx, {
        memberId: rating.member_id,
        kind: 'replies',
        type: 'info',
        title: 'Answer to your review',
        message: `answered your review of “${script.title}”.`,
        link: ratingsLink(script),
        actorId: caller.id,
      })
    }
    const row = await findReviewRow(trx, ratingId)
    if (!row) throw notFound('This review')
    return toReview(row, discordCdnUrl)
  })
}

const CONTROL = /[^\P{Cc}\t\n]/u
/** Spaces and marks that show nothing. */
const BLANK = /^[\s\p{Cf}]*$/u

/**
 * A text as it is kept: one kind of line end, no space around it; null where nothing is left. Throws AppError `invalid`
 * for control characters other than tab and newline.
 */
function parseReviewText(field: string, given: string | null | undefined): string | null {
  const text = (given ?? '').replaceAll('\r\n', '\n').trim()
  if (CONTROL.test(text)) {
    const sentence = 'Use letters, line breaks and tabs, but no other control characters.'
    throw new AppError('invalid', 400, sentence, { fields: { [field]: sentence } })
  }
  return BLANK.test(text) ? null : text
}

const HASH_BYTES = 16

/** Moves a script's trend for a member's new rating, once a day at most: it may be taken back and given again. */
async function recordTrend(
  trx: Database,
  { scriptId, memberId }: { scriptId: number; memberId: number },
): Promise<void> {
  const rater = createHash('sha256').update(`rating of ${memberId}`).digest().subarray(0, HASH_BYTES)
  await sql`with counted as (
      insert into script_visits as known (script_id, kind, visitor) values (${scriptId}, 'rating', ${rater})
      on conflict (script_id, kind, visitor) do update set counted_at = now()
        where known.counted_at < now() - interval '24 hours'
      returning script_id
    )
    update script_stats st set trend = add_trend(st.trend, 5) from counted where st.script_id = counted.script_id`.execute(
    trx,
  )
}
