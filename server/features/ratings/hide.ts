import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { moveVote } from './summary.ts'

interface Held {
  script_id: number
  rating: number
  is_counted: boolean
  is_hidden: boolean
  is_author_banned: boolean
}

async function holdRating(trx: Database, id: number): Promise<Held | undefined> {
  const { rows } = await sql<Held>`select r.script_id, r.rating, r.is_counted, r.hidden_at is not null as is_hidden,
      exists (select 1 from members m where m.id = r.member_id and m.banned_until > now()) as is_author_banned
    from ratings r where r.id = ${id} for update`.execute(trx)
  return rows[0]
}

/** Takes a review and its stars out of sight. Gives its script, undefined where it is gone or hidden already. */
export async function hideReview(trx: Database, id: number): Promise<number | undefined> {
  const rating = await holdRating(trx, id)
  if (!rating || rating.is_hidden) return undefined
  await moveVote(trx, rating.script_id, { from: rating.is_counted ? rating.rating : null, to: null })
  await sql`update ratings set hidden_at = now(), is_counted = false where id = ${id}`.execute(trx)
  return rating.script_id
}

/** Shows a hidden review again; it counts unless its author is banned. Gives its script, undefined where it is not hidden. */
export async function unhideReview(trx: Database, id: number): Promise<number | undefined> {
  const rating = await holdRating(trx, id)
  if (!rating?.is_hidden) return undefined
  const counts = !rating.is_author_banned
  await moveVote(trx, rating.script_id, { from: null, to: counts ? rating.rating : null })
  await sql`update ratings set hidden_at = null, is_counted = ${counts} where id = ${id}`.execute(trx)
  return rating.script_id
}
