import { type Bits, bitWords, clearBit, grownFor, hasBit, listBits, setBit } from '@scriptyard/catalogue-index'
import { Blocks, blockSize, PAGE_BITS, PAGE_MASK, PAGE_SIZE } from './blocks.ts'
import { asUint32, type SectionReader, type SectionWriter } from './sections.ts'
import type { Union } from './union.ts'

/** Ids in order, or bits; exactly one of the two. */
export interface IdSet {
  count: number
  list?: Uint32Array
  bits?: Bits
  /** Made for one query, which took some work. */
  isMade?: boolean
}

const DENSE = 0xffffffff
/** A list takes 32 bits an id, a bit set one bit for every id there is. */
const DENSE_SHARE = 32
const NOWHERE = new Uint32Array()
const LEAST_DENSE = 64
/** A list never crosses a page. */
const LONGEST_LIST = PAGE_SIZE / 2

/** The scripts of each term (a word's place, a tag, an author, a flag): sorted lists, or bit sets for the common ones. */
export class Postings {
  counts: Uint32Array = new Uint32Array(1024)
  addresses: Uint32Array = new Uint32Array(1024)
  pages: Uint32Array[] = []
  readonly blocks = new Blocks(() => this.pages.push(new Uint32Array(PAGE_SIZE)))
  readonly dense = new Map<number, Bits>()
  released: number[] = []
  terms = 0
  /** The highest id there is, or is expected. */
  span = 0

  async save(out: SectionWriter): Promise<void> {
    await out.put('counts', this.counts)
    await out.put('addresses', this.addresses)
    await out.putAll('lists', this.pages)
    await this.blocks.save(out, 'list blocks')
    await out.put('released', Uint32Array.from(this.released))
    await out.put('sizes', Uint32Array.from([this.terms, this.span]))
    await out.put('dense', Uint32Array.from(this.dense.keys()))
    await out.putAll('bits', [...this.dense.values()])
  }

  load(from: SectionReader): void {
    this.counts = from.uint32('counts')
    this.addresses = from.uint32('addresses')
    this.pages = from.all('lists').map(asUint32)
    this.blocks.load(from, 'list blocks')
    this.released = [...from.uint32('released')]
    const [terms = 0, span = 0] = from.uint32('sizes')
    this.terms = terms
    this.span = span
    const bits = from.all('bits').map(asUint32)
    for (const [place, term] of from.uint32('dense').entries()) this.dense.set(term, bits[place] ?? new Uint32Array())
  }

  create(): number {
    const released = this.released.pop()
    if (released !== undefined) return released
    if (this.terms === this.counts.length) {
      this.counts = doubled(this.counts)
      this.addresses = doubled(this.addresses)
    }
    return this.terms++
  }

  /** An empty term's number may be used again. */
  release(term: number): void {
    this.released.push(term)
  }

  count(term: number): number {
    return this.counts[term] ?? 0
  }

