import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { DatabaseListener } from '#server/platform/db/listener.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Audience } from './announce.ts'
import { LIVE_CHANNEL } from './notify.ts'

export interface StreamLimits {
  total: number
  perMember: number
}
export type FindAudience = (audience: Audience, id: number, memberIds: readonly number[]) => Promise<number[]>

const LIMITS: StreamLimits = { total: 5000, perMember: 8 }
const RETRY_AFTER_SECONDS = 60

/** Shorter than the idle timeout of the server and of most proxies. */
const HEARTBEAT_MS = 25_000
const CHECK_EVERY_MS = 5 * 60_000
/** The browser then opens a new stream. This removes streams that a proxy or a broken network left open. */
const MAX_AGE_MS = 60 * 60_000
/** A change for many members is sent in batches, so that not all browsers request their inbox at once. */
const BATCH_SIZE = 50
const BATCH_INTERVAL_MS = 100

/** All event streams of this process. They share one PostgreSQL connection. */
export class InboxStreams {
  readonly #log: FastifyBaseLogger
  readonly #findAudience: FindAudience
  readonly #limits: StreamLimits
  readonly #listener: DatabaseListener
  readonly #streams = new Map<number, Set<InboxStream>>()
  #count = 0
  #heartbeat: NodeJS.Timeout
  #isClosed = false

  constructor(pool: pg.Pool, log: FastifyBaseLogger, findAudience: FindAudience, limits: StreamLimits = LIMITS) {
    this.#log = log
    this.#findAudience = findAudience
    this.#limits = limits
    const onReconnect = () => {
      void this.#notifyAll()
      void this.#checkAll(0)
    }
    this.#listener = new DatabaseListener(pool, LIVE_CHANNEL, {
      onNotification: (message) => this.#receive(message),
      onError: (error) => log.error({ err: error }, 'notification failed'),
      onReconnect,
    })
    this.#heartbeat = setInterval(() => this.#sendHeartbeats(), HEARTBEAT_MS).unref()
  }

  get size(): number {
    return this.#count
  }

  /** Throws AppError `too_many_streams` at the limit; the browser then polls instead. */
  async open(owner: StreamOwner): Promise<InboxStream> {
    await this.#listener.start()
    const { memberId } = owner
    const own = this.#streams.get(memberId) ?? new Set()
    if (this.#isClosed || this.#count >= this.#limits.total || own.size >= this.#limits.perMember) {
      throw new AppError(
        'too_many_streams',
        503,
        'Too many pages are open. Notifications update less often in this one.',
        {
          retryAfter: RETRY_AFTER_SECONDS,
        },
      )
    }
    const stream = new InboxStream(owner, () => this.#forget(stream))
    this.#streams.set(memberId, own.add(stream))
    this.#count++
    // The session may have ended before the listener was ready.
    void this.#check(stream)
    return stream
  }

  /** Ends all streams. Browsers reconnect to the next process. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
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

  #receive(message: string): void {
    const [topic, recipient = ''] = message.split(' ')
    if (topic === 'inbox' && recipient === 'all') void this.#notifyAll()
    if (topic === 'followers' || topic === 'watchers') void this.#notifyAudience(topic, Number(recipient))
    for (const stream of this.#streams.get(Number(recipient)) ?? []) {
      if (topic === 'inbox') stream.notify()
      if (topic === 'session') void this.#check(stream)
    }
  }

  async #notifyAudience(audience: Audience, id: number): Promise<void> {
    const connected = [...this.#streams.keys()]
    if (connected.length === 0) return
    try {
      const memberIds = await this.#findAudience(audience, id, connected)
      await this.#notifyBatches(memberIds.flatMap((memberId) => [...(this.#streams.get(memberId) ?? [])]))
    } catch (error) {
      // The browsers find the notification at their next request.
      this.#log.warn({ reason: (error as Error).message }, 'audience not notified')
    }
  }

  #notifyAll(): Promise<void> {
    return this.#notifyBatches(this.#all())
  }

  async #notifyBatches(all: readonly InboxStream[]): Promise<void> {
    for (let i = 0; i < all.length && !this.#isClosed; i += BATCH_SIZE) {
      if (i > 0) await wait(BATCH_INTERVAL_MS, undefined, { ref: false })
      for (const stream of all.slice(i, i + BATCH_SIZE)) stream.notify()
    }
  }

  #sendHeartbeats(): void {
    const now = Date.now()
    for (const stream of this.#all()) {
      if (now - stream.openedAt > MAX_AGE_MS) stream.end()
      else stream.sendHeartbeat()
    }
    void this.#checkAll(now - CHECK_EVERY_MS)
  }

  /** Checks the sessions of streams that were last checked before `since`, one after the other; all if 0. */
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
      // The stream stays open: a database outage does not end sessions.
      this.#log.warn({ reason: (error as Error).message }, 'stream session not checked')
    }
  }
}

/** Changes within this time are sent as one event. */
const MIN_INTERVAL_MS = 1000
/** Bytes that a client may leave unread. Past this limit it is gone or too slow, and its stream is closed. */
const MAX_BUFFERED_BYTES = 16_384
const END_TIMEOUT_MS = 2000

const RETRY = 'retry: 5000\n\n'
const CHANGED = 'event: changed\ndata: {}\n\n'
const HEARTBEAT = ':\n\n'

export interface StreamOwner {
  memberId: number
  isAlive: () => Promise<boolean>
}

/** Server-sent event stream to one browser. It only says that the inbox changed; the browser then requests it. */
export class InboxStream {
  readonly owner: StreamOwner
  readonly body: Readable
  readonly openedAt = Date.now()
  checkedAt = Date.now()
  #sentAt = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined

  constructor(owner: StreamOwner, onClosed: () => void) {
    this.owner = owner
    this.body = new Readable({ read: () => {} })
    this.body.on('close', () => {
      clearTimeout(this.#timer)
      onClosed()
    })
    this.#write(RETRY)
  }

  /** Sends a change event, at most one per MIN_INTERVAL_MS. */
  notify(): void {
    if (this.#timer) return
    const delayMs = this.#sentAt + MIN_INTERVAL_MS - Date.now()
    if (delayMs <= 0) this.#sendChange()
    else this.#timer = setTimeout(() => this.#sendChange(), delayMs).unref()
  }

  sendHeartbeat(): void {
    this.#write(HEARTBEAT)
  }

  /** Ends the stream, and destroys it if the browser does not receive the end. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.body.push(null)
    setTimeout(() => this.body.destroy(), END_TIMEOUT_MS).unref()
  }

  #sendChange(): void {
    this.#timer = undefined
    this.#sentAt = Date.now()
    this.#write(CHANGED)
  }

  #write(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    if (this.body.readableLength > MAX_BUFFERED_BYTES) this.body.destroy()
    else this.body.push(text)
  }
}
