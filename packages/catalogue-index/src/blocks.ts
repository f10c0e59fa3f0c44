import type { SectionReader, SectionWriter } from './snapshot.ts'

/** Number of bits of an offset in a page. Blocks never cross a page, so that adding a page never copies existing data. */
export const PAGE_BITS = 18
export const PAGE_SIZE = 1 << PAGE_BITS
export const PAGE_MASK = PAGE_SIZE - 1

/**
 * Size of the block for this many entries. Sizes are a sixteenth to an eighth apart: there are few of them, so that free
 * blocks are reused, and little of a block stays empty.
 */
export function blockSize(entries: number): number {
  if (entries <= 8) return Math.max(2, entries + (entries & 1))
  const step = Math.max(2, 1 << (28 - Math.clz32(entries - 1)))
  return Math.ceil(entries / step) * step
}

/**
 * Allocator of blocks in pages with one free list per size. It hands out addresses (`page << PAGE_BITS | offset`); the
 * caller owns the pages themselves.
 */
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
