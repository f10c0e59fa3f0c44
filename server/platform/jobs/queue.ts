import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { type Db, fromKysely, type JobWithMetadata, PgBoss, type Queue, type WorkWithMetadataHandler } from 'pg-boss'
import { type RunJob, runJob } from '#server/platform/db/current-work.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { JOBS_SCHEMA } from '#server/platform/db/job-tables.ts'
import { DatabaseListener } from '#server/platform/db/listener.ts'

/** Payload of each queue. A feature that has jobs adds a line. */
export interface Jobs {
  'analyze-code': { sha256: string }
  /** Code that was published before the analyzer changed. */
  'reanalyze-code': { sha256: string }
  'count-behavior': Record<string, never>
  'deliver-webhooks': Record<string, never>
  /** `id` is that of the withdrawal. */
  'notify-withdrawal': { id: number }
  /** A host that was marked as a collector of data. */
  'report-collector': { host: string }
  'send-email': { id: string }
  'write-digest': { memberId: number }
  'sync-script': { scriptId: number }
}

export interface EnqueueOptions {
  /** While a job with this key waits, another one replaces its data and adds none. Letters, digits and `_-./`. */
  key?: string
  delaySeconds?: number
  /** Higher priorities run first; 0 by default. */
  priority?: number
  /**
   * The member that the job is for. Members take turns: a job runs after the first job of every other member, after the second
   * one if the member has one waiting, and so on. One member never occupies all workers of a queue that has several.
   */
  memberId?: number
}

export interface WorkOptions {
  concurrency: number
  /** Runs of a job before it becomes a dead letter. */
  attempts: number
  /** A longer run counts as failed, and its signal is aborted. After this time, the job of a dead process runs again. */
  timeoutSeconds: number
  /** Jobs that one run completes, for jobs without data of their own. The handler gets the data of one of them. */
  batchSize?: number
}

export type Handler<N extends keyof Jobs> = (data: Jobs[N], signal: AbortSignal) => Promise<void>

export interface JobQueueOptions {
  pool: pg.Pool
  /** Options for connections to the server itself: a pooler cannot receive notifications. */
  directPool: pg.Pool
  log: FastifyBaseLogger
  /** Whether this process runs jobs; any process can add them. */
  runsJobs: boolean
  runJob?: RunJob
  intervals?: Partial<Intervals>
}

interface Intervals {
  /** Notifications wake the workers at once. Polling finds delayed jobs and jobs whose notification was lost. */
  pollSeconds: number
  superviseSeconds: number
}

export interface JobCount {
  queue: string
  state: 'waiting' | 'running'
  count: number
}

/** Queue of the jobs that failed at every attempt, each with the name of its own queue. */
export const DEAD_LETTERS = 'dead-letters'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
const DEAD_LETTER_DAYS = 90
const INTERVALS: Intervals = { pollSeconds: 5, superviseSeconds: 30 }
const FIRST_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 60 * MINUTE_SECONDS
/** The job of a process that died runs again once this time has passed without a sign of it. */
const HEARTBEAT_SECONDS = 30
/** Completed jobs are stored for inspection only. */
const COMPLETED_JOB_SECONDS = 10 * MINUTE_SECONDS
/** Jobs still running after this time go back to the queue. Less than a worker process gets to stop. */
const STOP_TIMEOUT_MS = 10_000
const MAX_REASON_LENGTH = 500

interface Declaration {
  options: WorkOptions
  handler: Handler<keyof Jobs>
}

