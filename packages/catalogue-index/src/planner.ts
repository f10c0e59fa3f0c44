import {
  addToBits,
  type Bits,
  bitSet,
  clearBit,
  countBits,
  EMPTY_SET,
  exclude,
  excludeBits,
  hasBit,
  type IdSet,
  intersectBits,
  listBits,
  listSet,
  retain,
  setBit,
} from './id-set.ts'
import type { QueryScratch } from './scratch.ts'
import type { IndexData } from './index-data.ts'
import { type CatalogueFilter, filterKey, type IndexTuning, type Minimum, prefixMatcher } from './schema.ts'
import type { Membership } from './set-cache.ts'
import type { SortedIdList } from './sort-orders.ts'

/** Sets that must all contain a document, minimums whose sets may not be computed yet, and sets that must not contain it. */
export interface Conditions {
  readonly sets: readonly IdSet[]
  readonly minimums: readonly Minimum[]
  readonly excluded?: readonly IdSet[]
}

/** A set, and whether computing it took long enough to cache it. */
export interface Intersection {
  readonly set: IdSet
  readonly isCostly: boolean
}

/** The documents that match a filter, from the filter cache if it has them. */
export function selectCached(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter): IdSet {
  const key = filterKey(filter)
  const cached = index.filters.get(key)
  if (cached) return cached
  const { set, isCostly } = select(index, scratch, filter)
  if (isCostly) index.filters.offer(key, set, index.maxId, membershipOf(index, filter))
  return set
}

export function select(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter): Intersection {
  const conditions = conditionsOf(index, scratch, filter)
  if (!conditions) return { set: EMPTY_SET, isCostly: false }
  return intersect(index, scratch, withFlags(index, conditions, filter.flags))
}

/** The conditions of a filter except its flags; undefined when one of them has no documents. */
export function conditionsOf(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter): Conditions | undefined {
  const { dimensions, postings } = index
  const sets: IdSet[] = []
  for (const name of filter.tags) {
    const tag = dimensions.findTagByName(name)
    if (!tag) return undefined
    sets.push(postings.set(tag.term))
  }
  if (filter.author !== undefined) {
    const term = dimensions.findAuthorTerm(filter.author)
    if (term === undefined) return undefined
    sets.push(postings.set(term))
  }
  for (const label of filter.labels) {
    const set = dimensions.labelSet(label)
    if (set.count === 0) return undefined
    sets.push(set)
  }
  for (const word of filter.words) {
    const set = prefixSet(index, scratch, word)
    if (set.count === 0) return undefined
    sets.push(set)
  }
  const excluded = filter.excludedLabels.map((label) => dimensions.labelSet(label)).filter(({ count }) => count > 0)
  return { sets, minimums: filter.minimums, excluded }
}

export function withFlags(index: IndexData, conditions: Conditions, flags: readonly string[]): Conditions {
  return { ...conditions, sets: [...conditions.sets, ...flagSets(index, flags)] }
}

/** One cached set for all frequent flags together, and the set of each rare flag. */
function flagSets(index: IndexData, flags: readonly string[]): IdSet[] {
  const { dimensions, postings, cache, schema } = index
  const sets = flags.map((flag) => postings.set(dimensions.flagTerm(flag)))
  const frequent = flags.filter((_, i) => sets[i]?.bits !== undefined)
  if (frequent.length < 2) return sets
  const mask = schema.flagMask(frequent)
  const key = `flags ${mask}`
  const rare = sets.filter(({ bits }) => bits === undefined)
  const cached = cache.get(key)
  if (cached) return [cached, ...rare]
  const bits = cache.allocate(index.maxId)
  const count = intersectBits(
    sets.flatMap((set) => set.bits ?? []),
    bits,
  )
  const membership = { isMember: isFlagged(mask), usesValues: false }
  return [cache.add(key, bits, membership, count), ...rare]
}

const isFlagged =
  (mask: number): Membership['isMember'] =>
  ({ flags }) =>
    (flags & mask) === mask

