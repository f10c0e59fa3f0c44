import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createServer } from '#server/platform/http/server.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type Handler, type JobQueueOptions, JobQueue, type WorkOptions } from './queue.ts'

const NAME = 'analyze-code'
const SOON = { timeout: 15_000, interval: 20 }
const FAST = { pollSeconds: 0.5, superviseSeconds: 1 }
const OPTIONS: WorkOptions = { concurrency: 1, attempts: 2, timeoutSeconds: 30 }

let database: TestDatabase
let db: Database
const lines: object[] = []
const logTo = { write: (line: string) => void lines.push(JSON.parse(line) as object) }
const { log } = createServer({ log: 'info', logTo, trustProxy: [], isHttps: false })
const queues: JobQueue[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.pool)
})
afterAll(() => database.drop())
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(queues.splice(0).map((queue) => queue.close()))
  await sql`delete from jobs.job`.execute(db)
  lines.length = 0
})

type Run = Handler<typeof NAME>

/** A queue whose process runs jobs if there is a handler. */
async function openQueue(run?: Run, options: Partial<WorkOptions> = {}, more: Partial<JobQueueOptions> = {}) {
  const { pool } = database
  const queue = new JobQueue({ pool, directPool: pool, log, runsJobs: Boolean(run), intervals: FAST, ...more })
  queue.work(NAME, { ...OPTIONS, ...options }, run ?? (async () => {}))
  await queue.start()
  queues.push(queue)
  return queue
}

function recordRuns() {
  const runs: string[] = []
  const run: Run = async ({ sha256 }) => void runs.push(sha256)
  return { runs, run }
}

const readJobs = async () => {
  const { rows } = await sql<{ name: string; state: string; sha256: string }>`
    select name, state::text, data ->> 'sha256' as sha256 from jobs.job order by created_on, name`.execute(db)
  return rows
}

/** Makes jobs that wait for their next attempt due now. */
const skipDelays = () => sql`update jobs.job set start_after = now() where state in ('created', 'retry')`.execute(db)

test('a job runs if its transaction commits', async () => {
  const { runs, run } = recordRuns()
  const queue = await openQueue(run)
  await db.transaction().execute((trx) => queue.enqueue(trx, NAME, { sha256: 'committed' }))
  await expect.poll(() => runs, SOON).toEqual(['committed'])
})

test('a job of a transaction that rolls back never runs', async () => {
  const { runs, run } = recordRuns()
  const queue = await openQueue(run)
  const rollBack = db.transaction().execute(async (trx) => {
    await queue.enqueue(trx, NAME, { sha256: 'rolled back' })
    throw new Error('roll back')
  })
  await expect(rollBack).rejects.toThrow('roll back')
  await db.transaction().execute((trx) => queue.enqueue(trx, NAME, { sha256: 'next' }))
  await expect.poll(() => runs, SOON).toEqual(['next'])
  expect((await readJobs()).map(({ sha256 }) => sha256)).toEqual(['next'])
})

test('a process that runs no jobs adds jobs for one that does', async () => {
  const { runs, run } = recordRuns()
  const serving = await openQueue()
  await serving.enqueue(db, NAME, { sha256: 'before' })
  await openQueue(run)
  await serving.enqueue(db, NAME, { sha256: 'after' })
  await expect.poll(() => runs, SOON).toEqual(['before', 'after'])
})

test('jobs with the same key are merged while one waits, and the latest data wins', async () => {
  const { runs, run } = recordRuns()
  const serving = await openQueue()
  for (const sha256 of ['1', '2', '3']) await serving.enqueue(db, NAME, { sha256 }, { key: 'one' })
  await serving.enqueue(db, NAME, { sha256: 'other' }, { key: 'two' })
  await openQueue(run)
  await expect.poll(() => runs.toSorted(), SOON).toEqual(['3', 'other'])
})

test('a job whose key is enqueued again by an open transaction starts after its commit', async () => {
  const { runs, run } = recordRuns()
  const queue = await openQueue()
  await queue.enqueue(db, NAME, { sha256: 'first' }, { key: 'same' })
  await db.transaction().execute(async (trx) => {
    await queue.enqueue(trx, NAME, { sha256: 'second' }, { key: 'same' })
    const working = await openQueue(run)
    await working.enqueue(db, NAME, { sha256: 'unrelated' })
    await expect.poll(() => runs, SOON).toEqual(['unrelated'])
  })
  await expect.poll(() => runs, SOON).toEqual(['unrelated', 'second'])
})

test('a key is free again once its job runs', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const runs: string[] = []
  const queue = await openQueue(async ({ sha256 }) => {
    runs.push(sha256)
    started.resolve()
    await finish.promise
  })
  await queue.enqueue(db, NAME, { sha256: 'first' }, { key: 'same' })
  await started.promise
  await queue.enqueue(db, NAME, { sha256: 'second' }, { key: 'same' })
  finish.resolve()
  await expect.poll(() => runs, SOON).toEqual(['first', 'second'])
})

