import { type Bits, bitWords } from '@scriptyard/catalogue-index'
import { Union } from './union.ts'

/** Room that one query needs for a moment, kept for the next one. A query runs without a break, so nobody else is in it. */
export class Scratch {
  #bits: Bits[] = []
  #list = new Uint32Array(4096)
  #picking = new Uint32Array(4096)
  #keys = new Float64Array(4096)
  #best = new Uint8Array()
  #used = 0
  #words = 0
  readonly union = new Union()

  /** Begins a query over ids up to this one; what was taken before is free again. */
  begin(span: number): void {
    this.#used = 0
    this.#words = bitWords(span + 1)
    this.union.reserve(span)
  }

  /** An empty set. */
  takeBits(): Bits {
    const known = this.#bits[this.#used]
    if (known && known.length >= this.#words) {
      this.#used++
      return known.subarray(0, this.#words).fill(0)
    }
    this.#bits[this.#used++] = new Uint32Array(this.#words + (this.#words >>> 3))
    return (this.#bits[this.#used - 1] ?? new Uint32Array()).subarray(0, this.#words)
  }

  /** A small number for every id, all 0. */
  takeBest(): Uint8Array {
    if (this.#best.length < this.#words * 32) this.#best = new Uint8Array(this.#words * 36)
    return this.#best.fill(0)
  }

  /** The one list there is for what a query leaves. */
  list(length: number): Uint32Array {
    if (this.#list.length < length) this.#list = new Uint32Array(length + (length >>> 1))
    return this.#list
  }

  /** The one list there is for picking out of it, so long. */
  picking(length: number): Uint32Array {
    if (this.#picking.length < length) this.#picking = new Uint32Array(length + (length >>> 1))
    return this.#picking.subarray(0, length)
  }

  /** What a list is sorted by. */
  keys(length: number): Float64Array {
    if (this.#keys.length < length) this.#keys = new Float64Array(length + (length >>> 1))
    return this.#keys
  }
}
