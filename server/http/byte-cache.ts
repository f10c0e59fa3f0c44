import { SecondChance } from './second-chance.ts'

/** What a cache can hold: it knows its own size. */
export interface Sized {
  bytes: number
}

interface Entry<T> {
  value: T
  version: number
  expires: number
  size: number
  wasUsed: boolean
}

/** Values under text keys, bounded in bytes, each good for one version of the data and a time. */
export class ByteCache<T extends Sized> {
  readonly #entries: SecondChance<string, Entry<T>>
  readonly #limit: number

  constructor(limitBytes: number) {
    this.#entries = new SecondChance(limitBytes)
    this.#limit = limitBytes
  }

  get bytes(): number {
    return this.#entries.bytes
  }

  get(key: string, version: number, now = Date.now()): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.version === version && entry.expires > now) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  /** A value larger than a sixteenth of the cache is not kept: it would push out too much. */
  set(key: string, value: T, version: number, maxAgeMs: number, now = Date.now()): void {
    const size = value.bytes + key.length * 2 + 200
    if (size > this.#limit / 16) this.#entries.delete(key)
    else this.#entries.set(key, { value, version, expires: now + maxAgeMs, size, wasUsed: false })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
