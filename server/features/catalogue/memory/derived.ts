import { type Kept, SecondChance } from '#server/http/second-chance.ts'
import { type Bits, countBits } from '@scriptyard/catalogue-index'
import { OwnSet } from './own-set.ts'
import type { IdSet } from './postings.ts'
import type { IndexRow } from './row.ts'

/** Which scripts are in a set. */
export interface Membership {
  isIn: (row: IndexRow) => boolean
  /** Whether views and ratings count too, and not only a script's terms: its words, tags, author and flags. */
  byCounts: boolean
}

interface Derived extends Membership, Kept {
  set: OwnSet
}

interface Bounds {
  most: number
  mostBytes?: number
  /** So many may be bits for all ids there are, although they are larger together than `mostBytes`. */
  leastFull?: number
}

/** Sets that cost something to make (beginnings of words, thresholds), kept and changed along with their scripts. */
export class DerivedSets {
  readonly #sets: SecondChance<string, Derived>
  readonly #leastFull: number

  constructor({ most, mostBytes = Infinity, leastFull = 0 }: Bounds) {
    this.#sets = new SecondChance(mostBytes, most)
    this.#leastFull = leastFull
  }

  get(key: string): IdSet | undefined {
    return this.#sets.get(key)?.set.ids
  }

  /** `bits` becomes the set's own. */
  add(key: string, bits: Bits, { isIn, byCounts }: Membership, count = countBits(bits)): IdSet {
    this.#sets.mostBytes = Math.max(this.#sets.mostBytes, bits.byteLength * this.#leastFull)
    const set = new OwnSet(bits, count)
    this.#sets.set(key, { set, isIn, byCounts, size: set.bytes, wasUsed: false })
    return set.ids
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
      const { set } = derived
      const isIn = row !== undefined && derived.isIn(row)
      if (isIn === set.has(id)) continue
      if (isIn) {
        set.add(id)
        this.#sets.resize(derived, set.bytes)
      } else set.delete(id)
    }
  }
}
