import type { FastifyBaseLogger } from 'fastify'

export interface ScheduledJob {
  /** What it does, for the log when it fails. */
  name: string
  everyMs: number
  run: () => Promise<void>
}

/** Work that is due again and again, each chore after its own time; a failure is logged and tried at the next one. */
export class ScheduledJobs {
  readonly #log: FastifyBaseLogger
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(log: FastifyBaseLogger, chores: readonly ScheduledJob[]) {
    this.#log = log
    for (const chore of chores) {
      let isRunning = false
      const tick = async () => {
        if (isRunning) return
        isRunning = true
        await this.#run(chore)
        isRunning = false
      }
      this.#timers.push(setInterval(() => void tick(), chore.everyMs).unref())
    }
  }

  /** Waits for what is being done. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }

  async #run({ name, run }: ScheduledJob): Promise<void> {
    const running = run()
      .catch((error: Error) => this.#log.warn({ reason: error.message, chore: name }, 'upkeep failed'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    await running
  }
}
