import { sql } from 'kysely'
import { demoReviews } from '#demo/reviews.ts'
import type { Database } from '#server/platform/db/database.ts'
import { daysAgo } from './load-members.ts'

export async function loadReviews(
  db: Database,
  members: Map<string, number>,
  scripts: Map<string, number>,
): Promise<void> {
  const rows = demoReviews.flatMap((review) => {
    const script_id = scripts.get(review.script)
    const member_id = members.get(review.member)
    if (script_id === undefined || member_id === undefined) return []
    return {
      script_id,
      member_id,
      rating: review.rating,
      review: review.review,
      created_at: daysAgo(review.daysAgo),
      reply: review.reply ?? null,
      replied_at: review.reply ? daysAgo(Math.max(0, review.daysAgo - 1)) : null,
    }
  })
  if (rows.length === 0) return
  await db.insertInto('ratings').values(rows).execute()
  await sql`update script_stats st set one_star = r.one, two_star = r.two, three_star = r.three,
      four_star = r.four, five_star = r.five
    from (select script_id, count(*) filter (where rating = 1) as one, count(*) filter (where rating = 2) as two,
      count(*) filter (where rating = 3) as three, count(*) filter (where rating = 4) as four,
      count(*) filter (where rating = 5) as five from ratings group by script_id) r
    where st.script_id = r.script_id`.execute(db)
}