/**
 * The documents that meet all conditions. Starts from the smallest set. A list is narrowed by each further set, smallest
 * first: O(list × log of the distance between matches), and minimums are tested by value. Where all sets are bits, minimums
 * become cached bit sets and words are intersected: O(maxId / 32) for each set. Excluded sets come last.
 */
export function intersect(index: IndexData, scratch: QueryScratch, conditions: Conditions): Intersection {
  const { sets, minimums, excluded = [] } = conditions
  const sorted = sets.toSorted((one, other) => one.count - other.count)
  const [smallest] = sorted
  if (smallest?.list) return narrow(index, scratch, smallest.list, { sets: sorted.slice(1), minimums, excluded })
  for (const minimum of minimums) sorted.push(minimumSet(index, minimum))
  const [only = index.all] = sorted
  if (sorted.length < 2 && excluded.length === 0) return { set: only, isCostly: false }
  const dense: Bits[] = []
  for (const { bits } of sorted) if (bits) dense.push(bits)
  if (dense.length < sorted.length) {
    const list = sorted.find((set) => set.list)?.list ?? new Uint32Array()
    return narrow(index, scratch, list, { sets: sorted.filter((set) => set.list !== list), minimums: [], excluded })
  }
  const bits = scratch.takeBits()
  if (excluded.length === 0) return { set: bitSet(bits, intersectBits(dense, bits)), isCostly: true }
  if (dense.length > 1) intersectBits(dense, bits)
  else addToBits(bits, only)
  for (const set of excluded) excludeBits(bits, set)
  return { set: bitSet(bits, countBits(bits)), isCostly: true }
}

function narrow(index: IndexData, scratch: QueryScratch, list: Uint32Array, conditions: Conditions): Intersection {
  const ids = scratch.reserveList(list.length)
  let count = list.length
  ids.set(list)
  for (const set of conditions.sets) count = retain(ids, count, set)
  for (const minimum of conditions.minimums) {
    const cached = index.cache.get(minimumKey(minimum))
    count = cached ? retain(ids, count, cached) : retainReaching(index, ids, count, minimum)
  }
  for (const set of conditions.excluded ?? []) count = exclude(ids, count, set)
  return { set: listSet(scratch.commitList(ids, count)), isCostly: list.length >= index.tuning.minCostlyList }
}

/** Filters the first `count` ids in place to those whose value reaches a minimum; returns their number. */
function retainReaching(index: IndexData, ids: Uint32Array, count: number, { value, min }: Minimum): number {
  const values = index.columns.value(value)
  let remaining = 0
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0
    if (values.get(id) >= min) ids[remaining++] = id
  }
  return remaining
}

const minimumKey = ({ value, min }: Minimum) => `min ${value} ${min}`

function minimumSet(index: IndexData, minimum: Minimum): IdSet {
  const { columns, orders, cache, maxId } = index
  const key = minimumKey(minimum)
  const cached = cache.get(key)
  if (cached) return cached
  const values = columns.value(minimum.value)
  const order = orders.startingWith(minimum.value)
  const bits = cache.allocate(maxId)
  const from = order.countWhile((id) => values.get(id) < minimum.min)
  // The shorter part of the order is walked: the documents that reach the minimum, or those to remove from all.
  if (from < order.length / 2) {
    addToBits(bits, index.all)
    order.forEachPart(0, from, (chunk, start, end) => {
      for (let i = start; i < end; i++) clearBit(bits, chunk[i] ?? 0)
    })
  } else {
    order.forEachPart(from, order.length, (chunk, start, end) => {
      for (let i = start; i < end; i++) setBit(bits, chunk[i] ?? 0)
    })
  }
  return cache.add(key, bits, { isMember: (document) => values.of(document) >= minimum.min, usesValues: true })
}

/** From this many postings on, the union of a prefix is cached as bits. */
export const cachedUnionLimit = ({ tuning, maxId }: IndexData) => tuning.minCachedUnion + (maxId >>> 8)

