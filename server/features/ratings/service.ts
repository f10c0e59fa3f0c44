// A member rates a script once, with or without a review. The summary is kept with the ratings and equals a recount.
import type { RatingSummary, Review } from '#contract/ratings.ts'
import type { Database } from '#server/db/database.ts'
import type { Viewer } from '#server/features/scripts/service.ts'
import { notFound } from '#server/http/errors.ts'
import { findReviewRows, findSummary } from './queries.ts'
import { toReview } from './review.ts'

const MAX_COMMENTS = 50
const MAX_RATINGS = 500

export interface RatingsOptions {
  db: Database
  discordCdnUrl: string
}

/** The newest written reviews of a script, at most 50. */
export async function listComments({ db, discordCdnUrl }: RatingsOptions, scriptId: number): Promise<Review[]> {
  const rows = await findReviewRows(db, scriptId, { isWritten: true, limit: MAX_COMMENTS })
  return rows.map((row) => toReview(row, discordCdnUrl))
}

/** The ratings of a script that the viewer may see, newest first, at most 500, and the summary of all. Throws AppError `not_found`. */
export async function getRatings(
  { db, discordCdnUrl }: RatingsOptions,
  scriptId: number,
  viewer: Viewer,
): Promise<{ ratings: Review[]; summary: RatingSummary }> {
  const summary = await findSummary(db, scriptId, viewer)
  if (!summary) throw notFound('This script')
  const rows = await findReviewRows(db, scriptId, { isWritten: false, limit: MAX_RATINGS })
  return { ratings: rows.map((row) => toReview(row, discordCdnUrl)), summary }
}
