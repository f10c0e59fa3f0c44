import { type Bits, hasBit, type IdSet, listBits, setBit } from './id-set.ts'
import type { QueryScratch } from './scratch.ts'
import type { SortedIdList } from './sorted-id-list.ts'
import type { IndexTuning } from './tuning.ts'

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

/**
 * The ids of a page, ascending in this order. Either walks the order from the nearer end, counting the documents of the
 * set, or selects and sorts by keys (for small sets and middle pages), whichever costs less.
 */
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

/** Sorts a page, which is short. */
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

/** Moves the ids that belong before `position` there, and the others behind it. */
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
