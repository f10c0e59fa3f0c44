import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import type { OwnRating, RatingSort, RatingSummary, Review } from '#contract/ratings.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { scriptNotFound, type Viewer, visibleTo } from '#server/features/scripts/visibility.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { cursorId, cursorOf } from '#server/platform/http/cursor.ts'

const MAX_NEWEST_REVIEWS = 50
const MAX_RATINGS = 500

export interface RatingsOptions {
  db: Database
}

export async function listNewestReviews({ db }: RatingsOptions, scriptId: number): Promise<Review[]> {
  const rows = await findReviewRows(db, scriptId, { sort: 'newest', isWritten: true, limit: MAX_NEWEST_REVIEWS })
  return rows.map((row) => toReview(row))
}

/** Returns at most 500 ratings, written reviews first. Throws AppError `script_not_found`, also if it is not visible. */
export async function getRatings(
  { db }: RatingsOptions,
  { id, sort }: { id: number; sort: RatingSort },
  caller: Caller | undefined,
): Promise<{ ratings: Review[]; summary: RatingSummary; own_rating: Review | null }> {
  const script = await findRatedScript(db, id, caller)
  const summary = script?.is_visible ? await findSummary(db, id) : undefined
  if (!summary) throw scriptNotFound()
  const rows = await findReviewRows(db, id, { sort, isWritten: false, limit: MAX_RATINGS })
  const own = caller && (await findOwnRow(db, id, caller.id))
  return {
    ratings: rows.map((row) => toReview(row)),
    summary,
    own_rating: own ? toReview(own) : null,
  }
}

const ownCursor = cursorOf(Type.Object({ before: cursorId }))

/** The ratings of a member about scripts that they may see, newest first. Throws AppError `invalid`. */
export async function listOwnRatings(
  db: Database,
  memberId: number,
  { limit, cursor }: QueryOf<'GET /api/own-ratings'>,
): Promise<ResultOf<'GET /api/own-ratings'>> {
  const before = cursor ? ownCursor.decode(cursor).before : null
  const { rows } = await sql<
    Omit<OwnRating, 'created_at' | 'script'> & OwnRatingScript
  >`select r.id, r.rating, r.review,
      r.created_at, s.id as script_id, s.title
    from ratings r join scripts s on s.id = r.script_id join members m on m.id = s.author_id
    where r.member_id = ${memberId} and (${before}::int is null or r.id < ${before})
      and ${visibleTo({ id: memberId, isAdmin: false })}
    order by r.id desc limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ratings: page.map(({ script_id: id, title, created_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      script: { id, title, slug: scriptSlug(title, id) },
    })),
    pagination: { next_cursor: last ? ownCursor.encode({ before: last.id }) : null },
  }
}

interface OwnRatingScript {
  script_id: number
  title: string
  created_at: Date
}

export interface ReviewRow {
  id: number
  rating: number
  review: string | null
  reply: string | null
  replied_at: Date | null
  created_at: Date
  edited_at: Date | null
  helpful_count: number
  username: string | null
  display_name: string | null
  slug: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
}

const REVIEW = sql`select r.id, r.rating, r.review, r.reply, r.replied_at, r.created_at, r.edited_at, r.helpful_count,
  m.username, m.display_name, m.slug, ${publicAvatarColumns}
  from ratings r left join members m on m.id = r.member_id`

/** Written reviews come first in each order. Each order has its own database index. */
const ORDERS: Record<RatingSort, RawBuilder<unknown>> = {
  newest: sql`r.is_written desc, r.created_at desc, r.id desc`,
  highest: sql`r.is_written desc, r.rating desc, r.created_at desc, r.id desc`,
  lowest: sql`r.is_written desc, r.rating, r.created_at desc, r.id desc`,
}

interface ReviewQuery {
  sort: RatingSort
  isWritten: boolean
  limit: number
}

async function findReviewRows(
  db: Database,
  scriptId: number,
  { sort, isWritten, limit }: ReviewQuery,
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`${REVIEW} where r.script_id = ${scriptId} and r.is_counted
    ${isWritten ? sql`and r.is_written` : sql``} order by ${ORDERS[sort]} limit ${limit}`.execute(db)
  return rows
}

export async function findReviewRow(db: Database, id: number): Promise<ReviewRow | undefined> {
  const { rows } = await sql<ReviewRow>`${REVIEW} where r.id = ${id}`.execute(db)
  return rows[0]
}

export async function findOwnRow(db: Database, scriptId: number, memberId: number): Promise<ReviewRow | undefined> {
  const { rows } = await sql<ReviewRow>`${REVIEW} where r.script_id = ${scriptId}
    and r.member_id = ${memberId}`.execute(db)
  return rows[0]
}

export interface RatedScript {
  id: number
  title: string
  author_id: number
  is_public: boolean
  is_visible: boolean
}

/** Finds a script, its author and whether it is visible. With `lock` it cannot be deleted during the transaction. */
export async function findRatedScript(
  db: Database,
  scriptId: number,
  viewer: Viewer,
  { lock = false } = {},
): Promise<RatedScript | undefined> {
  const { rows } = await sql<RatedScript>`select s.id, s.title, s.author_id,
      ${isReachable('s', 'm')} as is_public, ${visibleTo(viewer)} as is_visible
    from scripts s join members m on m.id = s.author_id where s.id = ${scriptId}
    ${lock ? sql`for key share of s` : sql``}`.execute(db)
  return rows[0]
}

export async function findSummary(db: Database, scriptId: number): Promise<RatingSummary | undefined> {
  const { rows } = await sql<RatingSummary>`select rating_average as average_rating, rating_count,
      one_star, two_star, three_star, four_star, five_star
    from script_stats where script_id = ${scriptId}`.execute(db)
  return rows[0]
}

export function toReview(row: ReviewRow): Review {
  const { id, rating, review, reply, username, display_name, slug, profile_image, discord_id, avatar } = row
  const isKnown = username !== null
  return {
    id,
    rating,
    review,
    reviewer_name: isKnown ? displayNameOf({ username, display_name }) : 'Deleted member',
    reviewer_slug: slug ?? '',
    reviewer_avatar: isKnown ? avatarUrl({ profile_image, discord_id, avatar }) : '',
    reviewer_discord_id: discord_id,
    reply,
    replied_at: row.replied_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    helpful_count: row.helpful_count,
  }
}
