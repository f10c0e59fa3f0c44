import { type Bits, clearBit, countBits, grownFor, hasBit, setBit } from './bits.ts'
import type { IdSet } from './postings.ts'
import type { IndexRow } from './row.ts'

/** Which scripts are in a set. */
export interface Membership {
  isIn: (row: IndexRow) => boolean
  /** Whether views and ratings count too, and not only a script's terms: its words, tags, author and flags. */
  byCounts: boolean
}

interface Derived extends Membership {
  bits: Bits
  count: number
  wasUsed: boolean
}

/**
 * Sets that cost something to make (short beginnings, thresholds), kept and changed along with their scripts. When there are
 * too many, the oldest that was not used since it was last looked at goes.
 */
export class DerivedSets {
  readonly #sets = new Map<string, Derived>()
  readonly #most: number
  readonly #mostBytes: number
  #bytes = 0

  constructor(most: number, mostBytes = Infinity) {
    this.#most = most
    this.#mostBytes = mostBytes
  }

  get(key: string): IdSet | undefined {
    const found = this.#sets.get(key)
    if (!found) return undefined
    found.wasUsed = true
    return { count: found.count, bits: found.bits }
  }

  /** `bits` becomes the set's own. */
  add(key: string, bits: Bits, { isIn, byCounts }: Membership, count = countBits(bits)): IdSet {
    this.delete(key)
    this.#sets.set(key, { bits, count, wasUsed: false, isIn, byCounts })
    this.#bytes += bits.byteLength
    for (const [oldest, set] of this.#sets) {
      if (this.#sets.size <= this.#most && this.#bytes <= this.#mostBytes) break
      if (oldest === key) continue
      this.#sets.delete(oldest)
      if (set.wasUsed) {
        set.wasUsed = false
        this.#sets.set(oldest, set)
      } else this.#bytes -= set.bits.byteLength
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
    this.#bytes -= this.#sets.get(key)?.bits.byteLength ?? 0
    this.#sets.delete(key)
  }

  /** After a script was changed, in its terms or in counts alone, or, without a row, taken out. */
  update(id: number, row: IndexRow | undefined, hasNewTerms: boolean): void {
    for (const derived of this.#sets.values()) {
      if (!hasNewTerms && !derived.byCounts) continue
      const isIn = row !== undefined && derived.isIn(row)
      if (isIn === hasBit(derived.bits, id)) continue
      if (isIn) {
        this.#bytes -= derived.bits.byteLength
        derived.bits = grownFor(derived.bits, id)
        this.#bytes += derived.bits.byteLength
        setBit(derived.bits, id)
        derived.count++
      } else {
        clearBit(derived.bits, id)
        derived.count--
      }
    }
  }
}
