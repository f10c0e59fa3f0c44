declare const ownership: unique symbol

/** Bit set over document ids: bit `id & 31` of word `id >>> 5`. Bits beyond the end are off. */
export type Bits = Uint32Array

/** Bits without other references, so that a cache may store and change them. Made by `allocateBits` and `copyToBits`. */
export type OwnedBits = Bits & { readonly [ownership]: 'owned' }

/** Bits in the scratch space of one query, free again when it ends. Made by `QueryScratch` only. */
export type ScratchBits = Bits & { readonly [ownership]: 'scratch' }

/**
 * Borrowed, read-only set of ids: either a sorted list or bits, the other one is undefined. Its memory belongs to the
 * index or to the scratch space of a query: valid until the query ends or the index changes.
 */
export interface IdSet {
  readonly count: number
  readonly list: Uint32Array | undefined
  readonly bits: Bits | undefined
}

export const listSet = (list: Uint32Array): IdSet => ({ count: list.length, list, bits: undefined })
export const bitSet = (bits: Bits, count: number): IdSet => ({ count, list: undefined, bits })
export const EMPTY_SET: IdSet = listSet(new Uint32Array())

export const bitWords = (ids: number): number => (ids + 31) >>> 5

export const allocateBits = (maxId: number): OwnedBits => new Uint32Array(bitWords(maxId + 1)) as OwnedBits

export function copyToBits(set: IdSet, maxId: number): OwnedBits {
  const bits = allocateBits(maxId)
  addToBits(bits, set)
  return bits
}