/**
 * Durable jobs on pg-boss. A job that fails, or whose process dies, runs again, later each time, until it becomes a dead
 * letter (decision 42). So handlers must be idempotent.
 */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #log: FastifyBaseLogger
  readonly #runsJobs: boolean
  readonly #runJob: RunJob
  readonly #intervals: Intervals
  readonly #declarations = new Map<string, Declaration>()

  constructor(options: JobQueueOptions) {
    const { pool, directPool, log, runsJobs, intervals } = options
    this.#log = log
    this.#runsJobs = runsJobs
    this.#runJob = options.runJob ?? runJob
    this.#intervals = { ...INTERVALS, ...intervals }
    const { superviseSeconds } = this.#intervals
    this.#boss = new PgBoss({
      db: openBossDatabase(pool, directPool, log),
      schema: JOBS_SCHEMA,
      schedule: false,
      registerInstance: false,
      supervise: runsJobs,
      useListenNotify: runsJobs,
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
      maintenanceIntervalSeconds: COMPLETED_JOB_SECONDS,
      bamIntervalSeconds: DAY_SECONDS / 24,
      // Jobs that depend on other jobs, which we do not have, would be polled for.
      flowIntervalSeconds: DAY_SECONDS,
      // The statement timeout of our pool would interrupt it.
      reindex: false,
      monitorVacuum: false,
    })
    this.#boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue failed'))
    this.#boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue warned'))
  }

  /** Call it in every process, before `start`. A handler that throws is retried with exponential backoff. */
  work<N extends keyof Jobs>(name: N, options: WorkOptions, handler: Handler<N>): void {
    this.#declarations.set(name, { options, handler: handler as Handler<keyof Jobs> })
  }

  async start(): Promise<void> {
    await this.#boss.start()
    await this.#saveQueues()
    if (!this.#runsJobs) return
    for (const [name, declaration] of this.#declarations) await this.#startWorkers(name, declaration)
  }

  /** Waits for running jobs. Those that take longer than ten seconds go back to the queue, and their signal is aborted. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
  }

  /** Adds a job in the transaction of its cause, if it has one: it runs if and only if that commits, and not before. */
  async enqueue<N extends keyof Jobs>(
    db: Database,
    name: N,
    data: Jobs[N],
    { key, delaySeconds = 0, priority = 0, memberId }: EnqueueOptions = {},
  ): Promise<void> {
    const group = memberId === undefined ? undefined : { id: `member-${memberId}` }
    const options = {
      db: fromKysely(db),
      priority: group ? priority - (await countWaiting(db, name, group.id, key)) : priority,
      ...(group && { group }),
      ...(delaySeconds > 0 && { startAfter: delaySeconds }),
    }
    // An upsert locks the waiting job until the commit, so its run cannot start on what the transaction is changing.
    if (key === undefined) await this.#boss.send(name, data, options)
    else await this.#boss.upsert(name, data, { ...options, singletonKey: key })
  }

  /** Moves dead letters back to their queues, with all their attempts, in the caller's transaction. Returns their number. */
  runAgain(trx: Transaction, ids: readonly string[]): Promise<number> {
    return this.#boss.redrive(DEAD_LETTERS, { ids: [...ids], db: fromKysely(trx) })
  }

  /** Jobs by queue and state, as of the last supervision. */
  async countJobs(): Promise<JobCount[]> {
    const queues = await this.#boss.getQueues()
    return queues.flatMap(({ name, queuedCount, activeCount }): JobCount[] => [
      { queue: name, state: 'waiting', count: queuedCount },
      { queue: name, state: 'running', count: activeCount },
    ])
  }

  async #saveQueues(): Promise<void> {
    const saved = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    const save = async (name: string, options: Omit<Queue, 'name'>) => {
      const current = saved.get(name)
      if (!current) await this.#boss.createQueue(name, options)
      else if (!isSubset(options, current)) await this.#boss.updateQueue(name, options)
    }
    await save(DEAD_LETTERS, { retentionSeconds: DEAD_LETTER_DAYS * DAY_SECONDS })
    for (const [name, { options }] of this.#declarations) await save(name, toQueue(options))
  }

  async #startWorkers(name: string, { options, handler }: Declaration): Promise<void> {
    const { pollSeconds } = this.#intervals
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds }
    const { batchSize = 1, concurrency } = options
    const fetching = { includeMetadata: true as const, batchSize, groupConcurrency: Math.max(1, concurrency - 1) }
    for (let i = 0; i < concurrency; i++) {
      const run: WorkWithMetadataHandler<Jobs[keyof Jobs]> = async ([job]) => {
        // Without it, the worker would wait for its next poll after this job.
        this.#boss.notifyWorker(id)
        if (job) await this.#run(job, handler)
      }
      const id = await this.#boss.work(name, { ...polling, ...fetching }, run)
    }
  }

  #run(job: JobWithMetadata<Jobs[keyof Jobs]>, handler: Handler<keyof Jobs>): Promise<void> {
    return this.#runJob(job.name, () => handler(job.data, job.signal)).catch((error: unknown) => {
      const reason = describeReason(error)
      const fields = { reason, queue: job.name, job: job.id, attempt: job.retryCount + 1 }
      if (job.retryCount < job.retryLimit) this.#log.warn(fields, 'job failed')
      else this.#log.error(fields, 'job dead-lettered')
      // Only the text, because pg-boss stores the error with its stack and causes.
      throw new Error(reason)
    })
  }
}

/** Jobs of a group that wait in a queue, without the one that a new job with this key replaces. */
async function countWaiting(db: Database, name: string, group: string, key: string | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(`${JOBS_SCHEMA}.job`)}
    where name = ${name} and state < 'active' and group_id = ${group}
      and singleton_key is distinct from ${key ?? null}`.execute(db)
  return rows[0]?.count ?? 0
}

const toQueue = ({ attempts, timeoutSeconds }: WorkOptions): Omit<Queue, 'name'> => ({
  retryLimit: attempts - 1,
  retryDelay: FIRST_RETRY_SECONDS,
  retryBackoff: true,
  retryDelayMax: MAX_RETRY_SECONDS,
  expireInSeconds: timeoutSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // For jobs that wait while the site is stopped.
  retentionSeconds: DEAD_LETTER_DAYS * DAY_SECONDS,
  deleteAfterSeconds: COMPLETED_JOB_SECONDS,
  deadLetter: DEAD_LETTERS,
  notify: true,
})

const isSubset = (options: object, of: object): boolean =>
  Object.entries(options).every(([name, value]) => (of as Record<string, unknown>)[name] === value)

/** pg-boss on our pool, which replaces silent connections, and on our listener, which reconnects. */
function openBossDatabase(pool: pg.Pool, directPool: pg.Pool, log: FastifyBaseLogger): Db {
  const onError = (error: unknown) => log.error({ err: error }, 'job notification failed')
  return {
    executeSql: (text, values) => pool.query(text, values),
    listen: async (channel, onNotification, onReconnect) => {
      const listener = new DatabaseListener(directPool, channel, { onNotification, onReconnect, onError })
      await listener.start().catch(() => {})
      return { close: () => listener.close() }
    },
  }
}

/** Text that jsonb accepts. */
function describeReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(0, MAX_REASON_LENGTH).replaceAll('\0', '').toWellFormed()
}
