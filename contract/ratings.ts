import Type, { type Static } from 'typebox'
import { MAX_REVIEW_LENGTH } from './limits.ts'
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
  reply: nullable,
  replied_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
  edited_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When stars or words were last changed; an answer may be older than that',
  }),
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

export const RatingSort = Type.Enum(['newest', 'highest', 'lowest'], { default: 'newest' })
export type RatingSort = Static<typeof RatingSort>

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const ratingOperations = {
  'GET /api/script-rating': {
    summary: "A script's ratings, at most 500, written reviews first, and the summary of all",
    query: Type.Object({ id, sort: RatingSort }),
    response: {
      200: Type.Object({
        ratings: Type.Array(Review),
        summary: RatingSummary,
        own_rating: Type.Union([Review, Type.Null()], { description: "The caller's, null for visitors" }),
      }),
    },
  },
  'POST /api/script-rating': {
    summary: 'Rate a script, or rate it anew',
    query: Type.Object({ id }),
    body: Type.Object(
      {
        rating: Type.Integer({ minimum: 1, maximum: 5 }),
        review: Type.Optional(Type.Union([Type.String({ maxLength: MAX_REVIEW_LENGTH }), Type.Null()])),
      },
      { additionalProperties: false },
    ),
    response: { 200: Type.Object({ rating: Review, summary: RatingSummary }) },
  },
  'DELETE /api/script-rating': {
    summary: "Take one's own rating back",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String(), summary: RatingSummary }) },
  },
  'PUT /api/rating-reply': {
    summary: "Answer a review of one's own script, once",
    body: Type.Object(
      { rating_id: id, reply: Type.String({ minLength: 1, maxLength: MAX_REVIEW_LENGTH }) },
      { additionalProperties: false },
    ),
    response: { 200: Type.Object({ rating: Review }) },
  },
} as const satisfies Record<string, Operation>
