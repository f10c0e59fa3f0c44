import { type Bits, bitWords, type ScratchBits } from './id-set.ts'

/** Memory for one query at a time, reused by the next one. A query runs synchronously, so two never overlap. */
export class ScratchPool {
  readonly #memory = new ScratchMemory()

  /** Starts a query over ids up to `maxId`; the scratch of the previous query must not be used any more. */
  open(maxId: number): QueryScratch {
    return new QueryScratch(this.#memory, maxId)
  }
}

class ScratchMemory {
  readonly bits: Bits[] = []
  list = new Uint32Array(4096)
  sortIds = new Uint32Array(4096)
  sortKeys = new Float64Array(4096)
  scores = new Uint8Array()
  readonly union = new UnionBuilder()
}

/** Memory that one query borrows until it ends; sort buffers and the score table only until the next call for them. */
export class QueryScratch {
  readonly #memory: ScratchMemory
  readonly #words: number
  #usedBits = 0
  #usedList = 0
  /** Empty until ids are added, and again after `UnionBuilder.drain`. */
  readonly union: UnionBuilder

  constructor(memory: ScratchMemory, maxId: number) {
    this.#memory = memory
    this.#words = bitWords(maxId + 1)
    this.union = memory.union
    this.union.reserve(maxId)
  }

  takeBits(): ScratchBits {
    const { bits } = this.#memory
    const i = this.#usedBits++
    const known = bits[i]
    if (known && known.length >= this.#words) return known.subarray(0, this.#words).fill(0) as ScratchBits
    const created = new Uint32Array(this.#words + (this.#words >>> 3))
    bits[i] = created
    return created.subarray(0, this.#words) as ScratchBits
  }

  /** Reserves a list. Call `commitList` with the filled part before reserving another one. */
  reserveList(length: number): Uint32Array {
    const memory = this.#memory
    if (this.#usedList + length > memory.list.length) {
      // Lists returned before keep the old memory alive until the query ends.
      memory.list = new Uint32Array((this.#usedList + length) * 1.5)
      this.#usedList = 0
    }
    return memory.list.subarray(this.#usedList, this.#usedList + length)
  }

  /** Returns the first `count` ids of the list that was just reserved and frees the rest of it. */
  commitList(reserved: Uint32Array, count: number): Uint32Array {
    this.#usedList += count
    return reserved.subarray(0, count)
  }

  sortBuffers(length: number): { ids: Uint32Array; keys: Float64Array } {
    const memory = this.#memory
    if (memory.sortIds.length < length) {
      memory.sortIds = new Uint32Array(length + (length >>> 1))
      memory.sortKeys = new Float64Array(length + (length >>> 1))
    }
    return { ids: memory.sortIds.subarray(0, length), keys: memory.sortKeys }
  }

  /** A number from 0 to 255 for every id, all 0. */
  takeScores(): Uint8Array {
    const memory = this.#memory
    if (memory.scores.length < this.#words * 32) memory.scores = new Uint8Array(this.#words * 36)
    return memory.scores.fill(0)
  }
}

/** Union of sets, ascending. A second bit set marks touched words, so the cost depends on the added ids only. */
export class UnionBuilder {
  #bits: Bits = new Uint32Array()
  #touched: Bits = new Uint32Array()

  reserve(maxId: number): void {
    const words = bitWords(maxId + 1)
    if (words <= this.#bits.length) return
    this.#bits = new Uint32Array(words + (words >>> 3))
    this.#touched = new Uint32Array(bitWords(this.#bits.length))
  }

  add(ids: Uint32Array, from = 0, to = ids.length): void {
    const [bits, touched] = [this.#bits, this.#touched]
    for (let i = from; i < to; i++) {
      const id = ids[i] ?? 0
      const word = id >>> 5
      bits[word] = (bits[word] ?? 0) | (1 << (id & 31))
      touched[word >>> 5] = (touched[word >>> 5] ?? 0) | (1 << (word & 31))
    }
  }

  addBits(bits: Bits): void {
    const words = Math.min(bits.length, this.#bits.length)
    for (let word = 0; word < words; word++) {
      if (bits[word] === 0) continue
      this.#bits[word] = (this.#bits[word] ?? 0) | (bits[word] ?? 0)
      this.#touched[word >>> 5] = (this.#touched[word >>> 5] ?? 0) | (1 << (word & 31))
    }
  }

  /** Writes the ids into `into`, returns how many there are and leaves the union empty. */
  drain(into: Uint32Array): number {
    const [bits, touched] = [this.#bits, this.#touched]
    let count = 0
    for (let i = 0; i < touched.length; i++) {
      for (let words = touched[i] ?? 0; words !== 0; words &= words - 1) {
        const word = (i << 5) + 31 - Math.clz32(words & -words)
        for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
          into[count++] = (word << 5) + 31 - Math.clz32(rest & -rest)
        }
        bits[word] = 0
      }
      touched[i] = 0
    }
    return count
  }
}