export function hasBit(bits: Bits, id: number): boolean {
  return (((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1
}

export function setBit(bits: Bits, id: number): void {
  const word = id >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << (id & 31))
}

export function clearBit(bits: Bits, id: number): void {
  const word = id >>> 5
  if (word < bits.length) bits[word] = (bits[word] ?? 0) & ~(1 << (id & 31))
}

/** The same bits with room for `id` and an eighth more; `bits` itself when it has room. */
export function growBits<T extends Bits>(bits: T, id: number): T {
  if (id >>> 5 < bits.length) return bits
  const grown = new Uint32Array(bitWords(id + (id >>> 3) + 1024))
  grown.set(bits)
  return grown as Bits as T
}

/** Number of bits of a word that are on (Hacker's Delight, section 5-2). */
export function popcount(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let word = 0; word < bits.length; word++) count += popcount(bits[word] ?? 0)
  return count
}

/** Writes the intersection of one or more sets into `into` and returns its size. O(maxId / 32) for each set. */
export function intersectBits(sets: readonly Bits[], into: Bits): number {
  const [first = into, second = first, ...others] = sets
  const words = Math.min(into.length, ...sets.map((set) => set.length))
  into.fill(0, words)
  let left = first
  let right = second
  for (const next of others) {
    for (let i = 0; i < words; i++) into[i] = (left[i] ?? 0) & (right[i] ?? 0)
    left = into
    right = next
  }
  let count = 0
  for (let i = 0; i < words; i++) {
    const word = (left[i] ?? 0) & (right[i] ?? 0)
    into[i] = word
    count += popcount(word)
  }
  return count
}

/** Writes the ids that are on into `into`, ascending, and returns how many there are. */
export function listBits(bits: Bits, into: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] ?? 0
    while (word !== 0) {
      into[count++] = (i << 5) + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
  return count
}

/** Adds the ids of a set to `bits`; ids beyond its end are left out. */
export function addToBits(bits: Bits, set: IdSet): void {
  const { list } = set
  if (list) for (let i = 0; i < list.length; i++) setBit(bits, list[i] ?? 0)
  if (!set.bits) return
  const words = Math.min(bits.length, set.bits.length)
  for (let i = 0; i < words; i++) bits[i] = (bits[i] ?? 0) | (set.bits[i] ?? 0)
}

/** Index of the first element in `[from, to)` that is not below `id`, or `to`. Binary search. */
export function lowerBound(list: Uint32Array, id: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Like `lowerBound` to the end, by galloping (exponential) search: O(log distance) (Bentley and Yao 1976). */
export function gallop(list: Uint32Array, id: number, from: number): number {
  let step = 1
  while (from + step < list.length && (list[from + step] ?? 0) < id) step <<= 1
  return lowerBound(list, id, from, Math.min(from + step, list.length))
}

/** Filters the first `count` ids of a sorted list in place to those that are also in `set`; returns their number. */
export function retain(ids: Uint32Array, count: number, { bits, list }: IdSet): number {
  let remaining = 0
  if (bits) {
    for (let i = 0; i < count; i++) {
      const id = ids[i] ?? 0
      if (hasBit(bits, id)) ids[remaining++] = id
    }
  } else if (list) {
    let from = 0
    for (let i = 0; i < count && from < list.length; i++) {
      const id = ids[i] ?? 0
      from = gallop(list, id, from)
      if (list[from] === id) ids[remaining++] = id
    }
  }
  return remaining
}

/** Filters the first `count` ids of a sorted list in place to those that are not in `set`; returns their number. */
export function exclude(ids: Uint32Array, count: number, { bits, list }: IdSet): number {
  let remaining = 0
  let from = 0
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0
    if (list) from = gallop(list, id, from)
    const isMember = bits ? hasBit(bits, id) : list?.[from] === id
    if (!isMember) ids[remaining++] = id
  }
  return remaining
}

export function excludeBits(bits: Bits, set: IdSet): void {
  const { list } = set
  if (list) for (let i = 0; i < list.length; i++) clearBit(bits, list[i] ?? 0)
  if (!set.bits) return
  const words = Math.min(bits.length, set.bits.length)
  for (let i = 0; i < words; i++) bits[i] = (bits[i] ?? 0) & ~(set.bits[i] ?? 0)
}

/** Size of the intersection of two sets, without building it. */
export function intersectionSize(first: IdSet, second: IdSet): number {
  if (first.bits && second.bits) return countCommonBits(first.bits, second.bits)
  if (first.list && second.bits) return countIn(first.list, second.bits)
  if (first.bits && second.list) return countIn(second.list, first.bits)
  return first.list && second.list ? countCommonIds(first.list, second.list) : 0
}

function countCommonBits(first: Bits, second: Bits): number {
  const words = Math.min(first.length, second.length)
  let count = 0
  for (let i = 0; i < words; i++) count += popcount((first[i] ?? 0) & (second[i] ?? 0))
  return count
}

function countIn(list: Uint32Array, bits: Bits): number {
  let count = 0
  for (let i = 0; i < list.length; i++) if (hasBit(bits, list[i] ?? 0)) count++
  return count
}

function countCommonIds(first: Uint32Array, second: Uint32Array): number {
  let [count, i, j] = [0, 0, 0]
  while (i < first.length && j < second.length) {
    const difference = (first[i] ?? 0) - (second[j] ?? 0)
    if (difference === 0) count++
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return count
}

/** A list with a 64th of all ids takes half the memory of bits for all ids, which leaves room to grow. */
export const LIST_SHARE = 64

/** A set of ids that owns its memory: bits, or a sorted list if that is smaller. */
export class MutableIdSet {
  #count: number
  #bits: OwnedBits | undefined
  #list = new Uint32Array()

  /** Takes over `bits`, of which `count` are on. */
  constructor(bits: OwnedBits, count: number) {
    this.#count = count
    if (count * LIST_SHARE < bits.length * 32) {
      this.#list = new Uint32Array(count)
      listBits(bits, this.#list)
    } else this.#bits = bits
  }

  /** A borrowed view, valid until the next change. */
  get ids(): IdSet {
    return this.#bits ? bitSet(this.#bits, this.#count) : listSet(this.#list.subarray(0, this.#count))
  }

  get bits(): OwnedBits | undefined {
    return this.#bits
  }

  get bytes(): number {
    return (this.#bits ?? this.#list).byteLength
  }

  has(id: number): boolean {
    if (this.#bits) return hasBit(this.#bits, id)
    const i = this.#indexOf(id)
    return i < this.#count && this.#list[i] === id
  }

  /** Adds an id that is not in the set. */
  add(id: number): void {
    if (this.#bits) {
      this.#bits = growBits(this.#bits, id)
      setBit(this.#bits, id)
    } else {
      if (this.#count === this.#list.length) this.#growList()
      const i = this.#indexOf(id)
      this.#list.copyWithin(i + 1, i, this.#count)
      this.#list[i] = id
    }
    this.#count++
  }

  /** Removes an id that is in the set. */
  delete(id: number): void {
    if (this.#bits) clearBit(this.#bits, id)
    else {
      const i = this.#indexOf(id)
      this.#list.copyWithin(i, i + 1, this.#count)
    }
    this.#count--
  }

  #indexOf(id: number): number {
    return lowerBound(this.#list, id, 0, this.#count)
  }

  #growList(): void {
    const grown = new Uint32Array(this.#count + (this.#count >>> 3) + 16)
    grown.set(this.#list)
    this.#list = grown
  }
}
