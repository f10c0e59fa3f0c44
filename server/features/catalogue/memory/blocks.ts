import type { SectionReader, SectionWriter } from './sections.ts'

/** Blocks never cross a page, so that growing never copies what is there. */
export const PAGE_BITS = 18
export const PAGE_SIZE = 1 << PAGE_BITS
export const PAGE_MASK = PAGE_SIZE - 1

/** The block size for so many entries: a sixteenth to an eighth apart, so that sizes are few and little is left empty. */
export function blockSize(entries: number): number {
  if (entries <= 8) return Math.max(2, entries + (entries & 1))
  const step = Math.max(2, 1 << (28 - Math.clz32(entries - 1)))
  return Math.ceil(entries / step) * step
}

/** Hands out blocks of entries by address; the entries themselves stand in pages that the owner keeps. */
export class Blocks {
  readonly #free = new Map<number, number[]>()
  readonly #addPage: () => void
  #pages = 0
  #next = 0
  #end = 0

  constructor(addPage: () => void) {
    this.#addPage = addPage
  }

  take(size: number): number {
    const address = this.#free.get(size)?.pop()
    if (address !== undefined) return address
    if (this.#next + size > this.#end) this.#openPage()
    const taken = this.#next
    this.#next += size
    return taken
  }

  give(address: number, size: number): void {
    const free = this.#free.get(size)
    if (free) free.push(address)
    else this.#free.set(size, [address])
  }

  /** What is left of the last page becomes free blocks. */
  #openPage(): void {
    let left = this.#end - this.#next
    while (left >= 2) {
      let size = blockSize(left)
      if (size > left) size = blockSize(Math.floor(left * 0.75))
      if (size > left) break
      this.give(this.#next, size)
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
    for (let at = 3; at < numbers.length;) {
      const count = numbers[at + 1] ?? 0
      this.#free.set(numbers[at] ?? 0, [...numbers.subarray(at + 2, at + 2 + count)])
      at += 2 + count
    }
  }
}
