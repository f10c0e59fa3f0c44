import { demoScripts } from '#demo/catalogue.ts'
import { demoReviews } from '#demo/reviews.ts'
import { demoHistories } from '#demo/versions.ts'
import { demoWorksNotes } from '#demo/works.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { recountWorks } from '#server/features/works/recount.ts'
import { daysAgo, getId } from './load-members.ts'

/** Votes stay within the last ten days, so that most of them are in the counts of the week. */
const MAX_AGE_DAYS = 10
const MIN_WORKING_STARS = 3

const updatedDaysAgo = new Map(demoScripts.map((script) => [script.file, script.updatedDaysAgo]))

/** The members who reviewed a script vote: those who gave few stars say that it does not work. */
export async function loadWorks(
  trx: Transaction,
  members: Map<string, number>,
  scripts: Map<string, number>,
): Promise<void> {
  const votes = demoReviews.map(({ script, member, rating, daysAgo: age }) => {
    const votedDaysAgo = Math.min(age, updatedDaysAgo.get(script) ?? 0, (age * 7) % MAX_AGE_DAYS)
    return { script, member, works: rating >= MIN_WORKING_STARS, note: null, daysAgo: votedDaysAgo }
  })
  const rows = [...votes, ...demoWorksNotes].map(({ script, member, works, note, daysAgo: age }) => ({
    script_id: getId(scripts, script),
    version_number: 1 + (demoHistories[script]?.earlier.length ?? 0),
    member_id: getId(members, member),
    works,
    note,
    weight: 1,
    is_established: true,
    voted_at: daysAgo(age),
  }))
  await trx.insertInto('works_votes').values(rows).execute()
  await recountWorks(
    trx,
    rows.map(({ script_id }) => script_id),
  )
}
