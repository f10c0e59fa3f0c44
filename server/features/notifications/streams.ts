import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import { DatabaseListener } from '#server/db/listener.ts'
import { AppError } from '#server/http/errors.ts'
import { LIVE_CHANNEL } from './notify.ts'
import { Readable } from 'node:stream'

export interface StreamLimits {
  total: number
  perMember: number
}
const LIMITS: StreamLimits = { total: 5000, perMember: 8 }
const RETRY_AFTER_SECONDS = 60

/** Below the server's limit for silent connections, and that of most proxies. */
const HEARTBEAT_MS = 25_000
const CHECK_EVERY_MS = 5 * 60_000
/** Then the browser opens a new one, and what a proxy or a broken network left behind goes. */
const MAX_AGE_MS = 60 * 60_000
/** After news for all, browsers ask in small groups and not all at once. */
const BATCH_SIZE = 50
const BATCH_INTERVAL_MS = 100

/** The open streams of this process. They cost a socket each and one connection to PostgreSQL in all. */
export class InboxStreams {
  readonly #log: FastifyBaseLogger
  readonly #limits: StreamLimits
  readonly #listener: DatabaseListener
  readonly #streams = new Map<number, Set<InboxStream>>()
  #count = 0
  #beat: NodeJS.Timeout
  #isClosed = false

  constructor(pool: pg.Pool, log: FastifyBaseLogger, limits: StreamLimits = LIMITS) {
    this.#log = log
    this.#limits = limits
    const onReconnect = () => {
      void this.#tellAll()
      void this.#checkAll(0)
    }
    this.#listener = new DatabaseListener(pool, LIVE_CHANNEL, {
      onNotification: (message) => this.#heard(message),
      onReconnect,
    })
    this.#beat = setInterval(() => this.#beatAll(), HEARTBEAT_MS).unref()
  }

  get size(): number {
    return this.#count
  }

  /** Throws AppError `too_many_streams` where there is no room; the browser then asks now and then instead. */
  async open(holder: StreamOwner): Promise<InboxStream> {
    await this.#listener.start()
    const { memberId } = holder
    const own = this.#streams.get(memberId) ?? new Set()
    if (this.#isClosed || this.#count >= this.#limits.total || own.size >= this.#limits.perMember) {
      throw new AppError('too_many_streams', 503, 'Too many pages listen for news right now.', {
        retryAfter: RETRY_AFTER_SECONDS,
      })
    }
    const stream = new InboxStream(holder, () => this.#forget(stream))
    this.#streams.set(memberId, own.add(stream))
    this.#count++
    // What ended while the listener was being opened was not heard.
    void this.#check(stream)
    return stream
  }

  /** Ends all streams; their browsers come back to the next process. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#beat)
    for (const stream of this.#all()) stream.end()
    await this.#listener.close()
  }

  #all(): InboxStream[] {
    return [...this.#streams.values()].flatMap((own) => [...own])
  }

  #forget(stream: InboxStream): void {
    const { memberId } = stream.owner
    const own = this.#streams.get(memberId)
    if (!own?.delete(stream)) return
    this.#count--
    if (own.size === 0) this.#streams.delete(memberId)
  }

  #heard(message: string): void {
    const [what, whose = ''] = message.split(' ')
    if (what === 'inbox' && whose === 'all') void this.#tellAll()
    for (const stream of this.#streams.get(Number(whose)) ?? []) {
      if (what === 'inbox') stream.notify()
      if (what === 'session') void this.#check(stream)
    }
  }

  async #tellAll(): Promise<void> {
    const all = this.#all()
    for (let at = 0; at < all.length && !this.#isClosed; at += BATCH_SIZE) {
      if (at > 0) await wait(BATCH_INTERVAL_MS, undefined, { ref: false })
      for (const stream of all.slice(at, at + BATCH_SIZE)) stream.notify()
    }
  }

  #beatAll(): void {
    const now = Date.now()
    for (const stream of this.#all()) {
      if (now - stream.openedAt > MAX_AGE_MS) stream.end()
      else stream.sendHeartbeat()
    }
    void this.#checkAll(now - CHECK_EVERY_MS)
  }

  /** Looks at the sessions of streams that were not looked at since; all when 0. One after the other: it is no hurry. */
  async #checkAll(since: number): Promise<void> {
    for (const stream of this.#all()) {
      if (this.#isClosed) return
      if (since === 0 || stream.checkedAt < since) await this.#check(stream)
    }
  }

  async #check(stream: InboxStream): Promise<void> {
    stream.checkedAt = Date.now()
    try {
      if (!(await stream.owner.isAlive())) stream.end()
    } catch (error) {
      // While the database is away nobody is known to be gone.
      this.#log.warn({ reason: (error as Error).message }, 'the session of a stream could not be checked')
    }
  }
}

/** At most one piece of news in that time; what comes in between is told at its end. */
const MIN_INTERVAL_MS = 1000
/** A client that has not taken this much is gone or too slow; it asks again when it can. */
const MAX_BUFFERED_BYTES = 16_384
/** How long a browser may take to receive the end. */
const END_MS = 2000

const GREETING = 'retry: 5000\n\n'
const CHANGED = 'event: changed\ndata: {}\n\n'
const HEARTBEAT = ':\n\n'

export interface StreamOwner {
  memberId: number
  /** Whether the session that opened the stream still is. */
  isAlive: () => Promise<boolean>
}

/** One open answer to one browser: says that there is something new, not what; the browser asks for that as always. */
export class InboxStream {
  readonly owner: StreamOwner
  readonly body: Readable
  readonly openedAt = Date.now()
  checkedAt = Date.now()
  #toldAt = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined

  constructor(holder: StreamOwner, onClosed: () => void) {
    this.owner = holder
    this.body = new Readable({ read: () => {} })
    this.body.on('close', () => {
      clearTimeout(this.#timer)
      onClosed()
    })
    this.#write(GREETING)
  }

  /** Says that the inbox changed, at once or at the end of the quiet time after the last word. */
  notify(): void {
    if (this.#timer) return
    const delayMs = this.#toldAt + MIN_INTERVAL_MS - Date.now()
    if (delayMs <= 0) this.#news()
    else this.#timer = setTimeout(() => this.#news(), delayMs).unref()
  }

  sendHeartbeat(): void {
    this.#write(HEARTBEAT)
  }

  /** Ends the answer properly, or tears it off where nobody takes the end. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.body.push(null)
    setTimeout(() => this.body.destroy(), END_MS).unref()
  }

  #news(): void {
    this.#timer = undefined
    this.#toldAt = Date.now()
    this.#write(CHANGED)
  }

  #write(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    if (this.body.readableLength > MAX_BUFFERED_BYTES) this.body.destroy()
    else this.body.push(text)
  }
}