test('jobs of higher priority run first, and delayed jobs do not run yet', async () => {
  const { runs, run } = recordRuns()
  const serving = await openQueue()
  await serving.enqueue(db, NAME, { sha256: 'later' }, { delaySeconds: 3600 })
  await serving.enqueue(db, NAME, { sha256: 'normal' })
  await serving.enqueue(db, NAME, { sha256: 'urgent' }, { priority: 10 })
  await openQueue(run)
  await expect.poll(() => runs, SOON).toEqual(['urgent', 'normal'])
  expect(await readJobs()).toContainEqual({ name: NAME, state: 'created', sha256: 'later' })
})

test('a job that fails runs again later, and becomes a dead letter after its last attempt', async () => {
  const runs: string[] = []
  const queue = await openQueue(async ({ sha256 }) => {
    runs.push(sha256)
    throw new Error(`fails with \0 and \u{d800} in run ${runs.length}`)
  })
  await queue.enqueue(db, NAME, { sha256: 'x' })
  await expect.poll(readJobs, SOON).toEqual([{ name: NAME, state: 'retry', sha256: 'x' }])
  expect(runs).toHaveLength(1)
  await skipDelays()
  await expect.poll(readJobs, SOON).toContainEqual({ name: 'dead-letters', state: 'created', sha256: 'x' })
  expect(runs).toHaveLength(2)
  expect(lines).toMatchObject([
    { msg: 'job failed', queue: NAME, attempt: 1, reason: 'fails with  and \u{fffd} in run 1' },
    { msg: 'job dead-lettered', queue: NAME, attempt: 2 },
  ])
})

test('a run that takes too long is aborted and runs again', async () => {
  const aborted: unknown[] = []
  const queue = await openQueue(
    (_data, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason)
          reject(new Error('aborted'))
        })
      }),
    { timeoutSeconds: 1 },
  )
  await queue.enqueue(db, NAME, { sha256: 'slow' })
  await expect.poll(() => aborted, SOON).toHaveLength(1)
  await expect.poll(readJobs, SOON).toEqual([{ name: NAME, state: 'retry', sha256: 'slow' }])
})

test('closing waits for running jobs', async () => {
  const finish = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const queue = await openQueue(async () => {
    started.resolve()
    await finish.promise
  })
  await queue.enqueue(db, NAME, { sha256: 'x' })
  await started.promise
  const closing = queue.close()
  await queue.enqueue(db, NAME, { sha256: 'after' })
  finish.resolve()
  await closing
  expect(await readJobs()).toEqual([
    { name: NAME, state: 'completed', sha256: 'x' },
    { name: NAME, state: 'created', sha256: 'after' },
  ])
})

test('several processes share the jobs, and each job runs once', async () => {
  const runs: string[] = []
  const run: Run = async ({ sha256 }) => {
    runs.push(sha256)
    await new Promise((resolve) => setTimeout(resolve, Number(sha256) % 3))
  }
  const queue = await openQueue(run, { concurrency: 2 })
  await Promise.all([1, 2].map(() => openQueue(run, { concurrency: 2 })))
  const all = Array.from({ length: 120 }, (_, i) => String(i))
  await Promise.all(all.map((sha256) => queue.enqueue(db, NAME, { sha256 })))
  await expect.poll(() => runs.length, SOON).toBe(all.length)
  expect(runs.toSorted((a, b) => Number(a) - Number(b))).toEqual(all)
})

test('the queue recovers when the database connections break or go silent', async () => {
  const { runs, run } = recordRuns()
  const proxy = await startDatabaseProxy(database.connection)
  const pool = openPool(proxy.connection)
  const serving = await openQueue()
  await openQueue(run, {}, { pool, directPool: pool })
  await proxy.cut()
  await serving.enqueue(db, NAME, { sha256: 'cut' })
  await proxy.restore()
  await expect.poll(() => runs, SOON).toEqual(['cut'])
  proxy.silence()
  await serving.enqueue(db, NAME, { sha256: 'silent' })
  await expect.poll(() => runs, SOON).toEqual(['cut', 'silent'])
  await queues.pop()?.close()
  await pool.end()
  await proxy.close()
})

test('the options of a queue follow the code', async () => {
  await openQueue(undefined, { attempts: 3, timeoutSeconds: 10 })
  await openQueue(undefined, { attempts: 7, timeoutSeconds: 20 })
  const { rows } =
    await sql`select retry_limit, expire_seconds, dead_letter from jobs.queue where name = ${NAME}`.execute(db)
  expect(rows).toEqual([{ retry_limit: 6, expire_seconds: 20, dead_letter: 'dead-letters' }])
})