  set(term: number): IdSet {
    const count = this.count(term)
    if (count === 0) return { count, list: new Uint32Array() }
    const bits = this.dense.get(term)
    return bits ? { count, bits } : { count, list: this.#list(term, count) }
  }

  /** The scripts of a term go into a union. */
  addTo(union: Union, term: number): void {
    const bits = this.dense.get(term)
    if (bits) return union.addBits(bits)
    const from = (this.addresses[term] ?? 0) & PAGE_MASK
    union.add(this.#page(term), from, from + this.count(term))
  }

  has(term: number, id: number): boolean {
    const bits = this.dense.get(term)
    if (bits) return hasBit(bits, id)
    const list = this.#list(term, this.count(term))
    return list[lowerBound(list, id, 0, list.length)] === id
  }

  add(term: number, id: number): void {
    if (id > this.span) this.span = id
    const count = this.count(term)
    const bits = this.dense.get(term)
    if (bits) {
      const grown = grownFor(bits, id)
      if (grown !== bits) this.dense.set(term, grown)
      setBit(grown, id)
    } else if (this.#isLong(count)) {
      this.#makeDense(term, id)
    } else this.#insert(term, count, id)
    this.counts[term] = count + 1
  }

  /**
   * Fills empty lists: `counts` says by term how long each becomes, `each` gives every pair of a term and a script, those of
   * a term in the order of ids.
   */
  fill(counts: Uint32Array, each: (add: (term: number, id: number) => void) => void): void {
    const dense = Array.from<Bits | undefined>({ length: this.terms })
    for (let term = 0; term < this.terms; term++) {
      const count = counts[term] ?? 0
      if (count === 0) continue
      if (this.#isLong(count)) dense[term] = this.#openDense(term)
      else this.addresses[term] = this.blocks.take(blockSize(count))
    }
    each((term, id) => {
      const count = this.counts[term] ?? 0
      const address = this.addresses[term] ?? 0
      this.counts[term] = count + 1
      if (address === DENSE) setBit(dense[term] ?? NOWHERE, id)
      else (this.pages[address >>> PAGE_BITS] ?? NOWHERE)[(address & PAGE_MASK) + count] = id
    })
  }

  remove(term: number, id: number): void {
    const count = this.count(term) - 1
    this.counts[term] = count
    const bits = this.dense.get(term)
    if (bits) {
      clearBit(bits, id)
      if (!this.#isLong(count * 4)) this.#makeSparse(term, bits)
      return
    }
    const page = this.#page(term)
    const from = (this.addresses[term] ?? 0) & PAGE_MASK
    const at = lowerBound(this.#list(term, count + 1), id, 0, count + 1)
    page.copyWithin(from + at, from + at + 1, from + count + 1)
    if (count === 0) this.#giveBack(term, 1)
    else if (blockSize(count) !== blockSize(count + 1)) this.#move(term, count, count + 1)
  }

  #page(term: number): Uint32Array {
    return this.pages[(this.addresses[term] ?? 0) >>> PAGE_BITS] ?? new Uint32Array()
  }

  #list(term: number, count: number): Uint32Array {
    const from = (this.addresses[term] ?? 0) & PAGE_MASK
    return this.#page(term).subarray(from, from + count)
  }

  #insert(term: number, count: number, id: number): void {
    if (count === 0) this.addresses[term] = this.blocks.take(blockSize(1))
    else if (blockSize(count + 1) !== blockSize(count)) this.#move(term, count + 1, count)
    const page = this.#page(term)
    const from = (this.addresses[term] ?? 0) & PAGE_MASK
    let at = count
    if (count > 0 && (page[from + count - 1] ?? 0) > id) {
      at = lowerBound(this.#list(term, count), id, 0, count)
      page.copyWithin(from + at + 1, from + at, from + count)
    }
    page[from + at] = id
  }

  #move(term: number, newCount: number, oldCount: number): void {
    const list = this.#list(term, Math.min(newCount, oldCount))
    const old = this.addresses[term] ?? 0
    const address = this.blocks.take(blockSize(newCount))
    this.addresses[term] = address
    this.#page(term).set(list, address & PAGE_MASK)
    this.blocks.give(old, blockSize(oldCount))
  }

  #giveBack(term: number, count: number): void {
    this.blocks.give(this.addresses[term] ?? 0, blockSize(count))
  }

  #isLong(count: number): boolean {
    return count >= LEAST_DENSE && (count * DENSE_SHARE > this.span || count >= LONGEST_LIST)
  }

  #makeDense(term: number, id: number): void {
    const count = this.count(term)
    const list = this.#list(term, count)
    this.#giveBack(term, count)
    const bits = this.#openDense(term)
    for (const known of list) setBit(bits, known)
    setBit(bits, id)
  }

  #openDense(term: number): Bits {
    const bits = new Uint32Array(bitWords(this.span + 1024))
    this.addresses[term] = DENSE
    this.dense.set(term, bits)
    return bits
  }

  #makeSparse(term: number, bits: Bits): void {
    const count = this.count(term)
    this.dense.delete(term)
    if (count === 0) return
    const address = this.blocks.take(blockSize(count))
    this.addresses[term] = address
    listBits(bits, this.#page(term).subarray(address & PAGE_MASK))
  }
}

export function doubled(numbers: Uint32Array): Uint32Array {
  const grown = new Uint32Array(numbers.length * 2)
  grown.set(numbers)
  return grown
}

/** The first place from `from` to before `to` whose id is not below this one, or `to`. */
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
