import { FLAGS, type Flag } from '#contract/catalogue-names.ts'
import type { CatalogueFilter } from '#server/features/catalogue/query.ts'
import { type Bits, bitWords, hasBit, intersectBits } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import { type IdSet, lowerBound } from './postings.ts'
import type { Scratch } from './scratch.ts'
import { type Threshold, thresholdKey, thresholdSet, valueOf } from './threshold-set.ts'
import { wordSet } from './word-set.ts'

/** To go through fewer is no work. */
const MUCH = 1024
const NOTHING: IdSet = { count: 0, list: new Uint32Array() }

/** What a filter asks for: sets that a script must all be in. Undefined when one of them is surely empty. */
export interface Wanted {
  sets: IdSet[]
  thresholds: Threshold[]
}

/** Everything but the flags. */
export function wantedText(index: MemoryIndex, scratch: Scratch, filter: CatalogueFilter): Wanted | undefined {
  const { labels, postings } = index
  const sets: IdSet[] = []
  for (const name of filter.tags) {
    const tag = labels.tagNamed(name)
    if (!tag) return undefined
    sets.push(postings.set(tag.term))
  }
  if (filter.authorId !== undefined) {
    const term = labels.author(filter.authorId)
    if (term === undefined) return undefined
    sets.push(postings.set(term))
  }
  for (const word of filter.words) {
    const set = wordSet(index, scratch, word)
    if (set.count === 0) return undefined
    sets.push(set)
  }
  const thresholds: Threshold[] = []
  if (filter.minRating > 0) thresholds.push({ column: 'average', least: filter.minRating })
  if (filter.minViews > 0) thresholds.push({ column: 'views', least: filter.minViews })
  return { sets, thresholds }
}

/** Sets that a script with all these flags is in: one for the common flags together, which is kept, and each rare one's. */
export function flagSets(index: MemoryIndex, flags: readonly Flag[]): IdSet[] {
  const { labels, postings, derived } = index
  const sets = flags.map((flag) => postings.set(labels.flag(flag)))
  const isCommon = (_: Flag, at: number) => sets[at]?.bits !== undefined
  const common = flags.filter(isCommon)
  if (common.length < 2) return sets
  const mask = common.reduce((sum, flag) => sum | (1 << FLAGS.indexOf(flag)), 0)
  const key = `flags ${mask}`
  const rare = sets.filter(({ bits }) => bits === undefined)
  const kept = derived.get(key)
  if (kept) return [kept, ...rare]
  const bits = new Uint32Array(bitWords(postings.span + 1))
  intersectBits(
    sets.flatMap((set) => set.bits ?? []),
    bits,
  )
  return [derived.add(key, bits, { isIn: (row) => (row.flags & mask) === mask, byCounts: false }), ...rare]
}

/** The scripts that a filter leaves. A list or bits may be the query's scratch or the index's own: to be read at once. */
export function select(index: MemoryIndex, scratch: Scratch, filter: CatalogueFilter): IdSet {
  scratch.begin(index.postings.span)
  const wanted = wantedText(index, scratch, filter)
  if (!wanted) return NOTHING
  return meet(index, scratch, { ...wanted, sets: [...wanted.sets, ...flagSets(index, filter.flags)] })
}

export function meet(index: MemoryIndex, scratch: Scratch, { sets, thresholds }: Wanted): IdSet {
  const sorted = sets.toSorted((one, other) => one.count - other.count)
  const [smallest] = sorted
  if (smallest?.list) {
    return narrow(index, scratch.list(smallest.count), smallest.list, { sets: sorted.slice(1), thresholds })
  }
  for (const threshold of thresholds) sorted.push(thresholdSet(index, scratch, threshold))
  const [only] = sorted
  if (!only) return index.postings.set(index.labels.all)
  if (sorted.length === 1) return only
  const dense: Bits[] = []
  for (const { bits } of sorted) if (bits) dense.push(bits)
  if (dense.length < sorted.length) {
    const list = sorted.find((set) => set.list)?.list ?? new Uint32Array()
    const others = sorted.filter((set) => set.list !== list)
    return narrow(index, scratch.list(list.length), list, { sets: others, thresholds: [] })
  }
  const bits = scratch.takeBits()
  return { bits, count: intersectBits(dense, bits), isMade: true }
}

function narrow(index: MemoryIndex, into: Uint32Array, list: Uint32Array, { sets, thresholds }: Wanted): IdSet {
  let count = list.length
  into.set(list)
  for (const set of sets) count = keep(into, count, set)
  for (const threshold of thresholds) {
    const known = index.derived.get(thresholdKey(threshold))
    if (known) {
      count = keep(into, count, known)
      continue
    }
    const { column, least } = threshold
    let kept = 0
    for (let at = 0; at < count; at++) {
      const id = into[at] ?? 0
      if (valueOf(index, column, id) >= least) into[kept++] = id
    }
    count = kept
  }
  return { count, list: into.subarray(0, count), isMade: list.length >= MUCH }
}

function keep(ids: Uint32Array, count: number, { bits, list }: IdSet): number {
  let kept = 0
  if (bits) {
    for (let at = 0; at < count; at++) {
      const id = ids[at] ?? 0
      if (hasBit(bits, id)) ids[kept++] = id
    }
  } else if (list) {
    let from = 0
    for (let at = 0; at < count && from < list.length; at++) {
      const id = ids[at] ?? 0
      // Steps that double: the next one is near when both are of a size, and far when one is much longer.
      let step = 1
      while (from + step < list.length && (list[from + step] ?? 0) < id) step <<= 1
      from = lowerBound(list, id, from, Math.min(from + step, list.length))
      if (list[from] === id) ids[kept++] = id
    }
  }
  return kept
}
