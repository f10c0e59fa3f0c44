import Type, { type Static } from 'typebox'
import type { Operation } from './operation.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

/** One member's rating. Who deleted their account is 'Deleted member' with an empty slug. */
export const Review = Type.Object({
  id: Type.Integer(),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  review: nullable,
  reviewer_name: Type.String(),
  reviewer_slug: Type.String(),
  reviewer_avatar: Type.String(),
  reviewer_discord_id: nullable,
  created_at: Type.String({ format: 'date-time' }),
})
export type Review = Static<typeof Review>

export const RatingSummary = Type.Object({
  average_rating: Type.Number(),
  rating_count: Type.Integer(),
  one_star: Type.Integer(),
  two_star: Type.Integer(),
  three_star: Type.Integer(),
  four_star: Type.Integer(),
  five_star: Type.Integer(),
})
export type RatingSummary = Static<typeof RatingSummary>

export const ratingOperations = {
  'GET /api/script-rating': {
    summary: "A script's ratings, written reviews first, newest first, and their summary",
    query: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
    response: { 200: Type.Object({ ratings: Type.Array(Review), summary: RatingSummary }) },
  },
} as const satisfies Record<string, Operation>
