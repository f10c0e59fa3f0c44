import { type RawBuilder, sql } from 'kysely'
import type { FailedJob, JobQueueStatus } from '#contract/jobs.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { DEAD_LETTERS } from './queue.ts'

interface QueueRow extends Omit<JobQueueStatus, 'due_since'> {
  due_since: Date | null
}

export async function listQueues(db: Database): Promise<JobQueueStatus[]> {
  const { rows } =
    await sql<QueueRow>`select q.name, coalesce(j.waiting, 0) as waiting, coalesce(j.running, 0) as running,
      coalesce(d.failed, 0) as failed, j.due_since
    from jobs.queue q
    left join (
      select name, count(*) filter (where state < 'active') as waiting, count(*) filter (where state = 'active') as running,
        min(start_after) filter (where state < 'active' and start_after <= now()) as due_since
      from jobs.job where state in ('created', 'retry', 'active') group by name
    ) j on j.name = q.name
    left join (select source_name, count(*) as failed from jobs.job where name = ${DEAD_LETTERS} group by source_name) d
      on d.source_name = q.name
    where q.name <> ${DEAD_LETTERS} order by q.name`.execute(db)
  return rows.map(({ due_since, ...queue }) => ({ ...queue, due_since: due_since?.toISOString() ?? null }))
}

interface FailedRow extends Omit<FailedJob, 'added_at' | 'failed_at'> {
  added_at: Date | null
  failed_at: Date
}

/** Dead letters, newest first; only those with these ids, if there are any. */
export async function listFailedJobs(db: Database, limit: number, ids: readonly string[] = []): Promise<FailedJob[]> {
  // A thrown error is stored as its fields, a timeout as a value.
  const { rows } = await sql<FailedRow>`select id, coalesce(source_name, name) as queue, source_created_on as added_at,
      created_on as failed_at, coalesce(source_retry_count, 0) + 1 as attempts,
      coalesce(source_output ->> 'message', source_output -> 'value' ->> 'message') as reason
    from jobs.job where name = ${DEAD_LETTERS} ${ids.length > 0 ? sql`and id = any(${ids}::uuid[])` : sql``}
    order by created_on desc, id limit ${limit}`.execute(db)
  return rows.map(({ added_at, failed_at, ...job }) => ({
    ...job,
    added_at: added_at?.toISOString() ?? null,
    failed_at: failed_at.toISOString(),
  }))
}

/** SQL: dead letters, counted up to a number. */
export const countFailedJobs = (max: number): RawBuilder<number> =>
  sql<number>`(select count(*) from (select from jobs.job where name = ${DEAD_LETTERS} limit ${max}) failed)`

/** Returns the number of deleted jobs. */
export async function deleteFailedJobs(trx: Transaction, ids: readonly string[]): Promise<number> {
  const { rows } =
    await sql`delete from jobs.job where name = ${DEAD_LETTERS} and id = any(${ids}::uuid[]) returning id`.execute(trx)
  return rows.length
}
