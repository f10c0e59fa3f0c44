import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { createServer } from '#server/platform/http/server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { JobQueue } from './queue.ts'

const WORKER = path.resolve(import.meta.dirname, '../../../tests/support/job-worker.ts')
const JOBS = 60
const SOON = { timeout: 25_000, interval: 50 }

let database: TestDatabase
let db: Database
const children: ChildProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.pool)
  await sql`create table job_runs (sha256 text not null)`.execute(db)
})
afterAll(async () => {
  await Promise.all(children.map(kill))
  await database.drop()
})

function startWorker(): ChildProcess {
  const child = fork(WORKER)
  children.push(child)
  child.send({ connection: database.connection })
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const countDone = async () => {
  const { rows } = await sql<{ done: number }>`select count(distinct sha256)::int as done from job_runs`.execute(db)
  return rows[0]?.done
}

test('jobs survive the kill of processes that run them', async () => {
  const { pool } = database
  const { log } = createServer({ log: false, trustProxy: [], isHttps: false })
  const queue = new JobQueue({ pool, directPool: pool, log, runsJobs: false })
  queue.work('analyze-code', { concurrency: 2, attempts: 10, timeoutSeconds: 1 }, async () => {})
  await queue.start()
  for (let i = 0; i < JOBS; i++) await queue.enqueue(db, 'analyze-code', { sha256: String(i) })

  startWorker()
  const victim = startWorker()
  // A job has started and is not done.
  await once(victim, 'message')
  await kill(victim)
  const { rows } = await sql`select from jobs.job where state = 'active'`.execute(db)
  expect(rows).not.toEqual([])

  const makeDue = () => sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
  await expect.poll(async () => (await makeDue(), await countDone()), SOON).toBe(JOBS)
  await queue.close()
})
