import {
  allocateBits,
  type Bits,
  bitSet,
  clearBit,
  EMPTY_SET,
  growBits,
  hasBit,
  type IdSet,
  listBits,
  listSet,
  lowerBound,
  type OwnedBits,
  setBit,
} from './id-set.ts'
import type { UnionBuilder } from './scratch.ts'
import { DEFAULT_TUNING, type IndexTuning } from './schema.ts'
import { asUint32, type SectionReader, type SectionWriter } from './snapshot.ts'

/** Number of bits of an offset in a page. Blocks never cross a page, so that adding a page never copies existing data. */
export const PAGE_BITS = 18
export const PAGE_SIZE = 1 << PAGE_BITS
export const PAGE_MASK = PAGE_SIZE - 1

/** Size of the block for this many entries. Sizes are a 32nd to a 16th apart, so free blocks are reused. */
export function blockSize(entries: number): number {
  if (entries <= 8) return Math.max(2, entries + (entries & 1))
  const step = Math.max(2, 1 << (27 - Math.clz32(entries - 1)))
  return Math.ceil(entries / step) * step
}

/** Allocates blocks in pages that the caller owns, one free list per size. Addresses: `page << PAGE_BITS | offset`. */
export class BlockAllocator {
  readonly #free = new Map<number, number[]>()
  readonly #addPage: () => void
  #pages = 0
  #next = 0
  #end = 0

  /** `addPage` adds a page of `PAGE_SIZE` entries. */
  constructor(addPage: () => void) {
    this.#addPage = addPage
  }

