import Type, { type Static } from 'typebox'
import { MAX_PAGE_SIZE, MAX_REVIEW_LENGTH, PAGE_SIZE } from './limits.ts'
import { cursor, id, nextCursor, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

/** A rating with its review. The reviewer is 'Deleted member' with an empty slug if the account was deleted. */
export const Review = Type.Object({
  id: Type.Integer(),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  review: nullableText,
  reviewer_name: Type.String(),
  reviewer_slug: Type.String(),
  reviewer_avatar: Type.String(),
  reviewer_discord_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Null if the profile is private or the account was deleted',
  }),
  reply: nullableText,
  replied_at: nullableTime,
  helpful_count: Type.Integer({ description: 'Number of members who found the review helpful' }),
  created_at: time,
  edited_at: Type.Union([time, Type.Null()], {
    description: 'Time of the last change to the rating or review; a reply may be older',
  }),
})
export type Review = Static<typeof Review>

export const OwnRating = Type.Object({
  id: Type.Integer(),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  review: nullableText,
  created_at: time,
  script: Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() }),
})
export type OwnRating = Static<typeof OwnRating>

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

export const ratingOperations = {
  'GET /api/script-rating': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    tolerant: true,
    scope: 'ratings:read',
    stable: { route: 'GET /api/v1/scripts/{slug}/reviews', path: { slug: 'id' } },
    summary: "A script's ratings, at most 500, written reviews first, and a summary of all ratings",
    query: Type.Object({ id, sort: RatingSort }),
    response: {
      200: Type.Object({
        ratings: Type.Array(Review),
        summary: RatingSummary,
        own_rating: Type.Union([Review, Type.Null()], { description: "The caller's rating; null for visitors" }),
      }),
    },
  },
  'GET /api/own-ratings': {
    access: 'member',
    summary: "The caller's ratings, newest first",
    scope: 'ratings:read',
    stable: { route: 'GET /api/v1/ratings' },
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }),
      cursor,
    }),
    response: {
      200: Type.Object({
        ratings: Type.Array(OwnRating),
        pagination: Type.Object({ next_cursor: nextCursor }),
      }),
    },
  },
  'POST /api/script-rating': {
    access: 'notMuted',
    tolerant: true,
    scope: 'ratings:write',
    stable: { route: 'PUT /api/v1/scripts/{slug}/rating', path: { slug: 'id' } },
    summary: 'Rate a script, or change the rating',
    query: Type.Object({ id }),
    body: Type.Object(
      {
        rating: Type.Integer({ minimum: 1, maximum: 5 }),
        review: Type.Optional(Type.Union([Type.String({ maxLength: MAX_REVIEW_LENGTH }), Type.Null()])),
      },
      strict,
    ),
    response: { 200: Type.Object({ rating: Review, summary: RatingSummary }) },
  },
  'DELETE /api/script-rating': {
    access: 'member',
    scope: 'ratings:write',
    stable: { route: 'DELETE /api/v1/scripts/{slug}/rating', path: { slug: 'id' } },
    summary: "Remove the caller's rating",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String(), summary: RatingSummary }) },
  },
  'PUT /api/rating-reply': {
    access: 'notMuted',
    scope: 'ratings:write',
    summary: "Reply to a review of the caller's script, once",
    body: Type.Object({ rating_id: id, reply: Type.String({ minLength: 1, maxLength: MAX_REVIEW_LENGTH }) }, strict),
    response: { 200: Type.Object({ rating: Review }) },
  },
} as const satisfies Record<string, Operation>
