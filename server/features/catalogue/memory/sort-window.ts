import type { Compare } from './ordering.ts'
import type { Window } from './page.ts'

/** The ids that sorting would bring to some places, in order, without sorting the rest (Hoare's selection). Mixes up `ids`. */
export function sortWindow(ids: Uint32Array, compare: Compare, { from, to }: Window): number[] {
  if (from > 0) partition(ids, compare, 0, ids.length - 1, from)
  if (to < ids.length) partition(ids, compare, from, ids.length - 1, to)
  return [...ids.subarray(from, to)].toSorted(compare)
}

/** Moves what belongs before a place there, and the rest behind it. */
function partition(ids: Uint32Array, compare: Compare, first: number, last: number, place: number): void {
  let [low, high] = [first, last]
  while (low < high) {
    const pivot = ids[(low + high) >>> 1] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while (compare(ids[left] ?? 0, pivot) < 0) left++
      while (compare(ids[right] ?? 0, pivot) > 0) right--
      if (left > right) break
      const moved = ids[left] ?? 0
      ids[left] = ids[right] ?? 0
      ids[right] = moved
      left++
      right--
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else return
  }
}
