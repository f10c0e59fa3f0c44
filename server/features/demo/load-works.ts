import { demoReviews } from '#demo/reviews.ts'
import type { Database } from '#server/db/database.ts'
import { recountWorks } from '#server/features/works/recount.ts'
import { daysAgo } from './load-members.ts'

/** Votes stay within the last ten days, so that most of them are in the counts of the week. */
const MAX_AGE_DAYS = 10
/** Stars from which a reviewer says that the script works. */
const MIN_WORKING_STARS = 3

/** Inserts votes by the members who reviewed a script: those who gave few stars say that it does not work. */
export async function loadWorks(
  trx: Database,
  members: Map<string, number>,
  scripts: Map<string, number>,
): Promise<void> {
  const rows = demoReviews.flatMap(({ script, member, rating, daysAgo: age }) => {
    const script_id = scripts.get(script)
    const member_id = members.get(member)
    if (script_id === undefined || member_id === undefined) return []
    const works = rating >= MIN_WORKING_STARS
    const voted_at = daysAgo(Math.min(age, (age * 7) % MAX_AGE_DAYS))
    return { script_id, member_id, version_number: 1, works, weight: 1, is_established: true, voted_at }
  })
  if (rows.length === 0) return
  await trx.insertInto('works_votes').values(rows).execute()
  await recountWorks(
    trx,
    rows.map(({ script_id }) => script_id),
  )
}
