import type { FastifyBaseLogger } from 'fastify'

/** Writes that no response waits for, such as the time of the last use. A failure is logged and has no other effect. */
export class BackgroundWrites {
  readonly #log: FastifyBaseLogger
  readonly #failure: string
  readonly #pending = new Set<Promise<void>>()

  constructor(log: FastifyBaseLogger, failure: string) {
    this.#log = log
    this.#failure = failure
  }

  add(write: Promise<unknown>): void {
    const pending = write
      .then(() => undefined)
      .catch((error: Error) => this.#log.warn({ reason: error.message }, this.#failure))
      .finally(() => this.#pending.delete(pending))
    this.#pending.add(pending)
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending)
  }
}
