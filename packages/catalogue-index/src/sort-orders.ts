import type { Columns, DocumentValue, ForwardIndex } from './forward-index.ts'
import { type CatalogueDocument, type CatalogueSchema, DEFAULT_TUNING, TITLE_KEY } from './schema.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'

interface SortOrder {
  readonly name: string
  readonly keys: readonly string[]
  readonly list: SortedIdList
  /** Values that the position of a document depends on, besides its title key. */
  readonly dependencies: readonly DocumentValue[]
}

/** All documents in the order of each sort of the schema. */
export class SortOrders {
  readonly #orders: ReadonlyMap<string, SortOrder>
  readonly #all: readonly SortOrder[]

  /** Throws RangeError for a sort with keys that are not in the schema. */
  constructor(schema: CatalogueSchema, columns: Columns, forward: ForwardIndex, chunkSize: number) {
    this.#all = Object.entries(schema.sorts).map(([name, keys]) => ({
      name,
      keys,
      list: new SortedIdList(
        createCompare(keys, columns, forward),
        createWriteKeys(keys[0] ?? '', columns, forward),
        chunkSize,
      ),
      dependencies: keys.flatMap((key) => (key === TITLE_KEY ? [] : columns.dependencies(key))),
    }))
    this.#orders = new Map(this.#all.map((order) => [order.name, order]))
  }

  get lists(): readonly SortedIdList[] {
    return this.#all.map(({ list }) => list)
  }

  /** Throws RangeError for a sort that is not in the schema. */
  get(sort: string): SortedIdList {
    const order = this.#orders.get(sort)
    if (!order) throw new RangeError(`The schema has no sort "${sort}"`)
    return order.list
  }

  /** The order whose first key is this value. Throws RangeError if there is none. */
  startingWith(value: string): SortedIdList {
    const order = this.#all.find(({ keys }) => keys[0] === value)
    if (!order) throw new RangeError(`No sort of the schema starts with "${value}"`)
    return order.list
  }

  affectedBy(document: CatalogueDocument, isNewTitle: boolean): SortedIdList[] {
    return this.#all
      .filter(
        ({ keys, dependencies }) =>
          (isNewTitle && keys.includes(TITLE_KEY)) ||
          dependencies.some((value) => value.get(document.id) !== value.of(document)),
      )
      .map(({ list }) => list)
  }

  async save(out: SectionWriter): Promise<void> {
    for (const { name, list } of this.#all) await out.put(`order ${name}`, list.toArray())
  }

  async load(from: SectionReader): Promise<void> {
    for (const { name, list } of this.#all) {
      list.load(from.uint32(`order ${name}`))
      if (from.slicer.isDue) await from.slicer.pause()
    }
  }
}

/** The difference of two infinities is NaN, which like 0 leaves the decision to the next key. */
function createCompare(keys: readonly string[], columns: Columns, forward: ForwardIndex): Compare {
  const [first, second] = keys.map((key): Compare => {
    if (key === TITLE_KEY) return (one, other) => forward.compareTitles(one, other)
    const value = columns.value(key)
    return (one, other) => value.get(one) - value.get(other)
  })
  if (!first || keys.length > 2) throw new RangeError('A sort has one or two keys')
  if (!second) return (one, other) => first(one, other) || one - other
  return (one, other) => first(one, other) || second(one, other) || one - other
}

function createWriteKeys(key: string, columns: Columns, forward: ForwardIndex): WriteKeys {
  if (key !== TITLE_KEY) {
    const value = columns.value(key)
    return (ids, keys) => value.gather(ids, keys)
  }
  return (ids, keys) => {
    for (let i = 0; i < ids.length; i++) keys[i] = forward.titlePrefix(ids[i] ?? 0)
  }
}

/** Numbers in the order of `compare`, in chunks: a change shifts at most one. Keys make most comparisons cheap. */
export class SortedIdList {
  #chunks: Uint32Array[] = []
  #sizes: number[] = []
  #length = 0
  readonly #chunkSize: number
  readonly compare: Compare
  readonly writeKeys: WriteKeys

  constructor(
    compare: Compare,
    writeKeys: WriteKeys = (_numbers, keys) => void keys.fill(0),
    chunkSize = DEFAULT_TUNING.chunkSize,
  ) {
    this.compare = compare
    this.writeKeys = writeKeys
    this.#chunkSize = chunkSize
  }

  get length(): number {
    return this.#length
  }

  /** The list is the first `sizes[i]` numbers of each `chunks[i]`. For walks that count numbers; read-only. */
  get chunks(): readonly Uint32Array[] {
    return this.#chunks
  }

  get sizes(): readonly number[] {
    return this.#sizes
  }

  /** Replaces the content with numbers that are in order. */
  load(sorted: Uint32Array): void {
    const size = this.#chunkSize
    const filled = size - size / 16
    this.#chunks = []
    this.#sizes = []
    this.#length = sorted.length
    // One buffer for all chunks: allocating a thousand takes as long as filling them.
    const buffer = new Uint32Array(Math.ceil(sorted.length / filled) * size)
    for (let i = 0; i < sorted.length; i += filled) {
      const part = sorted.subarray(i, i + filled)
      const from = this.#chunks.length * size
      buffer.set(part, from)
      this.#chunks.push(buffer.subarray(from, from + size))
      this.#sizes.push(part.length)
    }
  }

