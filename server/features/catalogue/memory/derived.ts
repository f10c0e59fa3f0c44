import { type Bits, clearBit, countBits, grownFor, hasBit, setBit } from './bits.ts'
import { type Kept, SecondChance } from '#server/http/second-chance.ts'
import type { IdSet } from './postings.ts'
import type { IndexRow } from './row.ts'

/** Which scripts are in a set. */
export interface Membership {
  isIn: (row: IndexRow) => boolean
  /** Whether views and ratings count too, and not only a script's terms: its words, tags, author and flags. */
  byCounts: boolean
}

interface Derived extends Membership, Kept {
  bits: Bits
  count: number
}

/** Sets that cost something to make (short beginnings, thresholds), kept and changed along with their scripts. */
export class DerivedSets {
  readonly #sets: SecondChance<string, Derived>

  constructor(most: number, mostBytes = Infinity) {
    this.#sets = new SecondChance(mostBytes, most)
  }

  get(key: string): IdSet | undefined {
    const found = this.#sets.get(key)
    return found && { count: found.count, bits: found.bits }
  }

  /** `bits` becomes the set's own. */
  add(key: string, bits: Bits, { isIn, byCounts }: Membership, count = countBits(bits)): IdSet {
    this.#sets.set(key, { bits, count, isIn, byCounts, size: bits.byteLength, wasUsed: false })
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

  /** After a script was changed, in its terms or in counts alone, or, without a row, taken out. */
  update(id: number, row: IndexRow | undefined, hasNewTerms: boolean): void {
    for (const derived of this.#sets.values()) {
      if (!hasNewTerms && !derived.byCounts) continue
      const isIn = row !== undefined && derived.isIn(row)
      if (isIn === hasBit(derived.bits, id)) continue
      if (isIn) {
        derived.bits = grownFor(derived.bits, id)
        this.#sets.resize(derived, derived.bits.byteLength)
        setBit(derived.bits, id)
        derived.count++
      } else {
        clearBit(derived.bits, id)
        derived.count--
      }
    }
  }
}
