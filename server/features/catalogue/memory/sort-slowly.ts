import type { Compare } from './ordering.ts'
import type { Slices } from './slices.ts'

const RUN = 16
const STEPS_BETWEEN_LOOKS = 8192

/**
 * Sorts many numbers without keeping others from being served: short runs, merged from the bottom up. `keys` holds what
 * they are sorted by, under each number; equal keys are told apart by `compare`. Both arrays of numbers are used up.
 */
export async function sortSlowly(
  numbers: Uint32Array,
  keys: Float64Array,
  compare: Compare,
  slices: Slices,
): Promise<Uint32Array> {
  const isBefore = (one: number, other: number) => {
    const [a, b] = [keys[one] ?? 0, keys[other] ?? 0]
    return a < b || (a === b && compare(one, other) < 0)
  }
  for (let at = 0; at < numbers.length; at += RUN) {
    sortRun(numbers, at, Math.min(at + RUN, numbers.length), isBefore)
    if (at % STEPS_BETWEEN_LOOKS === 0 && slices.isDue) await slices.pause()
  }
  let from = numbers
  let into: Uint32Array = new Uint32Array(numbers.length)
  for (let width = RUN; width < numbers.length; width *= 2) {
    let steps = 0
    for (let at = 0; at < numbers.length; at += 2 * width) {
      const middle = Math.min(at + width, numbers.length)
      const end = Math.min(at + 2 * width, numbers.length)
      let [left, right] = [at, middle]
      for (let place = at; place < end; place++) {
        const takesLeft = left < middle && (right >= end || !isBefore(from[right] ?? 0, from[left] ?? 0))
        into[place] = (takesLeft ? from[left++] : from[right++]) ?? 0
        if (++steps % STEPS_BETWEEN_LOOKS === 0 && slices.isDue) await slices.pause()
      }
    }
    const merged = into
    into = from
    from = merged
  }
  return from
}

/** By insertion: quickest where few are compared. */
function sortRun(
  numbers: Uint32Array,
  from: number,
  to: number,
  isBefore: (one: number, other: number) => boolean,
): void {
  for (let at = from + 1; at < to; at++) {
    const number = numbers[at] ?? 0
    let place = at
    while (place > from && isBefore(number, numbers[place - 1] ?? 0)) {
      numbers[place] = numbers[place - 1] ?? 0
      place--
    }
    numbers[place] = number
  }
}
