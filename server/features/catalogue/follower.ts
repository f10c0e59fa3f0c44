import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/db/database.ts'
import {
  type FeedPosition,
  findAhead,
  findFeedEnd,
  findReturned,
  forgetOldChanges,
  readClock,
  readFeed,
} from './feed.ts'

const POLL_MS = 400
const RETRY_MS = 1000
const RETURNED_EVERY_MS = 20_000
const CLEAN_EVERY_MS = 10 * 60_000
/** Changes are kept for an hour; who did not read for half of it trusts nothing he has. */
const LOST_AFTER_MS = 30 * 60_000

export interface FeedListener {
  changed(scriptIds: number[]): void
  lost(): void
}

/** All changes before this are known, and all bans that ended before it. */
export interface FeedMark {
  position: FeedPosition
  /** By the database's clock. */
  returnedUntil: string
}

/** Follows the change feed in this process and tells one listener, until closed. */
export class FeedFollower {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  readonly #listener: FeedListener
  #position: FeedPosition | undefined
  #timer: NodeJS.Timeout | undefined
  #readAt = Date.now()
  #lookedAt = Date.now()
  /** By the database's clock: bans that end later are still to be noted. */
  #returnedUntil = ''
  #cleanedAt = Date.now()
  #isClosed = false
  #ahead: ReadonlyMap<string, number> = new Map()
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, log: FastifyBaseLogger, listener: FeedListener) {
    this.#db = db
    this.#log = log
    this.#listener = listener
  }

  async start(): Promise<void> {
    this.#position = await findFeedEnd(this.#db)
    this.#returnedUntil = await readClock(this.#db)
    this.#schedule(POLL_MS)
  }

  /** Up to where the listener has been told everything. */
  get mark(): FeedMark | undefined {
    return this.#position && { position: this.#position, returnedUntil: this.#returnedUntil }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#tick()
    }, ms)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    try {
      if (Date.now() - this.#readAt > LOST_AFTER_MS) await this.#startAfresh()
      await this.#read()
      await this.#lookAhead()
      await this.#noteReturned()
      await this.#clean()
      this.#schedule(POLL_MS)
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'the change feed could not be read')
      this.#schedule(RETRY_MS)
    }
  }

  async #startAfresh(): Promise<void> {
    this.#position = await findFeedEnd(this.#db)
    this.#listener.lost()
  }

  async #read(): Promise<void> {
    for (;;) {
      const page = await readFeed(this.#db, this.#position ?? (await findFeedEnd(this.#db)))
      this.#readAt = Date.now()
      if (page.scriptIds.length > 0) this.#listener.changed(page.scriptIds)
      this.#position = page.position
      if (page.isLast) return
    }
  }

  async #lookAhead(): Promise<void> {
    const ahead = await findAhead(this.#db)
    const ids = [...ahead].filter(([key]) => !this.#ahead.has(key)).map(([, id]) => id)
    this.#ahead = ahead
    if (ids.length > 0) this.#listener.changed(ids)
  }

  async #noteReturned(): Promise<void> {
    if (Date.now() - this.#lookedAt < RETURNED_EVERY_MS) return
    this.#lookedAt = Date.now()
    const now = await readClock(this.#db)
    const ids = await findReturned(this.#db, this.#returnedUntil, now)
    if (ids.length > 0) this.#listener.changed(ids)
    this.#returnedUntil = now
  }

  async #clean(): Promise<void> {
    if (Date.now() - this.#cleanedAt < CLEAN_EVERY_MS) return
    this.#cleanedAt = Date.now()
    await forgetOldChanges(this.#db)
  }
}
