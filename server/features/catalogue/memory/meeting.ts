import { type Bits, countBoth, hasBit } from '@scriptyard/catalogue-index'
import type { IdSet } from './postings.ts'

/** How many are in both. */
export function countMeeting(one: IdSet, other: IdSet): number {
  if (one.bits && other.bits) return countBoth(one.bits, other.bits)
  if (one.list && other.bits) return countIn(one.list, other.bits)
  if (one.bits && other.list) return countIn(other.list, one.bits)
  return one.list && other.list ? countCommon(one.list, other.list) : 0
}

function countIn(list: Uint32Array, bits: Bits): number {
  let count = 0
  for (let at = 0; at < list.length; at++) if (hasBit(bits, list[at] ?? 0)) count++
  return count
}

function countCommon(one: Uint32Array, other: Uint32Array): number {
  let [count, a, b] = [0, 0, 0]
  while (a < one.length && b < other.length) {
    const difference = (one[a] ?? 0) - (other[b] ?? 0)
    if (difference === 0) count++
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return count
}