function prefixSet(index: IndexData, scratch: QueryScratch, prefix: string): IdSet {
  const { vocabulary, postings, cache } = index
  const key = `prefix ${prefix}`
  const cached = cache.get(key)
  if (cached) return cached
  const terms: number[] = []
  let total = 0
  vocabulary.forEachTerm(prefix, (term) => {
    terms.push(term)
    total += postings.count(term)
  })
  const [only] = terms
  if (only !== undefined && terms.length === 1) return postings.set(only)
  // A list of few documents is intersected faster than bits of all ids.
  if (total < cachedUnionLimit(index)) return unite(index, scratch, terms, total)
  const bits = cache.allocate(index.maxId)
  for (const term of terms) addToBits(bits, postings.set(term))
  return cache.add(key, bits, { isMember: prefixMatcher(prefix), usesValues: false })
}

function unite({ postings }: IndexData, scratch: QueryScratch, terms: readonly number[], total: number): IdSet {
  for (const term of terms) postings.addTo(scratch.union, term)
  const list = scratch.reserveList(total)
  return listSet(scratch.commitList(list, scratch.union.drain(list)))
}

function membershipOf({ dimensions, columns, schema }: IndexData, filter: CatalogueFilter): Membership {
  const { author, labels, excludedLabels } = filter
  const hasFlags = isFlagged(schema.flagMask(filter.flags))
  const tags = filter.tags.map((name) => dimensions.findTagByName(name)?.info.id)
  const words = filter.words.map((word) => prefixMatcher(word))
  const minimums = filter.minimums.map(({ value, min }) => ({ values: columns.value(value), min }))
  const isMember: Membership['isMember'] = (document) =>
    hasFlags(document) &&
    (author === undefined || document.author === author) &&
    minimums.every(({ values, min }) => values.of(document) >= min) &&
    tags.every((tag) => tag !== undefined && document.tags.includes(tag)) &&
    labels.every((label) => document.labels.includes(label)) &&
    !excludedLabels.some((label) => document.labels.includes(label)) &&
    words.every((hasWord) => hasWord(document))
  return { isMember, usesValues: minimums.length > 0 }
}

/** Positions in ascending order, from `from` to before `to`. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** The documents of `set` at the positions of `window` in some sort order. */
export interface Page {
  readonly set: IdSet
  readonly window: Window
}

/** The positions of a page, counted from the low end of the order. */
export function windowOf(total: number, isDescending: boolean, offset: number, limit: number): Window {
  const [first, end] = [Math.min(offset, total), Math.min(offset + limit, total)]
  return isDescending ? { from: total - end, to: total - first } : { from: first, to: end }
}

/** The part of a window that falls on a group of `count` documents, the first of which has position `first`. */
export function windowWithin({ from, to }: Window, first: number, count: number): Window {
  return { from: Math.max(from - first, 0), to: Math.min(to - first, count) }
}

type CostModel = Pick<IndexTuning, 'walkCost' | 'sortCost'>

/** The ids of a page, ascending. Walks the order from its nearer end or sorts by keys, whichever costs less. */
export function findPage(
  { set, window }: Page,
  order: SortedIdList,
  scratch: QueryScratch,
  { walkCost, sortCost }: CostModel,
): number[] {
  const { from, to } = window
  if (from >= to) return []
  if (set.count === order.length) return order.slice(from, to)
  const fromNearerEnd = Math.min(to, set.count - from)
  const walk = ((fromNearerEnd * order.length) / set.count) * walkCost
  if (walk >= set.count * sortCost) return sortPage(set, order, window, scratch)
  const bits = bitsOf(set, scratch)
  return from <= set.count - to ? walkUp(bits, order, window) : walkDown(bits, set.count, order, window)
}

/** The set as bits, in scratch memory if it is a list. */
function bitsOf({ list, bits }: IdSet, scratch: QueryScratch): Bits {
  if (bits) return bits
  const taken = scratch.takeBits()
  for (const id of list ?? []) setBit(taken, id)
  return taken
}