  toArray(): Uint32Array {
    const numbers = new Uint32Array(this.#length)
    let filled = 0
    for (const [i, chunk] of this.#chunks.entries()) {
      numbers.set(chunk.subarray(0, this.#sizes[i]), filled)
      filled += this.#sizes[i] ?? 0
    }
    return numbers
  }

  /** Adds a number that is not in the list. O(log n + chunk size). */
  insert(number: number): void {
    this.#length++
    if (this.#chunks.length === 0) {
      this.#chunks.push(new Uint32Array(this.#chunkSize))
      this.#sizes.push(0)
    }
    let i = this.#findChunk(number)
    if (this.#sizes[i] === this.#chunkSize) {
      this.#split(i)
      i = this.#findChunk(number)
    }
    const chunk = this.#chunks[i] ?? new Uint32Array()
    const size = this.#sizes[i] ?? 0
    const offset = this.#findOffset(chunk, size, number)
    chunk.copyWithin(offset + 1, offset, size)
    chunk[offset] = number
    this.#sizes[i] = size + 1
  }

  /** Removes a number. It must compare as it did when it was inserted; throws when it is not found. */
  remove(number: number): void {
    const i = this.#findChunk(number)
    const chunk = this.#chunks[i] ?? new Uint32Array()
    const size = this.#sizes[i] ?? 0
    const offset = this.#findOffset(chunk, size, number)
    if (chunk[offset] !== number) throw new Error(`${number} is not at its position in the sort order`)
    chunk.copyWithin(offset, offset + 1, size)
    this.#sizes[i] = size - 1
    this.#length--
    if (size === 1) this.#drop(i)
    else if (size - 1 + (this.#sizes[i + 1] ?? this.#chunkSize) <= this.#chunkSize / 2) this.#join(i)
  }

  /** Number of elements before the first one for which `isBefore` is false. It must be monotonic along the order. */
  countWhile(isBefore: (number: number) => boolean): number {
    const [chunk, offset] = this.#findFirst(isBefore)
    let count = offset
    for (let i = 0; i < chunk; i++) count += this.#sizes[i] ?? 0
    return count
  }

  /** Visits the elements from the first one for which `isBefore` is false, in order, until `visit` returns false. */
  walkAfter(isBefore: (number: number) => boolean, visit: (number: number) => boolean): void {
    let [i, offset] = this.#findFirst(isBefore)
    for (; i < this.#chunks.length; i++, offset = 0) {
      const chunk = this.#chunks[i] ?? new Uint32Array()
      const size = this.#sizes[i] ?? 0
      for (; offset < size; offset++) if (!visit(chunk[offset] ?? 0)) return
    }
  }

  slice(from: number, to: number): number[] {
    const numbers: number[] = []
    this.forEachPart(from, to, (chunk, start, end) => {
      for (let i = start; i < end; i++) numbers.push(chunk[i] ?? 0)
    })
    return numbers
  }

  /** Visits the elements from index `from` to before `to` by chunk, each chunk with the range of these elements. */
  forEachPart(from: number, to: number, visit: (chunk: Uint32Array, start: number, end: number) => void): void {
    let first = 0
    for (let i = 0; i < this.#chunks.length && first < to; i++) {
      const size = this.#sizes[i] ?? 0
      const [start, end] = [Math.max(from - first, 0), Math.min(to - first, size)]
      if (start < end) visit(this.#chunks[i] ?? new Uint32Array(), start, end)
      first += size
    }
  }

  /** The last chunk whose first number is not after this one: it has the number, or is where to insert it. */
  #findChunk(number: number): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.compare(this.#chunks[middle]?.[0] ?? 0, number) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  #findOffset(chunk: Uint32Array, size: number, number: number): number {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compare(chunk[middle] ?? 0, number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The chunk and the offset of the first element for which `isBefore` is false. */
  #findFirst(isBefore: (number: number) => boolean): [chunk: number, offset: number] {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#chunks[middle]?.[0] ?? 0)) low = middle + 1
      else high = middle
    }
    if (low === 0) return [0, 0]
    const chunk = this.#chunks[low - 1] ?? new Uint32Array()
    let [from, to] = [0, this.#sizes[low - 1] ?? 0]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isBefore(chunk[middle] ?? 0)) from = middle + 1
      else to = middle
    }
    return [low - 1, from]
  }

  #split(i: number): void {
    const half = this.#chunkSize / 2
    const later = new Uint32Array(this.#chunkSize)
    later.set(this.#chunks[i]?.subarray(half) ?? [])
    this.#chunks.splice(i + 1, 0, later)
    this.#sizes.splice(i, 1, half, half)
  }

  #join(i: number): void {
    const size = this.#sizes[i] ?? 0
    const next = this.#sizes[i + 1] ?? 0
    this.#chunks[i]?.set(this.#chunks[i + 1]?.subarray(0, next) ?? [], size)
    this.#sizes[i] = size + next
    this.#drop(i + 1)
  }

  #drop(i: number): void {
    this.#chunks.splice(i, 1)
    this.#sizes.splice(i, 1)
  }
}

export type Compare = (one: number, other: number) => number

/** Writes a sort key for each number. Keys never decrease along the order; `Compare` orders numbers with equal keys. */
export type WriteKeys = (numbers: Uint32Array, keys: Float64Array) => void
