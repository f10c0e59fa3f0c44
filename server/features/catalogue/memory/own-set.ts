import { type Bits, clearBit, grownFor, hasBit, listBits, setBit } from '@scriptyard/catalogue-index'
import { type IdSet, lowerBound } from './postings.ts'

/** A list of a thirty-second of all ids is as long as bits for all; one half as long has room to grow. */
const LIST_SHARE = 64

/** A set that is nobody else's, so that ids can come in and go out: bits, or a list where that is shorter. */
export class OwnSet {
  #count: number
  #bits: Bits | undefined
  #list = new Uint32Array()

  /** Takes the bits over. */
  constructor(bits: Bits, count: number) {
    this.#count = count
    if (count * LIST_SHARE < bits.length * 32) {
      this.#list = new Uint32Array(count)
      listBits(bits, this.#list)
    } else this.#bits = bits
  }

  /** Good until it changes. */
  get ids(): IdSet {
    const count = this.#count
    return this.#bits ? { count, bits: this.#bits } : { count, list: this.#list.subarray(0, count) }
  }

  get bytes(): number {
    return (this.#bits ?? this.#list).byteLength
  }

  has(id: number): boolean {
    if (this.#bits) return hasBit(this.#bits, id)
    const place = this.#placeOf(id)
    return place < this.#count && this.#list[place] === id
  }

  /** One that is not in it. */
  add(id: number): void {
    if (this.#bits) {
      this.#bits = grownFor(this.#bits, id)
      setBit(this.#bits, id)
    } else {
      if (this.#count === this.#list.length) this.#grow()
      const place = this.#placeOf(id)
      this.#list.copyWithin(place + 1, place, this.#count)
      this.#list[place] = id
    }
    this.#count++
  }

  /** One that is in it. */
  delete(id: number): void {
    if (this.#bits) clearBit(this.#bits, id)
    else {
      const place = this.#placeOf(id)
      this.#list.copyWithin(place, place + 1, this.#count)
    }
    this.#count--
  }

  #placeOf(id: number): number {
    return lowerBound(this.#list, id, 0, this.#count)
  }

  #grow(): void {
    const grown = new Uint32Array(this.#count + (this.#count >>> 3) + 16)
    grown.set(this.#list)
    this.#list = grown
  }
}
