// A process that runs jobs: writes each started job to its output, and to the table `job_runs` when it is done.
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '#server/platform/db/pool.ts'
import { createServer } from '#server/platform/http/server.ts'
import { JobQueue } from '#server/platform/jobs/queue.ts'

interface JobWorkerMessage {
  connection: { host: string; user: string; database: string }
}

process.once('message', (message) => void runJobs(message as JobWorkerMessage))

async function runJobs({ connection }: JobWorkerMessage): Promise<void> {
  const pool = openPool(connection)
  const { log } = createServer({ log: 'warn', trustProxy: [], isHttps: false })
  const intervals = { pollSeconds: 0.5, superviseSeconds: 1 }
  const queue = new JobQueue({ pool, directPool: pool, log, runsJobs: true, intervals })
  queue.work('analyze-code', { concurrency: 2, attempts: 10, timeoutSeconds: 1 }, async ({ sha256 }) => {
    process.send?.(sha256)
    await sleep(30)
    await pool.query('insert into job_runs (sha256) values ($1)', [sha256])
  })
  await queue.start()
}
