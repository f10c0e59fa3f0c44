import type { CatalogueDocument } from './document.ts'
import type { ForwardIndex } from './forward-index.ts'
import type { Compare, WriteKeys } from './radix-sort.ts'
import { type Average, type CatalogueSchema, type ColumnType, TITLE_KEY } from './schema.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'
import { SortedIdList } from './sorted-id-list.ts'

/** A number per document, stored or computed. */
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

  /** The columns that a value depends on. */
  dependencies(name: string): readonly DocumentValue[] {
    const average = this.#averages.get(name)
    return average ? [average.sum, average.count] : [this.value(name)]
  }

  /** Makes room for ids below `capacity`. */
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

  /** The orders in which the new values of a document change its position. */
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
