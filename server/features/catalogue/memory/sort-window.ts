import type { Ordering } from './ordering.ts'
import type { Window } from './page.ts'
import type { Scratch } from './scratch.ts'

/** The ids that sorting would bring to some places, in order, without sorting the rest (Hoare's selection). Mixes up `ids`. */
export function sortWindow(ids: Uint32Array, order: Ordering, { from, to }: Window, scratch: Scratch): number[] {
  const keys = scratch.keys(ids.length)
  order.writeKeys(ids, keys)
  const sorting: Sorting = { ids, keys, order }
  if (from > 0) partition(sorting, 0, ids.length - 1, from)
  if (to < ids.length) partition(sorting, from, ids.length - 1, to)
  sortPart(sorting, from, to)
  return [...ids.subarray(from, to)]
}

interface Sorting {
  ids: Uint32Array
  /** Of the ids, in their places. */
  keys: Float64Array
  order: Ordering
}

/** Sorts a page's places by insertion: they are few. */
function sortPart({ ids, keys, order }: Sorting, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const [id, key] = [ids[at] ?? 0, keys[at] ?? 0]
    let place = at
    for (; place > from; place--) {
      const [before, beforeKey] = [ids[place - 1] ?? 0, keys[place - 1] ?? 0]
      if (beforeKey < key || (beforeKey === key && order.compare(before, id) < 0)) break
      ids[place] = before
      keys[place] = beforeKey
    }
    ids[place] = id
    keys[place] = key
  }
}

/** Moves what belongs before a place there, and the rest behind it. */
function partition({ ids, keys, order }: Sorting, first: number, last: number, place: number): void {
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
    if (place <= right) high = right
    else if (place >= left) low = left
    else return
  }
}
