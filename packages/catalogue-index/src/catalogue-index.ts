import { completeInField, completeTags } from './completion.ts'
import type { TagInfo } from './dimensions.ts'
import type { CatalogueDocument } from './document.ts'
import { countFacets, countTags, type Facets, type TagCount } from './facets.ts'
import { IndexData } from './index-data.ts'
import { findPage, type Page, windowOf } from './pagination.ts'
import { selectCached } from './query-planner.ts'
import { findRelevantPage } from './relevance.ts'
import {
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type QueryResult,
  RELEVANCE,
} from './schema.ts'
import { type QueryScratch, ScratchPool } from './scratch.ts'
import type { SnapshotData } from './snapshot.ts'
import { suggestWords } from './spelling.ts'
import type { IndexTuning } from './tuning.ts'

/**
 * In-memory index of a catalogue: filters, prefix search, sorting, facets and completion with exact counts. All methods
 * except `save` and `load` are synchronous, so a query sees either all of a change or nothing of it.
 */
export class CatalogueIndex<Flag extends string = string, Sort extends string = string, Tag extends TagInfo = TagInfo> {
  readonly #data: IndexData
  readonly #scratch = new ScratchPool()

  /** An empty index. `tuning` replaces defaults. Throws RangeError for a schema that the index cannot represent. */
  constructor(
    schema: CatalogueSchema<Flag, Sort>,
    tuning?: Partial<IndexTuning>,
    data = new IndexData(schema, tuning),
  ) {
    this.#data = data
  }

  /**
   * Restores an index from a snapshot and takes over its arrays. Rejects with an Error if the snapshot was written with
   * another schema or by a version of this package with another layout; then the index must be rebuilt.
   */
  static async load<Flag extends string, Sort extends string, Tag extends TagInfo>(
    schema: CatalogueSchema<Flag, Sort>,
    snapshot: SnapshotData,
    tuning?: Partial<IndexTuning>,
  ): Promise<CatalogueIndex<Flag, Sort, Tag>> {
    return new CatalogueIndex(schema, tuning, await IndexData.load(schema, snapshot, tuning))
  }

  /**
   * Returns the content for `writeSnapshot` or `load`. `copies` are made in slices of 2 ms; the index must not change until
   * the promise resolves. `arrays` costs neither time nor memory, but the index must not be used afterwards.
   */
  save(mode: 'copies' | 'arrays' = 'copies'): Promise<SnapshotData> {
    return this.#data.save(mode)
  }

  /** Number of documents. */
  get size(): number {
    return this.#data.size
  }

  has(id: number): boolean {
    return this.#data.has(id)
  }

  hasTag(id: number): boolean {
    return this.#data.dimensions.hasTag(id)
  }

  /** Adds a tag; does nothing if its id is known. All tags of a document must be added before it. */
  addTag(tag: Tag): void {
    this.#data.dimensions.addTag(tag)
  }

  /** Announces the highest expected id, so that postings get their final form (list or bits) at once. */
  reserve(maxId: number): void {
    this.#data.postings.maxId = Math.max(this.#data.maxId, maxId)
  }

  /**
   * Adds or replaces a document. A changed value moves it in the sort orders that depend on it, in microseconds; new words
   * cost a sorted insertion for each. Throws for an unknown tag; the index is then inconsistent and must be dropped.
   */
  put(document: CatalogueDocument): void {
    this.#data.put(document)
  }

  /** Does nothing for an unknown id. */
  remove(id: number): void {
    this.#data.remove(id)
  }

  /** One page of the documents that match a query. Throws RangeError for names that are not in the schema. */
  find(query: CatalogueQuery<Flag, Sort>): QueryResult {
    const scratch = this.#openScratch()
    const set = selectCached(this.#data, scratch, query)
    const isDescending = query.order === 'desc'
    const page = { set, window: windowOf(set.count, isDescending, query.offset, query.limit) }
    const ids = this.#findPage(scratch, query, page)
    return { ids: isDescending ? ids.toReversed() : ids, total: set.count }
  }

  #findPage(scratch: QueryScratch, { sort, words }: CatalogueQuery, page: Page): number[] {
    const { orders, schema, tuning } = this.#data
    if (sort !== RELEVANCE) return findPage(page, orders.get(sort), scratch, tuning)
    // Without words all scores are equal.
    if (words.length === 0) return findPage(page, orders.get(schema.source.popularity), scratch, tuning)
    return findRelevantPage(this.#data, scratch, words, page)
  }

  /** Counts the documents that match a filter, and those that match after adding each flag or each of the top tags. */
  facets(filter: CatalogueFilter<Flag>, maxTags: number): Facets<Flag, Tag> {
    return countFacets(this.#data, this.#openScratch(), filter, maxTags) as Facets<Flag, Tag>
  }

  /** The most frequent tags with their numbers of documents, equally frequent ones by name. */
  tags(max: number): TagCount<Tag>[] {
    return countTags(this.#data, this.#data.all, max) as TagCount<Tag>[]
  }

  /**
   * Spelling suggestion for a filter that matches nothing: its words, with unknown ones replaced by similar ones so that
   * documents match. Undefined when there is none.
   */
  suggest(filter: CatalogueFilter<Flag>): string[] | undefined {
    return suggestWords(this.#data, this.#openScratch(), filter)
  }

  /** The most popular documents with words of one field (by number) that have these prefixes. */
  complete(prefixes: readonly string[], options: { field: number; limit: number }): number[] {
    return completeInField(this.#data, this.#openScratch(), prefixes, options)
  }

  /** The most frequent tags whose names have this prefix; none for ''. */
  completeTags(prefix: string, limit: number): TagCount<Tag>[] {
    return completeTags(this.#data, prefix, limit) as TagCount<Tag>[]
  }

  #openScratch(): QueryScratch {
    return this.#scratch.open(this.#data.maxId)
  }
}
