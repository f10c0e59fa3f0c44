import { endianness } from 'node:os'

const DIGITS = 1 << 16
const SIGN = 0x80000000
/** The places of a 64-bit number's four digits and of its higher half, from the least. */
const [DIGIT_PLACES, HIGH] = endianness() === 'LE' ? [[0, 1, 2, 3], 1] : [[3, 2, 1, 0], 0]

/**
 * Sorts numbers by the key that stands under each and leaves those of equal keys in the order in which they came: by one
 * digit after the other, the least first (Knuth, The Art of Computer Programming 3, 5.2.5). Uses up both arrays; the keys
 * become bits that compare as they did.
 */
export function sortByKeys(numbers: Uint32Array, keys: Float64Array): Uint32Array {
  makeComparable(numbers, keys)
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, keys.length * DIGIT_PLACES.length)
  let from = numbers
  let into: Uint32Array = new Uint32Array(numbers.length)
  for (const place of DIGIT_PLACES) {
    const next = findPlaces(from, digits, place)
    if (!next) continue
    for (let at = 0; at < from.length; at++) {
      const number = from[at] ?? 0
      const digit = digits[number * DIGIT_PLACES.length + place] ?? 0
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

/** Positive numbers compare as their bits do once the sign is turned around, negative ones once all bits are. */
function makeComparable(numbers: Uint32Array, keys: Float64Array): void {
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    // There is one zero.
    keys[number] = (keys[number] ?? 0) + 0
    const [high, low] = [number * 2 + HIGH, number * 2 + 1 - HIGH]
    const isNegative = (halves[high] ?? 0) >= SIGN
    halves[high] = (halves[high] ?? 0) ^ (isNegative ? -1 : SIGN)
    if (isNegative) halves[low] = ~(halves[low] ?? 0)
  }
}

/** Where the first number of each digit belongs; undefined when all have the same digit here. */
function findPlaces(numbers: Uint32Array, digits: Uint16Array, place: number): Uint32Array | undefined {
  const counts = new Uint32Array(DIGITS)
  const digitOf = (number = 0) => digits[number * DIGIT_PLACES.length + place] ?? 0
  for (let at = 0; at < numbers.length; at++) {
    const digit = digitOf(numbers[at])
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
