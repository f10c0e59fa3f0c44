import { Columns, ForwardIndex } from './forward-index.ts'
import type { IdSet } from './id-set.ts'
import { Postings } from './postings.ts'
import {
  type CatalogueDocument,
  type CatalogueSchema,
  CompiledSchema,
  DEFAULT_TUNING,
  type IndexTuning,
} from './schema.ts'
import { type QueryScratch, ScratchPool } from './scratch.ts'
import { FilterCache, SetCache } from './set-cache.ts'
import { SectionReader, SectionWriter, type SnapshotData, snapshotVersion } from './snapshot.ts'
import { SortOrders } from './sort-orders.ts'
import { Dimensions, Vocabulary } from './vocabulary.ts'

const decoder = new TextDecoder()

/** The data structures of an index, changed together. Queries read them. */
export class IndexData {
  readonly schema: CompiledSchema
  readonly tuning: IndexTuning
  readonly columns: Columns
  readonly forward = new ForwardIndex()
  readonly postings: Postings
  readonly dimensions: Dimensions
  readonly vocabulary: Vocabulary
  readonly orders: SortOrders
  readonly cache: SetCache
  readonly filters: FilterCache
  readonly #scratch = new ScratchPool()

  constructor(schema: CatalogueSchema, tuning: Partial<IndexTuning> = {}) {
    this.schema = new CompiledSchema(schema)
    this.tuning = { ...DEFAULT_TUNING, ...tuning }
    const { chunkSize, tagSortInterval, maxCachedSets, maxCachedBytes, minCachedFullSets } = this.tuning
    this.columns = new Columns(schema)
    this.postings = new Postings(this.tuning)
    this.dimensions = new Dimensions(this.postings, this.schema, tagSortInterval)
    this.vocabulary = new Vocabulary(this.postings, schema.fields.length, chunkSize)
    this.orders = new SortOrders(schema, this.columns, this.forward, chunkSize)
    this.cache = new SetCache({ maxSets: maxCachedSets, maxBytes: maxCachedBytes, minFullSets: minCachedFullSets })
    this.filters = new FilterCache(this.tuning)
  }

  static async load(
    schema: CatalogueSchema,
    { version, sections }: SnapshotData,
    tuning?: Partial<IndexTuning>,
  ): Promise<IndexData> {
    const index = new IndexData(schema, tuning)
    const expected = await index.save('arrays')
    if (version !== expected.version) throw new Error('written with another schema or layout')
    const from = new SectionReader(sections)
    for (const part of index.#parts) {
      await part.load(from)
      if (from.slicer.isDue) await from.slicer.pause()
    }
    return index
  }

  async save(mode: 'copies' | 'arrays'): Promise<SnapshotData> {
    const out = new SectionWriter(mode)
    for (const part of this.#parts) await part.save(out)
    return { version: snapshotVersion(this.schema.source, out.layout), sections: out.sections }
  }

  get #parts() {
    return [this.columns, this.forward, this.postings, this.dimensions, this.vocabulary, this.orders]
  }

  get maxId(): number {
    return this.postings.maxId
  }

  get size(): number {
    return this.postings.count(this.dimensions.all)
  }

  get all(): IdSet {
    return this.postings.set(this.dimensions.all)
  }

  /** Starts a query. The sets and the scratch of the previous query must not be used any more. */
  startQuery(): QueryScratch {
    this.cache.reclaim()
    this.filters.reclaim()
    return this.#scratch.open(this.maxId)
  }

  has(id: number): boolean {
    return this.forward.has(id)
  }

  put(document: CatalogueDocument): void {
    const { id } = document
    const isKnown = this.has(id)
    const isNewTitle = isKnown && Buffer.compare(this.forward.titleKey(id), document.titleKey) !== 0
    const affected = isKnown ? this.orders.affectedBy(document, isNewTitle) : this.orders.lists
    if (isKnown) for (const list of affected) list.remove(id)
    const termsChanged = this.#write(document)
    for (const list of affected) list.insert(id)
    this.cache.update(id, document, termsChanged)
    this.filters.update(id, document, termsChanged)
  }

  remove(id: number): void {
    if (!this.has(id)) return
    for (const list of this.orders.lists) list.remove(id)
    this.#replaceTerms(id, this.#termsOf(id), [])
    this.forward.remove(id)
    this.cache.update(id, undefined, true)
    this.filters.update(id, undefined, true)
  }

  #write(document: CatalogueDocument): boolean {
    const { id, titleKey } = document
    const tags = this.dimensions.tagTerms(document)
    const terms = this.#otherTerms(document)
    const before = this.has(id) ? this.#termsOf(id) : []
    const after = [...this.dimensions.implicitTerms(document), ...tags, ...terms].toSorted((a, b) => a - b)
    const changed = this.#replaceTerms(id, before, after)
    this.columns.write(document)
    this.forward.write(id, { titleKey, tags, terms })
    return changed
  }

  /** The terms of the author, of labels that are not frequent and of the words, ascending. */
  #otherTerms(document: CatalogueDocument): number[] {
    const { author, words } = document
    const terms = [this.dimensions.authorTerm(author), ...this.dimensions.storedLabelTerms(document)]
    words.forEach((bytes, from, to, field) => {
      terms.push(this.vocabulary.term(decoder.decode(bytes.subarray(from, to)), field))
    })
    return terms.toSorted((a, b) => a - b)
  }

  #termsOf(id: number): number[] {
    const terms = this.dimensions.implicit.filter((term) => this.postings.has(term, id))
    this.forward.forEachTerm(id, (term) => terms.push(term))
    return terms.toSorted((a, b) => a - b)
  }

  /** Merges two ascending lists of terms into the postings. Returns whether they differ. */
  #replaceTerms(id: number, before: readonly number[], after: readonly number[]): boolean {
    let [i, j] = [0, 0]
    let differ = false
    while (i < before.length || j < after.length) {
      const removed = before[i] ?? Infinity
      const added = after[j] ?? Infinity
      if (removed === added) {
        i++
        j++
        continue
      }
      differ = true
      if (added < removed) {
        this.postings.add(added, id)
        j++
      } else {
        this.postings.remove(removed, id)
        this.vocabulary.releaseEmpty(removed)
        this.dimensions.releaseEmptyLabel(removed)
        i++
      }
    }
    return differ
  }
}
