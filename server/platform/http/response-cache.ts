import { LRUCache } from 'lru-cache'
import type { CachedResponse } from './cached-response.ts'
import { AppError, toAppError } from './errors.ts'

/** A larger response would evict too many others. */
const MAX_ENTRY_SHARE = 1 / 16
const ENTRY_OVERHEAD_BYTES = 200
/** Resolution of the clock of caches; a finer one costs a timer per step. */
export const CLOCK_MS = 100

/** LRU cache bounded by bytes and age. `sizeOf` returns the size of a value in bytes. A limit of 0 caches nothing. */
export function createByteCache<V extends object>(
  maxBytes: number,
  maxAgeMs: number,
  sizeOf: (value: V) => number,
): LRUCache<string, V> {
  return new LRUCache<string, V>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes * MAX_ENTRY_SHARE)),
    sizeCalculation: (value, key) => Math.ceil(sizeOf(value)) + key.length * 2 + ENTRY_OVERHEAD_BYTES,
    ttl: maxAgeMs,
    ttlResolution: CLOCK_MS,
    // Read here instead of by the library at import, so that tests can replace it.
    perf: Date,
  })
}

/** Responses are served for this long while the database is unavailable, whatever has changed before. */
export const MAX_STALE_MS = 10 * 60_000
/** A caller without an earlier response waits this long for one that is being created. */
const MAX_WAIT_MS = 5000
/** A caller with an earlier response gets that one after this time. */
export const STALE_AFTER_MS = 1500
/** After this time a task that never ended is started again. */
const ABANDON_AFTER_MS = 20_000

const timedOut = () =>
  new AppError('unavailable', 503, 'The site is busy right now. Please try again in a moment.', {
    retryAfter: 2,
    cause: new Error('the response took too long'),
  })

interface Flight<V> {
  result: Promise<V>
  startedAt: number
}

export class SingleFlight<V> {
  readonly #running = new Map<string, Flight<V>>()

  /** Throws AppError `unavailable` once the task runs for longer than `maxWaitMs`, also if another caller started it. */
  run(key: string, task: () => Promise<V>, maxWaitMs = MAX_WAIT_MS): Promise<V> {
    const flight = this.#find(key) ?? this.#start(key, task)
    return waitUntil(flight.result, flight.startedAt + maxWaitMs)
  }

  #find(key: string): Flight<V> | undefined {
    const flight = this.#running.get(key)
    return flight && performance.now() - flight.startedAt < ABANDON_AFTER_MS ? flight : undefined
  }

  #start(key: string, task: () => Promise<V>): Flight<V> {
    const flight: Flight<V> = {
      result: task().finally(() => {
        if (this.#running.get(key) === flight) this.#running.delete(key)
      }),
      startedAt: performance.now(),
    }
    this.#running.set(key, flight)
    return flight
  }
}

function waitUntil<V>(result: Promise<V>, deadline: number): Promise<V> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), Math.max(0, deadline - performance.now()))
    result.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether an error means that the same request may succeed in a moment. */
export const isUnavailable = (error: Error): boolean => toAppError(error).status === 503

export interface CacheSize {
  entries: number
  bytes: number
  /** Lookups since the start of the process. */
  hits: number
  misses: number
}

interface Entry {
  response: CachedResponse
  version: number
  createdAt: number
}

function serveStale({ response }: Entry, error: Error): CachedResponse {
  if (isUnavailable(error)) return response
  throw error
}

/** Responses by key, each valid for one version of the data it was made from. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>
  readonly #freshMs: number
  readonly #flights = new SingleFlight<CachedResponse>()
  #hits = 0
  #misses = 0

  /** A response is current for `freshMs` at most, and is served for `maxAgeMs` while the database is unavailable. */
  constructor(maxBytes: number, maxAgeMs: number, freshMs = maxAgeMs) {
    this.#freshMs = freshMs
    this.#entries = createByteCache(maxBytes, maxAgeMs, ({ response }) => response.bytes)
  }

  get(key: string, version: number): CachedResponse | undefined {
    const entry = this.#entries.get(key)
    if (!entry || !this.#isCurrent(entry, version)) return undefined
    this.#hits++
    return entry.response
  }

  #isCurrent({ version, createdAt }: Entry, current: number): boolean {
    return version === current && Date.now() - createdAt <= this.#freshMs
  }

  get size(): CacheSize {
    const { size, calculatedSize } = this.#entries
    return { entries: size, bytes: calculatedSize, hits: this.#hits, misses: this.#misses }
  }

  set(key: string, response: CachedResponse, version: number): void {
    response.detach()
    this.#entries.set(key, { response, version, createdAt: Date.now() })
  }

  /**
   * Read `version` before this call: then `create` reads data that is at least as new, and a change in between makes the entry
   * stale, never wrong. While the database is unavailable, an earlier response is served until its maximum age.
   */
  async getOrCreate(key: string, version: number, create: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const cached = this.#entries.get(key)
    if (cached && this.#isCurrent(cached, version)) {
      this.#hits++
      return cached.response
    }
    this.#misses++
    const task = async () => {
      const response = await create()
      if (response.status < 500) this.set(key, response, version)
      return response
    }
    const creating = this.#flights.run(`${version} ${key}`, task, cached && STALE_AFTER_MS)
    return cached ? creating.catch((error: Error) => serveStale(cached, error)) : creating
  }
}
