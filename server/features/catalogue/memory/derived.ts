import { type Bits, clearBit, countBits, grownFor, hasBit, setBit } from './bits.ts'
import type { IdSet } from './postings.ts'
import type { IndexRow } from './row.ts'

interface Derived {
  bits: Bits
  count: number
  wasUsed: boolean
  isIn(row: IndexRow): boolean
}

/**
 * Sets that cost something to make (short beginnings, thresholds), kept and changed along with their scripts. When there are
 * too many, the oldest that was not used since it was last looked at goes.
 */
export class DerivedSets {
  readonly #sets = new Map<string, Derived>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): IdSet | undefined {
    const found = this.#sets.get(key)
    if (!found) return undefined
    found.wasUsed = true
    return { count: found.count, bits: found.bits }
  }

  /** `bits` becomes the set's own. */
  add(key: string, bits: Bits, isIn: (row: IndexRow) => boolean, count = countBits(bits)): IdSet {
    this.#sets.set(key, { bits, count, wasUsed: false, isIn })
    for (const [oldest, set] of this.#sets) {
      if (this.#sets.size <= this.#most) break
      if (oldest === key) continue
      this.#sets.delete(oldest)
      if (!set.wasUsed) continue
      set.wasUsed = false
      this.#sets.set(oldest, set)
    }
    return { count, bits }
  }

  get size(): number {
    return this.#sets.size
  }

  keys(): Iterable<string> {
    return this.#sets.keys()
  }

  delete(key: string): void {
    this.#sets.delete(key)
  }

  /** After a script was changed or, without a row, taken out. */
  update(id: number, row: IndexRow | undefined): void {
    for (const derived of this.#sets.values()) {
      const isIn = row !== undefined && derived.isIn(row)
      if (isIn === hasBit(derived.bits, id)) continue
      if (isIn) {
        derived.bits = grownFor(derived.bits, id)
        setBit(derived.bits, id)
        derived.count++
      } else {
        clearBit(derived.bits, id)
        derived.count--
      }
    }
  }
}
