import type { FastifyBaseLogger } from 'fastify'
import { type RunJob, runJob } from './current-work.ts'

export interface ScheduledJob {
  name: string
  everyMs: number
  run: () => Promise<void>
}

/** Runs jobs periodically in this process, one run of a job at a time. A failed run is logged; the next one is on schedule. */
export class ScheduledJobs {
  readonly #log: FastifyBaseLogger
  readonly #runJob: RunJob
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(log: FastifyBaseLogger, jobs: readonly ScheduledJob[], run: RunJob = runJob) {
    this.#log = log
    this.#runJob = run
    for (const job of jobs) {
      let isRunning = false
      const tick = async () => {
        if (isRunning) return
        isRunning = true
        await this.#run(job)
        isRunning = false
      }
      this.#timers.push(setInterval(() => void tick(), job.everyMs).unref())
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }

  async #run({ name, run }: ScheduledJob): Promise<void> {
    // Also if `run` throws before it returns a promise.
    const running = this.#runJob(name, async () => run())
      .catch((error: Error) => this.#log.warn({ reason: error.message, job: name }, 'scheduled job failed'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    await running
  }
}
