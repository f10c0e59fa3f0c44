import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { removeOrphans } from './orphans.ts'
import type { MediaStore } from './store.ts'
import { removeUnused } from './unused.ts'

/** Looking through the whole store is for the first sweep and every so many after it. */
const ORPHANS_EVERY = 24

/**
 * Removes what nothing uses. Each image is decided in the database on its own, so several processes may sweep at once
 * and uploads go on meanwhile.
 */
export class MediaSweep {
  readonly #db: Database
  readonly #store: MediaStore
  readonly #log: FastifyBaseLogger
  readonly #stopping = new AbortController()
  #count = 0

  constructor(db: Database, store: MediaStore, log: FastifyBaseLogger) {
    this.#db = db
    this.#store = store
    this.#log = log
  }

  /** Sweeps once. Throws the first of what failed, which is left for the next time. */
  async run(): Promise<void> {
    const parts = { db: this.#db, store: this.#store, signal: this.#stopping.signal }
    const images = await removeUnused(parts)
    const files = this.#count++ % ORPHANS_EVERY === 0 ? await removeOrphans(parts) : 0
    if (images + files > 0) this.#log.info({ images, files }, 'unused images removed')
  }

  /** Ends what is under way after the image at hand. */
  stop(): void {
    this.#stopping.abort()
  }
}
