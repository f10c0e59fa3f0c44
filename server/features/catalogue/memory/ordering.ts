/** Half full after a split. Small enough to shift at once, large enough to walk quickly. */
const CHUNK = 1024

export type Compare = (one: number, other: number) => number

/**
 * Writes for each of these numbers a key that never falls along the order, so that most comparisons are of two keys; where
 * two are equal `Compare` decides.
 */
export type WriteKeys = (numbers: Uint32Array, keys: Float64Array) => void

/** Numbers kept in ascending order, in chunks, so that one moves without shifting the others. */
export class Ordering {
  chunks: Uint32Array[] = []
  sizes: number[] = []
  length = 0
  readonly compare: Compare
  readonly writeKeys: WriteKeys

  constructor(compare: Compare, writeKeys: WriteKeys = (_numbers, keys) => void keys.fill(0)) {
    this.compare = compare
    this.writeKeys = writeKeys
  }

  /** Takes over numbers that are in order already. */
  load(sorted: Uint32Array): void {
    const filled = CHUNK - CHUNK / 16
    this.chunks = []
    this.sizes = []
    this.length = sorted.length
    // One piece of memory for all: a thousand of their own would take as long as filling them.
    const room = new Uint32Array(Math.ceil(sorted.length / filled) * CHUNK)
    for (let at = 0; at < sorted.length; at += filled) {
      const part = sorted.subarray(at, at + filled)
      const from = this.chunks.length * CHUNK
      room.set(part, from)
      this.chunks.push(room.subarray(from, from + CHUNK))
      this.sizes.push(part.length)
    }
  }

  toArray(): Uint32Array {
    const numbers = new Uint32Array(this.length)
    let filled = 0
    for (const [at, chunk] of this.chunks.entries()) {
      numbers.set(chunk.subarray(0, this.sizes[at]), filled)
      filled += this.sizes[at] ?? 0
    }
    return numbers
  }

  /** The chunk that holds this number or would hold it: the last one that does not begin after it. */
  #chunkOf(number: number): number {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.compare(this.chunks[middle]?.[0] ?? 0, number) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  #placeIn(chunk: Uint32Array, size: number, number: number): number {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compare(chunk[middle] ?? 0, number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  insert(number: number): void {
    this.length++
    if (this.chunks.length === 0) {
      this.chunks.push(new Uint32Array(CHUNK))
      this.sizes.push(0)
    }
    let at = this.#chunkOf(number)
    if (this.sizes[at] === CHUNK) {
      this.#split(at)
      at = this.#chunkOf(number)
    }
    const chunk = this.chunks[at] ?? new Uint32Array()
    const size = this.sizes[at] ?? 0
    const place = this.#placeIn(chunk, size, number)
    chunk.copyWithin(place + 1, place, size)
    chunk[place] = number
    this.sizes[at] = size + 1
  }

  /** The number has to be there, with the keys that it was inserted with. */
  remove(number: number): void {
    const at = this.#chunkOf(number)
    const chunk = this.chunks[at] ?? new Uint32Array()
    const size = this.sizes[at] ?? 0
    const place = this.#placeIn(chunk, size, number)
    if (chunk[place] !== number) throw new Error(`${number} is not where it should be in its order`)
    chunk.copyWithin(place, place + 1, size)
    this.sizes[at] = size - 1
    this.length--
    if (size === 1) this.#drop(at)
    else if (size - 1 + (this.sizes[at + 1] ?? CHUNK) <= CHUNK / 2) this.#join(at)
  }

  #split(at: number): void {
    const chunk = this.chunks[at] ?? new Uint32Array()
    const half = CHUNK / 2
    const later = new Uint32Array(CHUNK)
    later.set(chunk.subarray(half))
    this.chunks.splice(at + 1, 0, later)
    this.sizes.splice(at, 1, half, half)
  }

  #join(at: number): void {
    const size = this.sizes[at] ?? 0
    const next = this.sizes[at + 1] ?? 0
    this.chunks[at]?.set(this.chunks[at + 1]?.subarray(0, next) ?? [], size)
    this.sizes[at] = size + next
    this.#drop(at + 1)
  }

  #drop(at: number): void {
    this.chunks.splice(at, 1)
    this.sizes.splice(at, 1)
  }

  /** The chunk and the place in it of the first for which this is not so; it has to hold for a beginning of the order. */
  #first(isBefore: (number: number) => boolean): [chunk: number, place: number] {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.chunks[middle]?.[0] ?? 0)) low = middle + 1
      else high = middle
    }
    if (low === 0) return [0, 0]
    const chunk = this.chunks[low - 1] ?? new Uint32Array()
    let [from, to] = [0, this.sizes[low - 1] ?? 0]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isBefore(chunk[middle] ?? 0)) from = middle + 1
      else to = middle
    }
    return [low - 1, from]
  }

  /** How many come before the first for which this is not so; it has to hold for a beginning of the order. */
  countWhile(isBefore: (number: number) => boolean): number {
    const [chunk, place] = this.#first(isBefore)
    let count = place
    for (let at = 0; at < chunk; at++) count += this.sizes[at] ?? 0
    return count
  }

  /** The numbers from the first on for which `isBefore` is not so, in order, until told to stop. */
  walkAfter(isBefore: (number: number) => boolean, visit: (number: number) => boolean): void {
    let [at, place] = this.#first(isBefore)
    for (; at < this.chunks.length; at++, place = 0) {
      const chunk = this.chunks[at] ?? new Uint32Array()
      const size = this.sizes[at] ?? 0
      for (; place < size; place++) if (!visit(chunk[place] ?? 0)) return
    }
  }

  /** The numbers from a place on, in order, until told to stop. */
  walkFrom(place: number, visit: (number: number) => boolean): void {
    this.eachPart(place, this.length, (chunk, from, to) => {
      for (let index = from; index < to; index++) if (!visit(chunk[index] ?? 0)) return false
      return true
    })
  }

  /** The chunks that hold these places, each with the part of it that does, until told to stop. */
  eachPart(from: number, to: number, visit: (chunk: Uint32Array, from: number, to: number) => boolean): void {
    let first = 0
    for (let at = 0; at < this.chunks.length && first < to; at++) {
      const size = this.sizes[at] ?? 0
      const [begin, end] = [Math.max(from - first, 0), Math.min(to - first, size)]
      if (begin < end && !visit(this.chunks[at] ?? new Uint32Array(), begin, end)) return
      first += size
    }
  }
}
