import { endianness } from 'node:os'
import type { Compare, WriteKeys } from './sort-orders.ts'

const DIGITS = 1 << 16
const SIGN = 0x80000000
/** Offsets of the four digits of a 64-bit number, lowest first, and of its higher half. */
const [DIGIT_OFFSETS, HIGH_HALF] = endianness() === 'LE' ? [[0, 1, 2, 3], 1] : [[3, 2, 1, 0], 0]

/** Numbers whose keys are written at a time, into 64 KB. */
const KEY_BATCH_SIZE = 8192

/** Sorts numbers by keys and, where keys are equal, by comparison. Returns a new array. O(n) without equal keys. */
export function sortByOrder(
  numbers: Uint32Array,
  { compare, writeKeys }: { compare: Compare; writeKeys: WriteKeys },
): Uint32Array {
  const keys = new Float64Array(numbers.reduce((max, number) => Math.max(max, number), -1) + 1)
  const buffer = new Float64Array(KEY_BATCH_SIZE)
  for (let from = 0; from < numbers.length; from += KEY_BATCH_SIZE) {
    const part = numbers.subarray(from, from + KEY_BATCH_SIZE)
    writeKeys(part, buffer)
    for (let i = 0; i < part.length; i++) keys[part[i] ?? 0] = buffer[i] ?? 0
  }
  const sorted = radixSort(numbers.slice(), keys)
  const halves = new Uint32Array(keys.buffer)
  const isEqual = (a = 0, b = 0) => halves[a * 2] === halves[b * 2] && halves[a * 2 + 1] === halves[b * 2 + 1]
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    let isOrdered = true
    for (to = from + 1; to < sorted.length && isEqual(sorted[from], sorted[to]); to++) {
      isOrdered &&= compare(sorted[to - 1] ?? 0, sorted[to] ?? 0) < 0
    }
    if (!isOrdered) sorted.set(sorted.subarray(from, to).toSorted(compare), from)
  }
  return sorted
}

/**
 * Stable LSD radix sort of numbers by the key at the index of each (Knuth, The Art of Computer Programming, volume 3, section
 * 5.2.5). Overwrites both arrays: the keys become bit patterns that compare like the keys.
 */
function radixSort(numbers: Uint32Array, keys: Float64Array): Uint32Array {
  makeComparable(numbers, keys)
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, keys.length * DIGIT_OFFSETS.length)
  let from = numbers
  let into: Uint32Array = new Uint32Array(numbers.length)
  for (const offset of DIGIT_OFFSETS) {
    const next = findStarts(from, digits, offset)
    if (!next) continue
    for (let i = 0; i < from.length; i++) {
      const number = from[i] ?? 0
      const digit = digits[number * DIGIT_OFFSETS.length + offset] ?? 0
      const to = next[digit] ?? 0
      next[digit] = to + 1
      into[to] = number
    }
    const sorted = into
    into = from
    from = sorted
  }
  return from
}

/** Doubles compare like their bits once the sign bit of positive ones and all bits of negative ones are inverted. */
function makeComparable(numbers: Uint32Array, keys: Float64Array): void {
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0
    // Turns -0 into 0.
    keys[number] = (keys[number] ?? 0) + 0
    const [high, low] = [number * 2 + HIGH_HALF, number * 2 + 1 - HIGH_HALF]
    const isNegative = (halves[high] ?? 0) >= SIGN
    halves[high] = (halves[high] ?? 0) ^ (isNegative ? -1 : SIGN)
    if (isNegative) halves[low] = ~(halves[low] ?? 0)
  }
}

/** Index of the first number of each digit in the sorted array; undefined when all numbers have the same digit. */
function findStarts(numbers: Uint32Array, digits: Uint16Array, offset: number): Uint32Array | undefined {
  const counts = new Uint32Array(DIGITS)
  const digitOf = (number = 0) => digits[number * DIGIT_OFFSETS.length + offset] ?? 0
  for (let i = 0; i < numbers.length; i++) {
    const digit = digitOf(numbers[i])
    counts[digit] = (counts[digit] ?? 0) + 1
  }
  if (counts[digitOf(numbers[0])] === numbers.length) return undefined
  let before = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit] ?? 0
    counts[digit] = before
    before += count
  }
  return counts
}
