import { LRUCache } from 'lru-cache'
import type { CachedResponse } from './cached-response.ts'

/** A larger response would evict too many others. */
const MAX_ENTRY_SHARE = 1 / 16
/** Size of a cache entry in addition to its response and its key. */
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

/** Runs one task per key at a time; concurrent callers share its result. */
export class SingleFlight<V> {
  readonly #running = new Map<string, Promise<V>>()

  run(key: string, task: () => Promise<V>): Promise<V> {
    const running = this.#running.get(key)
    if (running) return running
    const started = task().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }
}

interface Entry {
  response: CachedResponse
  version: number
}

/** Responses by key, each valid for one version of the data it was made from. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>
  readonly #flights = new SingleFlight<CachedResponse>()

  constructor(maxBytes: number, maxAgeMs: number) {
    this.#entries = createByteCache(maxBytes, maxAgeMs, ({ response }) => response.bytes)
  }

  get(key: string, version: number): CachedResponse | undefined {
    const entry = this.#entries.get(key)
    return entry?.version === version ? entry.response : undefined
  }

  set(key: string, response: CachedResponse, version: number): void {
    response.detach()
    this.#entries.set(key, { response, version })
  }

  /**
   * The response for this version, created at most once at a time. `version` must have been read before this call:
   * then `create` reads data that is at least as new, and a change in between makes the entry stale, never wrong.
   */
  async getOrCreate(key: string, version: number, create: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const cached = this.get(key, version)
    if (cached) return cached
    return this.#flights.run(`${version} ${key}`, async () => {
      const response = await create()
      if (response.status < 500) this.set(key, response, version)
      return response
    })
  }
}
