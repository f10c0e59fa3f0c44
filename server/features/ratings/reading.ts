import type { RatingSort, RatingSummary, Review } from '#contract/ratings.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import type { Caller } from '#server/http/guards.ts'
import { findOwnRow, findRatedScript, findReviewRows, findSummary } from './queries.ts'
import { toReview } from './review.ts'
import { isShownTo } from './visibility.ts'

const MAX_COMMENTS = 50
const MAX_RATINGS = 500

export interface RatingsOptions {
  db: Database
  discordCdnUrl: string
}

/** The newest written reviews of a script, at most 50. */
export async function listComments({ db, discordCdnUrl }: RatingsOptions, scriptId: number): Promise<Review[]> {
  const rows = await findReviewRows(db, scriptId, { sort: 'newest', isWritten: true, limit: MAX_COMMENTS })
  return rows.map((row) => toReview(row, discordCdnUrl))
}

/**
 * A script's ratings, those with words first, at most 500, the summary of all, and the caller's own. Throws AppError
 * `script_not_found`, also for what the caller may not know exists.
 */
export async function getRatings(
  { db, discordCdnUrl }: RatingsOptions,
  { id, sort }: { id: number; sort: RatingSort },
  caller: Caller | undefined,
): Promise<{ ratings: Review[]; summary: RatingSummary; own_rating: Review | null }> {
  const script = await findRatedScript(db, id, { isHeld: false })
  const summary = script && isShownTo(script, caller) ? await findSummary(db, id) : undefined
  if (!summary) throw new AppError('script_not_found', 404, 'This script was not found.')
  const rows = await findReviewRows(db, id, { sort, isWritten: false, limit: MAX_RATINGS })
  const own = caller && (await findOwnRow(db, id, caller.id))
  return {
    ratings: rows.map((row) => toReview(row, discordCdnUrl)),
    summary,
    own_rating: own ? toReview(own, discordCdnUrl) : null,
  }
}
