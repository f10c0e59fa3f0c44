import { sql } from 'kysely'
import { MAX_OPEN_WORK } from '#contract/limits.ts'
import type { OpenWork } from '#contract/reports.ts'
import { WAITING } from '#server/features/reports/queue.ts'
import type { Database } from '#server/platform/db/database.ts'
import { countFailedJobs } from '#server/platform/jobs/overview.ts'

/** Counts what waits for the staff. Each count reads at most MAX_OPEN_WORK entries of a partial index. */
export async function countOpenWork(db: Database, { isAdmin }: { isAdmin: boolean }): Promise<OpenWork> {
  const { rows } = await sql<OpenWork>`select
      (select count(*) from (select from report_cases where ${WAITING} limit ${MAX_OPEN_WORK}) waiting) as cases,
      (select count(*) from (select from script_versions where state = 'held' limit ${MAX_OPEN_WORK}) held)
        as held_versions,
      ${isAdmin ? countFailedJobs(MAX_OPEN_WORK) : sql`null::int`} as failed_jobs`.execute(db)
  return rows[0] ?? { cases: 0, held_versions: 0, failed_jobs: null }
}
