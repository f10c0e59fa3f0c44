import { sql } from 'kysely'
import type { Review } from '#contract/ratings.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import type { Caller } from '#server/http/guards.ts'
import { findRatedScript, findReviewRow } from './queries.ts'
import { ratingsLink } from './rating.ts'
import type { RatingsOptions } from './reading.ts'
import { toReview } from './review.ts'
import { readText } from './review-text.ts'
import { isShownTo } from './visibility.ts'

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
  const reply = readText('reply', given)
  if (reply === null) {
    throw new AppError('invalid', 400, 'Write an answer first.', { fields: { reply: 'Write an answer first.' } })
  }
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, caller.id)
    const { rows } = await sql<AnsweredRow>`select script_id, member_id, is_written from ratings
      where id = ${ratingId} and is_counted`.execute(trx)
    const [rating] = rows
    const script = rating && (await findRatedScript(trx, rating.script_id, { isHeld: true }))
    if (!rating || !script || !isShownTo(script, caller)) throw notFound('This review')
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
