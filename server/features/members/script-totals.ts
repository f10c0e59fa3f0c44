import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

export interface ScriptTotals {
  scripts_uploaded: number
  total_views: number
  average_rating: number
}

/** The sums over a member's scripts; private ones only when asked for. The average is the mean of all ratings. */
export async function findScriptTotals(
  db: Database,
  memberId: number,
  { withPrivate }: { withPrivate: boolean },
): Promise<ScriptTotals> {
  const { rows } = await sql<ScriptTotals>`select count(*) as scripts_uploaded,
      coalesce(sum(st.view_count), 0) as total_views,
      coalesce(sum(st.one_star + 2 * st.two_star + 3 * st.three_star + 4 * st.four_star + 5 * st.five_star)::float8
        / nullif(sum(st.rating_count), 0), 0) as average_rating
    from scripts s join script_stats st on st.script_id = s.id
    where s.author_id = ${memberId} and (s.is_public or ${withPrivate}::boolean)`.execute(db)
  return rows[0] ?? { scripts_uploaded: 0, total_views: 0, average_rating: 0 }
}

/** The scripts whose cards show a member. */
export async function findScriptIds(db: Database, memberId: number): Promise<number[]> {
  const rows = await db.selectFrom('scripts').select('id').where('author_id', '=', memberId).execute()
  return rows.map(({ id }) => id)
}