function walkUp(bits: Bits, { chunks, sizes }: SortedIdList, { from, to }: Window): number[] {
  const ids: number[] = []
  let position = 0
  for (let i = 0; i < chunks.length && position < to; i++) {
    const chunk = chunks[i] ?? new Uint32Array()
    const size = sizes[i] ?? 0
    const inside = countIn(bits, chunk, size)
    if (position + inside > from) {
      for (let j = 0; j < size && position < to; j++) {
        const id = chunk[j] ?? 0
        if (hasBit(bits, id) && position++ >= from) ids.push(id)
      }
    } else position += inside
  }
  return ids
}

function walkDown(bits: Bits, count: number, { chunks, sizes }: SortedIdList, { from, to }: Window): number[] {
  const ids: number[] = []
  let position = count
  for (let i = chunks.length - 1; i >= 0 && position > from; i--) {
    const chunk = chunks[i] ?? new Uint32Array()
    const size = sizes[i] ?? 0
    const inside = countIn(bits, chunk, size)
    if (position - inside < to) {
      for (let j = size - 1; j >= 0 && position > from; j--) {
        const id = chunk[j] ?? 0
        if (hasBit(bits, id) && --position < to) ids.push(id)
      }
    } else position -= inside
  }
  return ids.toReversed()
}

/** How many ids of a chunk are in the set. Without a branch, which would be mispredicted half of the time. */
function countIn(bits: Bits, chunk: Uint32Array, size: number): number {
  let count = 0
  for (let i = 0; i < size; i++) {
    const id = chunk[i] ?? 0
    count += ((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1
  }
  return count
}

interface Sorting {
  ids: Uint32Array
  /** By the same index. */
  keys: Float64Array
  order: SortedIdList
}

/** The ids at some positions of the sorted set, without sorting the rest: quickselect (Hoare 1961) to both ends. */
function sortPage(set: IdSet, order: SortedIdList, { from, to }: Window, scratch: QueryScratch): number[] {
  const { ids, keys } = scratch.sortBuffers(set.count)
  if (set.list) ids.set(set.list)
  else if (set.bits) listBits(set.bits, ids)
  order.writeKeys(ids, keys)
  const sorting: Sorting = { ids, keys, order }
  if (from > 0) partition(sorting, 0, ids.length - 1, from)
  if (to < ids.length) partition(sorting, from, ids.length - 1, to)
  insertionSort(sorting, from, to)
  return [...ids.subarray(from, to)]
}

function insertionSort({ ids, keys, order }: Sorting, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const [id, key] = [ids[i] ?? 0, keys[i] ?? 0]
    let j = i
    for (; j > from; j--) {
      const [before, beforeKey] = [ids[j - 1] ?? 0, keys[j - 1] ?? 0]
      if (beforeKey < key || (beforeKey === key && order.compare(before, id) < 0)) break
      ids[j] = before
      keys[j] = beforeKey
    }
    ids[j] = id
    keys[j] = key
  }
}

/** Moves the ids that belong before `position` there, and the others after it. */
function partition({ ids, keys, order }: Sorting, first: number, last: number, position: number): void {
  let [low, high] = [first, last]
  while (low < high) {
    const middle = (low + high) >>> 1
    const pivot = ids[middle] ?? 0
    const key = keys[middle] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while ((keys[left] ?? 0) < key || (keys[left] === key && order.compare(ids[left] ?? 0, pivot) < 0)) left++
      while ((keys[right] ?? 0) > key || (keys[right] === key && order.compare(ids[right] ?? 0, pivot) > 0)) right--
      if (left > right) break
      const [moved, movedKey] = [ids[left] ?? 0, keys[left] ?? 0]
      ids[left] = ids[right] ?? 0
      keys[left] = keys[right] ?? 0
      ids[right] = moved
      keys[right] = movedKey
      left++
      right--
    }
    if (position <= right) high = right
    else if (position >= left) low = left
    else return
  }
}
