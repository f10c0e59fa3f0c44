/** A set of ids: bit `id & 31` of word `id >>> 5`. Bits beyond the end are off. */
export type Bits = Uint32Array

export const bitWords = (ids: number): number => (ids + 31) >>> 5

export function hasBit(bits: Bits, id: number): boolean {
  return (((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1
}

export function setBit(bits: Bits, id: number): void {
  const at = id >>> 5
  bits[at] = (bits[at] ?? 0) | (1 << (id & 31))
}

export function clearBit(bits: Bits, id: number): void {
  const at = id >>> 5
  if (at < bits.length) bits[at] = (bits[at] ?? 0) & ~(1 << (id & 31))
}

/** The same bits with room for this id, and an eighth more. */
export function grownFor(bits: Bits, id: number): Bits {
  if (id >>> 5 < bits.length) return bits
  const grown = new Uint32Array(bitWords(id + (id >>> 3) + 1024))
  grown.set(bits)
  return grown
}

/** How many bits of a word are on (Hacker's Delight, 5-2). */
export function popcount(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function countBits(bits: Bits, words = bits.length): number {
  let count = 0
  for (let at = 0; at < words; at++) count += popcount(bits[at] ?? 0)
  return count
}

/** How many are in both. */
export function countBoth(one: Bits, other: Bits, words = Math.min(one.length, other.length)): number {
  let count = 0
  for (let at = 0; at < words; at++) count += popcount((one[at] ?? 0) & (other[at] ?? 0))
  return count
}

/** Writes what is in all of these into `into` and gives how many that are. */
export function intersectBits(sets: readonly Bits[], into: Bits): number {
  const [first = into, second = first, ...rest] = sets
  const words = Math.min(into.length, ...sets.map((set) => set.length))
  into.fill(0, words)
  let from = first
  let and = second
  for (const set of rest) {
    for (let at = 0; at < words; at++) into[at] = (from[at] ?? 0) & (and[at] ?? 0)
    from = into
    and = set
  }
  let count = 0
  for (let at = 0; at < words; at++) {
    const word = (from[at] ?? 0) & (and[at] ?? 0)
    into[at] = word
    count += popcount(word)
  }
  return count
}

/** Writes the ids that are on into `into`, in order, and gives how many that are. */
export function listBits(bits: Bits, into: Uint32Array, words = bits.length): number {
  let count = 0
  for (let at = 0; at < words; at++) {
    let word = bits[at] ?? 0
    while (word !== 0) {
      into[count++] = (at << 5) + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
  return count
}
