import { BlockAllocator, blockSize, PAGE_BITS, PAGE_MASK, PAGE_SIZE } from './postings.ts'
import type { Average, CatalogueDocument, CatalogueSchema, ColumnType } from './schema.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'

export interface ForwardRecord {
  titleKey: Uint8Array
  /** Terms of the tags, ascending. */
  tags: ArrayLike<number>
  /** Terms of the author, the labels and the words, ascending. */
  terms: ArrayLike<number>
}

const MAX_BYTES = PAGE_SIZE / 4
/** Size of the length in front of a record, bytes. The length tells the size of the block to free. */
const lengthBytes = (length: number) => (length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : 3)

/**
 * Forward index: the title key and the terms (except `Dimensions.implicit`) of each document, one byte record per id.
 * Terms are stored as differences in seven bits a byte (varint), about a byte and a half for each.
 */
export class ForwardIndex {
  /** By id: 0 without a record, else the address plus one. */
  #addresses: Uint32Array = new Uint32Array(1024)
  #pages: Uint8Array[] = []
  readonly #blocks = new BlockAllocator(() => this.#pages.push(new Uint8Array(PAGE_SIZE)))
  readonly #buffer = new Uint8Array(MAX_BYTES)
  #page: Uint8Array = new Uint8Array()
  #offset = 0

