import { sql } from 'kysely'
import type { RatingSummary } from '#contract/ratings.ts'
import type { Database } from '#server/db/database.ts'
import { type Viewer, visibleTo } from '#server/features/scripts/service.ts'

export interface ReviewRow {
  id: number
  rating: number
  review: string | null
  reply: string | null
  replied_at: Date | null
  created_at: Date
  username: string | null
  display_name: string | null
  slug: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
}

/** Ratings of a script, newest first; only those with text when `isWritten`. Those of the banned are left out. */
export async function findReviewRows(
  db: Database,
  scriptId: number,
  { isWritten, limit }: { isWritten: boolean; limit: number },
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`select r.id, r.rating, r.review, r.reply, r.replied_at, r.created_at,
      m.username, m.display_name, m.slug, m.profile_image, m.discord_id, m.avatar
    from ratings r left join members m on m.id = r.member_id
    where r.script_id = ${scriptId} and (m.banned_until is null or m.banned_until <= now())
      and (not ${isWritten}::boolean or r.review ~ '[^[:space:]]')
    order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findSummary(db: Database, scriptId: number, viewer: Viewer): Promise<RatingSummary | undefined> {
  const { rows } = await sql<RatingSummary>`select st.rating_average as average_rating, st.rating_count,
      st.one_star, st.two_star, st.three_star, st.four_star, st.five_star
    from script_stats st join scripts s on s.id = st.script_id join members m on m.id = s.author_id
    where st.script_id = ${scriptId} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}
