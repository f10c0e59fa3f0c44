import type { Review } from '#contract/ratings.ts'
import { avatarUrl, displayNameOf } from '#server/features/members/avatar.ts'
import type { ReviewRow } from './queries.ts'

/** The one function that makes a review for the world from a row. */
export function toReview(row: ReviewRow, discordCdnUrl: string): Review {
  const { id, rating, review, reply, username, display_name, slug, profile_image, discord_id, avatar } = row
  const isKnown = username !== null && discord_id !== null
  return {
    id,
    rating,
    review,
    reviewer_name: isKnown ? displayNameOf({ username, display_name }) : 'Deleted member',
    reviewer_slug: slug ?? '',
    reviewer_avatar: isKnown ? avatarUrl({ profile_image, discord_id, avatar }, discordCdnUrl) : '',
    reviewer_discord_id: discord_id,
    reply,
    replied_at: row.replied_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  }
}
