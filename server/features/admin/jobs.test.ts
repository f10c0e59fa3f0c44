import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ResultOf } from '#contract/operations.ts'
import { JobQueue } from '#server/platform/jobs/queue.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

type Jobs = ResultOf<'GET /api/jobs'>

const NAME = 'analyze-code'
const SOON = { timeout: 15_000, interval: 20 }

let portal: Portal
let queue: JobQueue

beforeAll(async () => {
  portal = await createPortal()
  const { pool, app } = portal
  const intervals = { pollSeconds: 0.5 }
  queue = new JobQueue({ pool, directPool: pool, log: app.log, runsJobs: true, intervals })
  queue.work(NAME, { concurrency: 1, attempts: 1, timeoutSeconds: 30 }, async ({ sha256 }) => {
    if (sha256.startsWith('bad')) throw new Error(`cannot read ${sha256}`)
  })
  await queue.start()
})
afterAll(async () => {
  await queue.close()
  await portal.close()
})
beforeEach(() => sql`delete from jobs.job`.execute(portal.db))

const read = async () => (await portal.get<Jobs>('/api/jobs')).body

async function fail(sha256: string) {
  await queue.enqueue(portal.db, NAME, { sha256 })
  const reason = `cannot read ${sha256}`
  await expect.poll(async () => (await read()).failed.map((job) => job.reason), SOON).toContain(reason)
  const job = (await read()).failed.find((one) => one.reason === reason)
  return job?.id ?? ''
}

const change = (payload: object) => portal.send('POST /api/jobs', payload, portal.admin)

const findAudit = () =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'before'])
    .where('subject_type', '=', 'job')
    .orderBy('id')
    .execute()

test('the portal shows queues with their jobs, and what failed', async () => {
  await fail('bad-1')
  await queue.enqueue(portal.db, NAME, { sha256: 'later' }, { delaySeconds: 3600 })
  const { queues, failed } = await read()
  expect(queues).toContainEqual({ name: NAME, waiting: 1, running: 0, failed: 1, due_since: null })
  expect(failed).toMatchObject([{ queue: NAME, attempts: 1, reason: 'cannot read bad-1' }])
})

test('a failed job runs again, with an audit entry', async () => {
  const id = await fail('bad-2')
  expect(await change({ action: 'run_again', ids: [id] })).toMatchObject({
    status: 200,
    body: { message: 'Job added to the queue again', count: 1 },
  })
  await expect.poll(async () => (await read()).failed, SOON).toMatchObject([{ reason: 'cannot read bad-2' }])
  expect((await read()).failed[0]?.id).not.toBe(id)
  expect(await findAudit()).toMatchObject([{ action: 'run_job_again', before: { queue: NAME, job: id, attempts: 1 } }])
})

test('failed jobs are deleted once', async () => {
  const ids = [await fail('bad-3'), await fail('bad-4')]
  const answers = await Promise.all([change({ action: 'delete', ids }), change({ action: 'delete', ids })])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(answers.find(({ status }) => status === 404)?.body.code).toBe('job_not_found')
  expect((await read()).failed).toEqual([])
  expect((await findAudit()).filter(({ action }) => action === 'delete_job')).toHaveLength(2)
})

test('a job that waits cannot be deleted here', async () => {
  await queue.enqueue(portal.db, NAME, { sha256: 'later' }, { delaySeconds: 3600 })
  const { rows } = await sql<{ id: string }>`select id from jobs.job`.execute(portal.db)
  expect((await change({ action: 'delete', ids: rows.map(({ id }) => id) })).status).toBe(404)
  expect((await read()).queues[0]?.waiting).toBe(1)
})
