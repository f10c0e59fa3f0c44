import { FLAGS } from '#contract/catalogue-names.ts'
import type { CatalogueFilter } from '#server/features/catalogue/query.ts'
import { type Bits, bitWords } from '@scriptyard/catalogue-index'
import { DerivedSets, type Membership } from './derived.ts'
import type { Labels } from './labels.ts'
import type { IdSet } from './postings.ts'
import { havingBeginning, type IndexRow } from './row.ts'
import { valueIn } from './threshold-set.ts'
import { addTo } from './word-set.ts'

const MOST = 64
const MOST_COUNTED = 2048
/** Fewer are found as quickly again as in the bits of all. */
const leastFor = (span: number) => span >>> 11

/**
 * What the filters that are asked for most leave, as sets that change along with their scripts. Who comes once costs
 * nothing but a count, and pushes out nobody who comes more often (after TinyLFU, Einziger et al. 2017).
 */
export class KeptFilters {
  readonly #sets = new DerivedSets({ most: MOST })
  #counts = new Map<string, number>()

  get(key: string): IdSet | undefined {
    const known = this.#sets.get(key)
    if (known) this.#count(key)
    return known
  }

  /** Takes what was just found for a filter, which may be scratch, among ids up to `span`. */
  note(key: string, found: IdSet, span: number, membership: Membership): void {
    if (found.count < leastFor(span)) return
    const asked = this.#count(key)
    if (asked < 2) return
    if (this.#sets.size === MOST) {
      const rarest = this.#rarest()
      if (asked <= rarest.asked) return
      this.#sets.delete(rarest.key)
    }
    this.#sets.add(key, copyOf(found, span), membership, found.count)
  }

  update(id: number, row: IndexRow | undefined, hasNewTerms: boolean): void {
    this.#sets.update(id, row, hasNewTerms)
  }

  #rarest(): { key: string; asked: number } {
    let rarest = { key: '', asked: Infinity }
    for (const key of this.#sets.keys()) {
      const asked = this.#counts.get(key) ?? 0
      if (asked < rarest.asked) rarest = { key, asked }
    }
    return rarest
  }

  /** Counts fade: when there are too many of them each is halved. */
  #count(key: string): number {
    const asked = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, asked)
    if (this.#counts.size > MOST_COUNTED) {
      this.#counts = new Map([...this.#counts].flatMap(([known, times]) => (times > 1 ? [[known, times >>> 1]] : [])))
    }
    return asked
  }
}

function copyOf(set: IdSet, span: number): Bits {
  const bits = new Uint32Array(bitWords(span + 1))
  addTo(bits, set)
  return bits
}

/** Whether a filter leaves a script, from the script's own row. */
export function matcherOf(labels: Labels, filter: CatalogueFilter): Membership {
  const { words, authorId, minRating, minViews } = filter
  const mask = filter.flags.reduce((sum, flag) => sum | (1 << FLAGS.indexOf(flag)), 0)
  const tags = filter.tags.map((name) => labels.tagNamed(name)?.id)
  const beginnings = words.map((word) => havingBeginning(word))
  const isIn = (row: IndexRow) =>
    (row.flags & mask) === mask &&
    (authorId === undefined || row.author === authorId) &&
    valueIn(row, 'average') >= minRating &&
    valueIn(row, 'views') >= minViews &&
    tags.every((tag) => tag !== undefined && row.tags.includes(tag)) &&
    beginnings.every((has) => has(row))
  return { isIn, byCounts: minRating > 0 || minViews > 0 }
}
