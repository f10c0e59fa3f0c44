import { type Bits, hasBit, listBits, setBit } from '@scriptyard/catalogue-index'
import type { Ordering } from './ordering.ts'
import type { IdSet } from './postings.ts'
import type { Scratch } from './scratch.ts'
import { sortWindow } from './sort-window.ts'

export interface Window {
  /** Places in ascending order, from the first to before the last. */
  from: number
  to: number
}

/** Some places of an order that holds only what is in a set. */
export interface Places {
  set: IdSet
  window: Window
  scratch: Scratch
}

/** Which places of a group are in a window that counts all groups, where the group begins at `first`. It may be none. */
export function placesIn({ from, to }: Window, first: number, count: number): Window {
  return { from: Math.max(from - first, 0), to: Math.min(to - first, count) }
}

// What walking by one script and sorting one script take, in about nanoseconds.
const STEP = 2
const SORTING = 40

/** The places of a page, counted from the low end of the order. */
export function windowOf(total: number, isDescending: boolean, offset: number, limit: number): Window {
  const [first, end] = [Math.min(offset, total), Math.min(offset + limit, total)]
  return isDescending ? { from: total - end, to: total - first } : { from: first, to: end }
}

/** The ids of a set in some places of an order, ascending. */
export function pick(set: IdSet, order: Ordering, window: Window, scratch: Scratch): number[] {
  const { from, to } = window
  if (from >= to) return []
  if (set.count === order.length) return sliceOrder(order, window)
  const near = Math.min(to, set.count - from)
  const walking = ((near * order.length) / set.count) * STEP
  if (walking < set.count * SORTING) return walk(bitsOf(set, scratch), set.count, order, window)
  return sortWindow(copyTo(scratch.picking(set.count), set), order, window, scratch)
}

function bitsOf({ list, bits }: IdSet, scratch: Scratch): Bits {
  if (bits) return bits
  const made = scratch.takeBits()
  for (const id of list ?? []) setBit(made, id)
  return made
}

function copyTo(ids: Uint32Array, { list, bits }: IdSet): Uint32Array {
  if (list) ids.set(list)
  else if (bits) listBits(bits, ids)
  return ids
}

function sliceOrder(order: Ordering, { from, to }: Window): number[] {
  const ids: number[] = []
  order.walkFrom(from, (id) => ids.push(id) < to - from)
  return ids
}

/** Goes along the order from the nearer end, past those that are not in the set. */
function walk(bits: Bits, count: number, order: Ordering, window: Window): number[] {
  return window.from <= count - window.to ? walkUp(bits, order, window) : walkDown(bits, count, order, window)
}

function walkUp(bits: Bits, { chunks, sizes }: Ordering, { from, to }: Window): number[] {
  const ids: number[] = []
  let place = 0
  for (let at = 0; at < chunks.length && place < to; at++) {
    const chunk = chunks[at] ?? new Uint32Array()
    const size = sizes[at] ?? 0
    const inside = countIn(bits, chunk, size)
    if (place + inside > from) {
      for (let index = 0; index < size && place < to; index++) {
        const id = chunk[index] ?? 0
        if (hasBit(bits, id) && place++ >= from) ids.push(id)
      }
    } else place += inside
  }
  return ids
}

function walkDown(bits: Bits, count: number, { chunks, sizes }: Ordering, { from, to }: Window): number[] {
  const ids: number[] = []
  let place = count
  for (let at = chunks.length - 1; at >= 0 && place > from; at--) {
    const chunk = chunks[at] ?? new Uint32Array()
    const size = sizes[at] ?? 0
    const inside = countIn(bits, chunk, size)
    if (place - inside < to) {
      for (let index = size - 1; index >= 0 && place > from; index--) {
        const id = chunk[index] ?? 0
        if (hasBit(bits, id) && --place < to) ids.push(id)
      }
    } else place -= inside
  }
  return ids.toReversed()
}

/** How many of a chunk's ids are in the set: without a branch, which chance would make slow. */
function countIn(bits: Bits, chunk: Uint32Array, size: number): number {
  let count = 0
  for (let index = 0; index < size; index++) {
    const id = chunk[index] ?? 0
    count += ((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1
  }
  return count
}
