import type { Compare } from './ordering.ts'
import { sortByKeys, STEPS_BETWEEN_LOOKS } from './radix-sort.ts'
import type { Slices } from './slices.ts'

const RUN = 16

/**
 * Sorts many numbers without keeping others from being served. `keys` holds what they are sorted by, under each number;
 * equal keys are told apart by `compare`. Both arrays of numbers are used up.
 */
export async function sortSlowly(
  numbers: Uint32Array,
  keys: Float64Array,
  compare: Compare,
  slices: Slices,
): Promise<Uint32Array> {
  const sorted = await sortByKeys(numbers, keys, slices)
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  const isEqual = (one = 0, other = 0) =>
    halves[one * 2] === halves[other * 2] && halves[one * 2 + 1] === halves[other * 2 + 1]
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    let isOrdered = true
    for (to = from + 1; to < sorted.length && isEqual(sorted[from], sorted[to]); to++) {
      isOrdered &&= compare(sorted[to - 1] ?? 0, sorted[to] ?? 0) < 0
      if (to % STEPS_BETWEEN_LOOKS === 0 && slices.isDue) await slices.pause()
    }
    if (!isOrdered) await sortPart(sorted.subarray(from, to), compare, slices)
    if (slices.isDue) await slices.pause()
  }
  return sorted
}

/** Sorts in place: short runs, merged from the bottom up. */
async function sortPart(numbers: Uint32Array, compare: Compare, slices: Slices): Promise<void> {
  for (let at = 0; at < numbers.length; at += RUN) {
    sortRun(numbers, at, Math.min(at + RUN, numbers.length), compare)
    if (at % STEPS_BETWEEN_LOOKS === 0 && slices.isDue) await slices.pause()
  }
  let from = numbers
  let into: Uint32Array = numbers.length > RUN ? new Uint32Array(numbers.length) : numbers
  for (let width = RUN; width < numbers.length; width *= 2) {
    let steps = 0
    for (let at = 0; at < numbers.length; at += 2 * width) {
      const middle = Math.min(at + width, numbers.length)
      const end = Math.min(at + 2 * width, numbers.length)
      let [left, right] = [at, middle]
      for (let place = at; place < end; place++) {
        const takesLeft = left < middle && (right >= end || compare(from[right] ?? 0, from[left] ?? 0) > 0)
        into[place] = (takesLeft ? from[left++] : from[right++]) ?? 0
        if (++steps % STEPS_BETWEEN_LOOKS === 0 && slices.isDue) await slices.pause()
      }
    }
    const merged = into
    into = from
    from = merged
  }
  if (from !== numbers) numbers.set(from)
}

/** By insertion: quickest where few are compared. */
function sortRun(numbers: Uint32Array, from: number, to: number, compare: Compare): void {
  for (let at = from + 1; at < to; at++) {
    const number = numbers[at] ?? 0
    let place = at
    while (place > from && compare(number, numbers[place - 1] ?? 0) < 0) {
      numbers[place] = numbers[place - 1] ?? 0
      place--
    }
    numbers[place] = number
  }
}
