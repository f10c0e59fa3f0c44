import { MAX_BULK } from '#contract/limits.ts'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { deleteFailedJobs, listFailedJobs, listQueues } from '#server/platform/jobs/overview.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'

export interface JobsOptions {
  db: Database
  jobs: JobQueue
}

export async function getJobs({ db }: JobsOptions): Promise<ResultOf<'GET /api/jobs'>> {
  return { queues: await listQueues(db), failed: await listFailedJobs(db, MAX_BULK) }
}

/** Runs failed jobs again or deletes them. Jobs that are gone are skipped; throws AppError `job_not_found` if all are. */
export async function changeJobs(
  { db, jobs }: JobsOptions,
  adminId: number,
  { action, ids }: BodyOf<'POST /api/jobs'>,
): Promise<ResultOf<'POST /api/jobs'>> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const failedJobs = await listFailedJobs(trx, MAX_BULK, ids)
    const count = action === 'delete' ? await deleteFailedJobs(trx, ids) : await jobs.runAgain(trx, ids)
    if (count === 0) throw new AppError('job_not_found', 404, 'The job is no longer in the list. Refresh the page.')
    for (const { id, queue, attempts, reason } of failedJobs) {
      await writeAudit(trx, {
        actorId: adminId,
        action: action === 'delete' ? 'delete_job' : 'run_job_again',
        subjectType: 'job',
        // Jobs have no numbers. Their queue and their id are in the entry.
        subjectId: 0,
        before: { queue, job: id, attempts, reason },
      })
    }
    return { message: describe(action, count), count }
  })
}

function describe(action: 'run_again' | 'delete', count: number): string {
  const subject = count === 1 ? 'Job' : `${count} jobs`
  return action === 'delete' ? `${subject} deleted` : `${subject} added to the queue again`
}
