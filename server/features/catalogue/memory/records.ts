import { Blocks, blockSize, PAGE_BITS, PAGE_MASK, PAGE_SIZE } from './blocks.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

/** What a script's record says. */
export interface Contents {
  title: Uint8Array
  /** Both in ascending order. */
  tags: ArrayLike<number>
  terms: ArrayLike<number>
}

const LONGEST = PAGE_SIZE / 4

/**
 * What differs in length from script to script, as bytes by id: the title's key (its UTF-8 order is the order of code
 * points), the terms of its tags, and those of its author and words. Numbers are written as differences, seven bits a byte.
 */
export class Records {
  /** By id; 0 is none, else the address and one. */
  addresses: Uint32Array = new Uint32Array(1024)
  pages: Uint8Array[] = []
  readonly blocks = new Blocks(() => this.pages.push(new Uint8Array(PAGE_SIZE)))
  readonly #scratch = new Uint8Array(LONGEST)
  #read: Uint8Array = new Uint8Array()
  #at = 0

  async save(out: SectionWriter): Promise<void> {
    await out.put('record addresses', this.addresses)
    await out.putAll('records', this.pages)
    await this.blocks.save(out, 'record blocks')
  }

  load(from: SectionReader): void {
    this.addresses = from.uint32('record addresses')
    this.pages = [...from.all('records')]
    this.blocks.load(from, 'record blocks')
  }

  has(id: number): boolean {
    return (this.addresses[id] ?? 0) > 0
  }

  write(id: number, { title, tags, terms }: Contents): void {
    this.remove(id)
    this.#at = 0
    this.#put(title.length)
    this.#scratch.set(title, this.#at)
    this.#at += title.length
    this.#putAll(tags)
    this.#putAll(terms)
    const length = this.#at
    if (length > LONGEST) throw new Error(`Script ${id} has more words than a record holds`)
    // The length stands first, so that its block can be given back.
    this.#putLength(id, length)
  }

  #putLength(id: number, length: number): void {
    const address = this.blocks.take(blockSize(length + 3))
    const page = this.pages[address >>> PAGE_BITS] ?? new Uint8Array()
    const at = address & PAGE_MASK
    page[at] = length & 255
    page[at + 1] = (length >>> 8) & 255
    page[at + 2] = length >>> 16
    page.set(this.#scratch.subarray(0, length), at + 3)
    if (id >= this.addresses.length) {
      const grown = new Uint32Array(id + (id >>> 3) + 1024)
      grown.set(this.addresses)
      this.addresses = grown
    }
    this.addresses[id] = address + 1
  }

  remove(id: number): void {
    if (!this.has(id)) return
    this.#open(id)
    const at = this.#at - 3
    const page = this.#read
    const length = (page[at] ?? 0) | ((page[at + 1] ?? 0) << 8) | ((page[at + 2] ?? 0) << 16)
    this.blocks.give((this.addresses[id] ?? 1) - 1, blockSize(length + 3))
    this.addresses[id] = 0
  }

  compareTitles(one: number, other: number): number {
    this.#open(one)
    const oneLength = this.#get()
    const [onePage, oneAt] = [this.#read, this.#at]
    this.#open(other)
    const otherLength = this.#get()
    const [page, at] = [this.#read, this.#at]
    const shorter = Math.min(oneLength, otherLength)
    for (let byte = 0; byte < shorter; byte++) {
      const difference = (onePage[oneAt + byte] ?? 0) - (page[at + byte] ?? 0)
      if (difference !== 0) return difference
    }
    return oneLength - otherLength
  }

  /** The first six bytes of the title's key as a number: they compare as the titles do. */
  titleStart(id: number): number {
    this.#open(id)
    const length = this.#get()
    let start = 0
    for (let byte = 0; byte < 6; byte++) start = start * 256 + (byte < length ? (this.#read[this.#at + byte] ?? 0) : 0)
    return start
  }

  title(id: number): Uint8Array {
    this.#open(id)
    const length = this.#get()
    return this.#read.subarray(this.#at, this.#at + length)
  }

  eachTag(id: number, visit: (term: number) => void): void {
    this.#open(id)
    const length = this.#get()
    this.#at += length
    this.#each(visit)
  }

  /** All terms but the plain ones, the tags' first. */
  eachTerm(id: number, visit: (term: number) => void): void {
    this.eachTag(id, visit)
    this.#each(visit)
  }

  #each(visit: (term: number) => void): void {
    const count = this.#get()
    let term = 0
    for (let read = 0; read < count; read++) {
      term += this.#get()
      visit(term)
    }
  }

  #open(id: number): void {
    const address = (this.addresses[id] ?? 1) - 1
    this.#read = this.pages[address >>> PAGE_BITS] ?? this.#read
    this.#at = (address & PAGE_MASK) + 3
  }

  #get(): number {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#read[this.#at++] ?? 0
      number |= (byte & 127) << shift
      if (byte < 128) return number
    }
  }

  #put(number: number): void {
    let rest = number
    while (rest > 127) {
      this.#scratch[this.#at++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#scratch[this.#at++] = rest
  }

  #putAll(ascending: ArrayLike<number>): void {
    this.#put(ascending.length)
    let last = 0
    for (let at = 0; at < ascending.length; at++) {
      const number = ascending[at] ?? 0
      this.#put(number - last)
      last = number
    }
  }
}
