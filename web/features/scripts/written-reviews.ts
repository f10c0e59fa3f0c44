import type { Review } from '#contract/ratings.ts'

export const REVIEWS_SHOWN = 5

export interface WrittenReview extends Omit<Review, 'review'> {
  review: string
}

/** The ratings that say something, in the order given. */
export function withText(ratings: readonly Review[]): WrittenReview[] {
  return ratings.flatMap((rating) => {
    const review = rating.review?.trim()
    return review ? [{ ...rating, review }] : []
  })
}
