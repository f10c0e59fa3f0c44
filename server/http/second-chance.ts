/** What is kept: it knows what it takes, and whether it was used since it was last looked at. */
export interface Kept {
  size: number
  wasUsed: boolean
}

/** How many that were used may be passed over for one that comes in: nobody waits for a look at all of them. */
const CHANCES = 32

/**
 * Values under keys, bounded in bytes and in number. When there are too many, the oldest go that were not used since they
 * were last looked at (second chance; Tanenbaum, Modern Operating Systems, 3.4.4): reading moves nothing about, and who comes
 * once pushes out nobody who comes again.
 */
export class SecondChance<K, V extends Kept> {
  readonly #kept = new Map<K, V>()
  readonly #most: number
  #bytes = 0
  /** May be raised. */
  mostBytes: number

  constructor(mostBytes: number, most = Infinity) {
    this.mostBytes = mostBytes
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#kept.size
  }

  keys(): Iterable<K> {
    return this.#kept.keys()
  }

  values(): Iterable<V> {
    return this.#kept.values()
  }

  get(key: K): V | undefined {
    const value = this.#kept.get(key)
    if (value !== undefined) value.wasUsed = true
    return value
  }

  /** One that is larger than all may be together is not kept. */
  set(key: K, value: V): void {
    this.delete(key)
    if (value.size > this.mostBytes) return
    this.#kept.set(key, value)
    this.#bytes += value.size
    let chances = CHANCES
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= this.mostBytes && this.#kept.size <= this.#most) return
      if (oldest === key) continue
      this.#kept.delete(oldest)
      if (old.wasUsed && chances-- > 0) {
        old.wasUsed = false
        this.#kept.set(oldest, old)
      } else this.#bytes -= old.size
    }
  }

  /** A value that is kept takes more or less now. */
  resize(value: V, size: number): void {
    this.#bytes += size - value.size
    value.size = size
  }

  delete(key: K): void {
    this.#bytes -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}
