import type { Compare } from './ordering.ts'
import type { Slices } from './slices.ts'

const RUN = 1024
const STEPS_BETWEEN_LOOKS = 8192

/** Sorts many numbers without keeping others from being served: short runs, merged from the bottom up. */
export async function sortSlowly(numbers: Uint32Array, compare: Compare, slices: Slices): Promise<Uint32Array> {
  for (let at = 0; at < numbers.length; at += RUN) {
    numbers.subarray(at, at + RUN).sort(compare)
    if (slices.isDue) await slices.pause()
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
        const takesLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0)
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