  /** Returns the address of a block. `size` must come from `blockSize`. */
  allocate(size: number): number {
    const address = this.#free.get(size)?.pop()
    if (address !== undefined) return address
    if (this.#next + size > this.#end) this.#openPage()
    const allocated = this.#next
    this.#next += size
    return allocated
  }

  free(address: number, size: number): void {
    const free = this.#free.get(size)
    if (free) free.push(address)
    else this.#free.set(size, [address])
  }

  /** The remainder of the last page becomes free blocks. */
  #openPage(): void {
    let left = this.#end - this.#next
    while (left >= 2) {
      let size = blockSize(left)
      if (size > left) size = blockSize(Math.floor(left * 0.75))
      if (size > left) break
      this.free(this.#next, size)
      this.#next += size
      left -= size
    }
    this.#addPage()
    this.#next = this.#pages * PAGE_SIZE
    this.#pages++
    this.#end = this.#pages * PAGE_SIZE
  }

  save(out: SectionWriter, name: string): Promise<void> {
    const lists = [...this.#free].flatMap(([size, addresses]) => [size, addresses.length, ...addresses])
    return out.put(name, Uint32Array.from([this.#pages, this.#next, this.#end, ...lists]))
  }

  load(from: SectionReader, name: string): void {
    const numbers = from.uint32(name)
    this.#pages = numbers[0] ?? 0
    this.#next = numbers[1] ?? 0
    this.#end = numbers[2] ?? 0
    for (let i = 3; i < numbers.length;) {
      const count = numbers[i + 1] ?? 0
      this.#free.set(numbers[i] ?? 0, [...numbers.subarray(i + 2, i + 2 + count)])
      i += 2 + count
    }
  }
}

/** Address of a term whose documents are bits. */
const DENSE = 0xffffffff
/** A list takes 32 bits for each of its ids; a bit set takes one bit for every id of the index. */
const DENSE_SHARE = 32
/** A list never crosses a page. */
const MAX_LIST = PAGE_SIZE / 2
/** Room for new ids in a bit set: 128 bytes. */
const SPARE_IDS = 1024

/**
 * Inverted index: the documents of each term, as a sorted list or, for frequent terms, as bits. A term is anything by which
 * documents are found: a word in a field, a tag, an author, a flag. Terms are numbers that `create` assigns.
 */
export class Postings {
  readonly #minDenseCount: number
  #counts: Uint32Array = new Uint32Array(1024)
  #addresses: Uint32Array = new Uint32Array(1024)
  #pages: Uint32Array[] = []
  readonly #blocks = new BlockAllocator(() => this.#pages.push(new Uint32Array(PAGE_SIZE)))
  readonly #dense = new Map<number, OwnedBits>()
  #released: number[] = []
  #terms = 0
  /** The highest id in the index or, before a bulk build, the highest expected one. */
  maxId = 0

  constructor({ minDenseCount }: Pick<IndexTuning, 'minDenseCount'> = DEFAULT_TUNING) {
    this.#minDenseCount = minDenseCount
  }

  async save(out: SectionWriter): Promise<void> {
    await out.put('posting counts', this.#counts)
    await out.put('posting addresses', this.#addresses)
    await out.putAll('posting pages', 'uint32', this.#pages)
    await this.#blocks.save(out, 'posting blocks')
    await out.put('released terms', Uint32Array.from(this.#released))
    await out.put('posting sizes', Uint32Array.from([this.#terms, this.maxId]))
    await out.put('dense terms', Uint32Array.from(this.#dense.keys()))
    await out.putAll('dense bits', 'uint32', [...this.#dense.values()])
  }

  load(from: SectionReader): void {
    this.#counts = from.uint32('posting counts')
    this.#addresses = from.uint32('posting addresses')
    this.#pages = from.all('posting pages').map(asUint32)
    this.#blocks.load(from, 'posting blocks')
    this.#released = [...from.uint32('released terms')]
    const [terms = 0, maxId = 0] = from.uint32('posting sizes')
    this.#terms = terms
    this.maxId = maxId
    const bits = from.all('dense bits').map((bytes) => asUint32(bytes) as OwnedBits)
    for (const [i, term] of from.uint32('dense terms').entries()) this.#dense.set(term, bits[i] ?? allocateBits(0))
  }

  create(): number {
    const released = this.#released.pop()
    if (released !== undefined) return released
    if (this.#terms === this.#counts.length) {
      this.#counts = doubled(this.#counts)
      this.#addresses = doubled(this.#addresses)
    }
    return this.#terms++
  }

  /** Lets `create` reuse the number of a term without documents. */
  release(term: number): void {
    this.#released.push(term)
  }

  count(term: number): number {
    return this.#counts[term] ?? 0
  }

  /** The documents of a term, borrowed until the next change. */
  set(term: number): IdSet {
    const count = this.count(term)
    if (count === 0) return EMPTY_SET
    const bits = this.#dense.get(term)
    return bits ? bitSet(bits, count) : listSet(this.#list(term, count))
  }

  addTo(union: UnionBuilder, term: number): void {
    const bits = this.#dense.get(term)
    if (bits) return union.addBits(bits)
    const from = (this.#addresses[term] ?? 0) & PAGE_MASK
    union.add(this.#page(term), from, from + this.count(term))
  }

  has(term: number, id: number): boolean {
    const bits = this.#dense.get(term)
    if (bits) return hasBit(bits, id)
    const list = this.#list(term, this.count(term))
    return list[lowerBound(list, id, 0, list.length)] === id
  }

  /** Adds a document that the term does not have. O(count) for a list, O(1) for bits. */
  add(term: number, id: number): void {
    if (id > this.maxId) this.maxId = id
    const count = this.count(term)
    const bits = this.#dense.get(term)
    if (bits) {
      const grown = growBits(bits, id)
      if (grown !== bits) this.#dense.set(term, grown)
      setBit(grown, id)
    } else if (this.#isDense(count)) {
      this.#makeDense(term, id)
    } else this.#insert(term, count, id)
    this.#counts[term] = count + 1
  }

  /** Fills all terms, which must be empty. `counts` are final; documents of a term must come by ascending id. */
  fill(counts: Uint32Array, forEach: (add: (term: number, id: number) => void) => void): void {
    const dense = Array.from<Bits | undefined>({ length: this.#terms })
    for (let term = 0; term < this.#terms; term++) {
      const count = counts[term] ?? 0
      if (count === 0) continue
      if (this.#isDense(count)) dense[term] = this.#openDense(term)
      else this.#addresses[term] = this.#blocks.allocate(blockSize(count))
    }
    const none = new Uint32Array()
    const [finalCounts, addresses, pages] = [this.#counts, this.#addresses, this.#pages]
    forEach((term, id) => {
      const count = finalCounts[term] ?? 0
      const address = addresses[term] ?? 0
      finalCounts[term] = count + 1
      if (address === DENSE) setBit(dense[term] ?? none, id)
      else (pages[address >>> PAGE_BITS] ?? none)[(address & PAGE_MASK) + count] = id
    })
  }

  remove(term: number, id: number): void {
    const count = this.count(term) - 1
    this.#counts[term] = count
    const bits = this.#dense.get(term)
    if (bits) {
      clearBit(bits, id)
      // Well below the limit, so that a term does not switch between list and bits with every change.
      if (!this.#isDense(count * 4)) this.#makeSparse(term, bits)
      return
    }
    const page = this.#page(term)
    const from = (this.#addresses[term] ?? 0) & PAGE_MASK
    const i = lowerBound(this.#list(term, count + 1), id, 0, count + 1)
    page.copyWithin(from + i, from + i + 1, from + count + 1)
    if (count === 0) this.#free(term, 1)
    else if (blockSize(count) !== blockSize(count + 1)) this.#move(term, count, count + 1)
  }

  #page(term: number): Uint32Array {
    return this.#pages[(this.#addresses[term] ?? 0) >>> PAGE_BITS] ?? new Uint32Array()
  }

  #list(term: number, count: number): Uint32Array {
    const from = (this.#addresses[term] ?? 0) & PAGE_MASK
    return this.#page(term).subarray(from, from + count)
  }

  #insert(term: number, count: number, id: number): void {
    if (count === 0) this.#addresses[term] = this.#blocks.allocate(blockSize(1))
    else if (blockSize(count + 1) !== blockSize(count)) this.#move(term, count + 1, count)
    const page = this.#page(term)
    const from = (this.#addresses[term] ?? 0) & PAGE_MASK
    let i = count
    if (count > 0 && (page[from + count - 1] ?? 0) > id) {
      i = lowerBound(this.#list(term, count), id, 0, count)
      page.copyWithin(from + i + 1, from + i, from + count)
    }
    page[from + i] = id
  }

  #move(term: number, newCount: number, oldCount: number): void {
    const list = this.#list(term, Math.min(newCount, oldCount))
    const old = this.#addresses[term] ?? 0
    const address = this.#blocks.allocate(blockSize(newCount))
    this.#addresses[term] = address
    this.#page(term).set(list, address & PAGE_MASK)
    this.#blocks.free(old, blockSize(oldCount))
  }

  #free(term: number, count: number): void {
    this.#blocks.free(this.#addresses[term] ?? 0, blockSize(count))
  }

  #isDense(count: number): boolean {
    return count >= this.#minDenseCount && (count * DENSE_SHARE > this.maxId || count >= MAX_LIST)
  }

  #makeDense(term: number, id: number): void {
    const count = this.count(term)
    const list = this.#list(term, count)
    this.#free(term, count)
    const bits = this.#openDense(term)
    for (const known of list) setBit(bits, known)
    setBit(bits, id)
  }

  #openDense(term: number): Bits {
    const bits = allocateBits(this.maxId + SPARE_IDS)
    this.#addresses[term] = DENSE
    this.#dense.set(term, bits)
    return bits
  }

  #makeSparse(term: number, bits: Bits): void {
    const count = this.count(term)
    this.#dense.delete(term)
    if (count === 0) return
    const address = this.#blocks.allocate(blockSize(count))
    this.#addresses[term] = address
    listBits(bits, this.#page(term).subarray(address & PAGE_MASK))
  }
}

export function doubled(numbers: Uint32Array): Uint32Array {
  const grown = new Uint32Array(numbers.length * 2)
  grown.set(numbers)
  return grown
}
