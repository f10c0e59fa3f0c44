/** What a cache can hold: it knows its own size. */
export interface Sized {
  bytes: number
}

/** How many that were used may be passed over for one that comes in: nobody waits for a look at all of them. */
const CHANCES = 32

interface Entry<T> {
  value: T
  version: number
  expires: number
  wasUsed: boolean
}

/**
 * Values under text keys, bounded in bytes, each good for one version of the data and a time. When there are too many, the
 * oldest go that were not used since they were last looked at: reading moves nothing about, and who comes once pushes out
 * nobody who comes again.
 */
export class ByteCache<T extends Sized> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #limit: number
  #bytes = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string, version: number, now = Date.now()): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.version !== version || entry.expires <= now) {
      this.#remove(key, entry)
      return undefined
    }
    entry.wasUsed = true
    return entry.value
  }

  /** A value larger than a sixteenth of the cache is not kept: it would push out too much. */
  set(key: string, value: T, version: number, maxAgeMs: number, now = Date.now()): void {
    const old = this.#entries.get(key)
    if (old) this.#remove(key, old)
    const size = this.#sizeOf(key, value)
    if (size > this.#limit / 16) return
    this.#entries.set(key, { value, version, expires: now + maxAgeMs, wasUsed: false })
    this.#bytes += size
    let chances = CHANCES
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limit) break
      if (entry.wasUsed && chances-- > 0) {
        entry.wasUsed = false
        this.#entries.delete(oldest)
        this.#entries.set(oldest, entry)
      } else this.#remove(oldest, entry)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry) this.#remove(key, entry)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #sizeOf(key: string, value: T): number {
    return value.bytes + key.length * 2 + 200
  }

  #remove(key: string, entry: Entry<T>): void {
    this.#entries.delete(key)
    this.#bytes -= this.#sizeOf(key, entry.value)
  }
}