  async save(out: SectionWriter): Promise<void> {
    await out.put('record addresses', this.#addresses)
    await out.putAll('record pages', 'uint8', this.#pages)
    await this.#blocks.save(out, 'record blocks')
  }

  load(from: SectionReader): void {
    this.#addresses = from.uint32('record addresses')
    this.#pages = [...from.all('record pages')]
    this.#blocks.load(from, 'record blocks')
  }

  has(id: number): boolean {
    return (this.#addresses[id] ?? 0) > 0
  }

  /** Throws for a document with more than 64 KB of terms. */
  write(id: number, { titleKey, tags, terms }: ForwardRecord): void {
    this.remove(id)
    this.#offset = 0
    this.#put(titleKey.length)
    this.#buffer.set(titleKey, this.#offset)
    this.#offset += titleKey.length
    this.#putAscending(tags)
    this.#putAscending(terms)
    const length = this.#offset
    if (length > MAX_BYTES) throw new Error(`Document ${id} has more words than a record can hold`)
    this.#store(id, length)
  }

  #store(id: number, length: number): void {
    const header = lengthBytes(length)
    const address = this.#blocks.allocate(blockSize(header + length))
    const page = this.#pages[address >>> PAGE_BITS] ?? new Uint8Array()
    const offset = address & PAGE_MASK
    page.set(this.#buffer.subarray(0, length), offset + header)
    for (let i = 0; i < header; i++) {
      const isLast = i === header - 1
      page[offset + i] = ((length >>> (7 * i)) & 127) | (isLast ? 0 : 128)
    }
    if (id >= this.#addresses.length) {
      const grown = new Uint32Array(id + (id >>> 3) + 1024)
      grown.set(this.#addresses)
      this.#addresses = grown
    }
    this.#addresses[id] = address + 1
  }

  remove(id: number): void {
    if (!this.has(id)) return
    const length = this.#open(id)
    this.#blocks.free((this.#addresses[id] ?? 1) - 1, blockSize(lengthBytes(length) + length))
    this.#addresses[id] = 0
  }

  /** Byte order of the title keys: negative, zero or positive. */
  compareTitles(first: number, second: number): number {
    this.#open(first)
    const firstLength = this.#get()
    const [firstPage, firstOffset] = [this.#page, this.#offset]
    this.#open(second)
    const secondLength = this.#get()
    const [page, offset] = [this.#page, this.#offset]
    const shorter = Math.min(firstLength, secondLength)
    for (let i = 0; i < shorter; i++) {
      const difference = (firstPage[firstOffset + i] ?? 0) - (page[offset + i] ?? 0)
      if (difference !== 0) return difference
    }
    return firstLength - secondLength
  }

  /** The first six bytes of the title key as a number, which compares like the keys. */
  titlePrefix(id: number): number {
    this.#open(id)
    const length = this.#get()
    let prefix = 0
    for (let i = 0; i < 6; i++) prefix = prefix * 256 + (i < length ? (this.#page[this.#offset + i] ?? 0) : 0)
    return prefix
  }

  /** The title key, valid until the next change. */
  titleKey(id: number): Uint8Array {
    this.#open(id)
    const length = this.#get()
    return this.#page.subarray(this.#offset, this.#offset + length)
  }

  forEachTag(id: number, visit: (term: number) => void): void {
    this.#open(id)
    const length = this.#get()
    this.#offset += length
    this.#forEach(visit)
  }

  /** Visits all stored terms, tags first. */
  forEachTerm(id: number, visit: (term: number) => void): void {
    this.forEachTag(id, visit)
    this.#forEach(visit)
  }

  #forEach(visit: (term: number) => void): void {
    const count = this.#get()
    let term = 0
    for (let i = 0; i < count; i++) {
      term += this.#get()
      visit(term)
    }
  }

  #open(id: number): number {
    const address = (this.#addresses[id] ?? 1) - 1
    this.#page = this.#pages[address >>> PAGE_BITS] ?? this.#page
    this.#offset = address & PAGE_MASK
    return this.#get()
  }

  #get(): number {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#page[this.#offset++] ?? 0
      number |= (byte & 127) << shift
      if (byte < 128) return number
    }
  }

  #put(number: number): void {
    let rest = number
    while (rest > 127) {
      this.#buffer[this.#offset++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#buffer[this.#offset++] = rest
  }

  #putAscending(numbers: ArrayLike<number>): void {
    this.#put(numbers.length)
    let last = 0
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0
      this.#put(number - last)
      last = number
    }
  }
}

export interface DocumentValue {
  get(id: number): number
  /** Writes the values of these ids to the same indexes of `keys`. */
  gather(ids: Uint32Array, keys: Float64Array): void
  /** The value that a document has once it is written. */
  of(document: CatalogueDocument): number
}

const START_CAPACITY = 1024

abstract class Column {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  abstract reserve(capacity: number): void
  abstract set(id: number, value: number): void
  abstract save(out: SectionWriter): Promise<void>
  abstract load(from: SectionReader): void
}

class DenseColumn extends Column implements DocumentValue {
  readonly #type: 'int32' | 'float64'
  values: Int32Array | Float64Array

  constructor(name: string, type: 'int32' | 'float64') {
    super(name)
    this.#type = type
    this.values = this.#allocate(START_CAPACITY)
  }

  #allocate(capacity: number): Int32Array | Float64Array {
    return this.#type === 'int32' ? new Int32Array(capacity) : new Float64Array(capacity)
  }

  reserve(capacity: number): void {
    const grown = this.#allocate(capacity)
    grown.set(this.values)
    this.values = grown
  }

  set(id: number, value: number): void {
    this.values[id] = value
  }

  get(id: number): number {
    return this.values[id] ?? 0
  }

  gather(ids: Uint32Array, keys: Float64Array): void {
    const { values } = this
    for (let i = 0; i < ids.length; i++) keys[i] = values[ids[i] ?? 0] ?? 0
  }

  of({ values }: CatalogueDocument): number {
    return values[this.name] ?? 0
  }

  save(out: SectionWriter): Promise<void> {
    return out.put(`column ${this.name}`, this.values)
  }

  load(from: SectionReader): void {
    const name = `column ${this.name}`
    this.values = this.#type === 'int32' ? from.int32(name) : from.float64(name)
  }
}

class SparseColumn extends Column implements DocumentValue {
  readonly #values = new Map<number, number>()

  reserve(): void {}

  set(id: number, value: number): void {
    if (value > -Infinity) this.#values.set(id, value)
    else this.#values.delete(id)
  }

  get(id: number): number {
    return this.#values.get(id) ?? -Infinity
  }

  gather(ids: Uint32Array, keys: Float64Array): void {
    for (let i = 0; i < ids.length; i++) keys[i] = this.get(ids[i] ?? 0)
  }

  of({ values }: CatalogueDocument): number {
    return values[this.name] ?? -Infinity
  }

  async save(out: SectionWriter): Promise<void> {
    await out.put(`column ${this.name} ids`, Uint32Array.from(this.#values.keys()))
    await out.put(`column ${this.name}`, Float64Array.from(this.#values.values()))
  }

  load(from: SectionReader): void {
    const values = from.float64(`column ${this.name}`)
    for (const [i, id] of from.uint32(`column ${this.name} ids`).entries()) this.#values.set(id, values[i] ?? 0)
  }
}

const createColumn = (name: string, type: ColumnType) =>
  type === 'sparse' ? new SparseColumn(name) : new DenseColumn(name, type)

/** An average, computed in doubles like in a database, so that both sort exactly alike. */
class AverageValue implements DocumentValue {
  readonly sum: DenseColumn
  readonly count: DenseColumn
  readonly #priorSum: number
  readonly #priorCount: number

  constructor(sum: DenseColumn, count: DenseColumn, { priorSum = 0, priorCount = 0 }: Average) {
    this.sum = sum
    this.count = count
    this.#priorSum = priorSum
    this.#priorCount = priorCount
  }

  get(id: number): number {
    return this.#divide(this.sum.get(id), this.count.get(id))
  }

  gather(ids: Uint32Array, keys: Float64Array): void {
    for (let i = 0; i < ids.length; i++) keys[i] = this.get(ids[i] ?? 0)
  }

  of(document: CatalogueDocument): number {
    return this.#divide(this.sum.of(document), this.count.of(document))
  }

  #divide(sum: number, count: number): number {
    const divisor = this.#priorCount + count
    return divisor === 0 ? 0 : (this.#priorSum + sum) / divisor
  }
}

/** The columns and averages of a schema. Throws RangeError for an average of columns that it lacks. */
export class Columns {
  readonly #columns: (DenseColumn | SparseColumn)[]
  readonly #averages: ReadonlyMap<string, AverageValue>
  #capacity = START_CAPACITY

  constructor({ columns, averages }: CatalogueSchema) {
    this.#columns = Object.entries(columns).map(([name, type]) => createColumn(name, type))
    this.#averages = new Map(
      Object.entries(averages).map(([name, average]) => {
        return [name, new AverageValue(this.#findDense(average.sum), this.#findDense(average.count), average)]
      }),
    )
  }

  #findDense(name: string): DenseColumn {
    const column = this.#columns.find((one) => one.name === name)
    if (!(column instanceof DenseColumn)) throw new RangeError(`The schema has no dense column "${name}"`)
    return column
  }

  /** A column or average. Throws RangeError for an unknown name. */
  value(name: string): DocumentValue {
    const value = this.#averages.get(name) ?? this.#columns.find((column) => column.name === name)
    if (!value) throw new RangeError(`The schema has no column or average "${name}"`)
    return value
  }

  dependencies(name: string): readonly DocumentValue[] {
    const average = this.#averages.get(name)
    return average ? [average.sum, average.count] : [this.value(name)]
  }

  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return
    this.#capacity = Math.max(capacity + 1024, this.#capacity + (this.#capacity >>> 3))
    for (const column of this.#columns) column.reserve(this.#capacity)
  }

  write(document: CatalogueDocument): void {
    this.reserve(document.id + 1)
    for (const column of this.#columns) column.set(document.id, column.of(document))
  }

  async save(out: SectionWriter): Promise<void> {
    await out.put('column capacity', Uint32Array.of(this.#capacity))
    for (const column of this.#columns) await column.save(out)
  }

  load(from: SectionReader): void {
    this.#capacity = from.uint32('column capacity')[0] ?? 0
    for (const column of this.#columns) column.load(from)
  }
}
