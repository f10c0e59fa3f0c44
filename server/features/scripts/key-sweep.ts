import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { forgetOldKeys } from './publish-keys.ts'

const SWEEP_EVERY_MS = 60 * 60_000

/** Forgets old idempotency keys every hour until stopped; a key of more than a day ago counts for nothing anyway. */
export class KeySweep {
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> = Promise.resolve()

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#timer = setInterval(() => {
      this.#sweeping = forgetOldKeys(db).catch((error: Error) => {
        log.warn({ reason: error.message }, 'old idempotency keys could not be forgotten yet')
      })
    }, SWEEP_EVERY_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
