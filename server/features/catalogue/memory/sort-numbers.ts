import type { Ordering } from './ordering.ts'
import { sortByKeys } from './radix-sort.ts'

const PART = 8192

/** These numbers as an order has them: by its keys, and where two are equal by its comparison. */
export function sortNumbers(numbers: Uint32Array, { compare, writeKeys }: Pick<Ordering, 'compare' | 'writeKeys'>) {
  const keys = new Float64Array(numbers.reduce((most, number) => Math.max(most, number), -1) + 1)
  const some = new Float64Array(PART)
  for (let from = 0; from < numbers.length; from += PART) {
    const part = numbers.subarray(from, from + PART)
    writeKeys(part, some)
    for (let at = 0; at < part.length; at++) keys[part[at] ?? 0] = some[at] ?? 0
  }
  const sorted = sortByKeys(numbers.slice(), keys)
  const halves = new Uint32Array(keys.buffer)
  const isEqual = (one = 0, other = 0) =>
    halves[one * 2] === halves[other * 2] && halves[one * 2 + 1] === halves[other * 2 + 1]
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    let isOrdered = true
    for (to = from + 1; to < sorted.length && isEqual(sorted[from], sorted[to]); to++) {
      isOrdered &&= compare(sorted[to - 1] ?? 0, sorted[to] ?? 0) < 0
    }
    if (!isOrdered) sorted.set(sorted.subarray(from, to).toSorted(compare), from)
  }
  return sorted
}
