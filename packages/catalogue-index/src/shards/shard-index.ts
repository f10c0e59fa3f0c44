import { open } from 'node:fs/promises'
import { BulkBuilder } from '../catalogue-index.ts'
import {
  completeInField,
  completeTags,
  countFlagsAndLabels,
  countTags,
  findSimilarWords,
  type SimilarWord,
  type TagCount,
} from '../facets.ts'
import { type IdSet, intersectionSize } from '../id-set.ts'
import { IndexData } from '../index-data.ts'
import { findPage, selectCached, windowOf } from '../planner.ts'
import { findAfter, type Position } from '../positions.ts'
import { countTagsOf, findByTags, type RelatedQuery, type TagFrequency, type TagWeight } from '../related.ts'
import { findRelevantAfter, findRelevantPage, scoreDocuments } from '../relevance.ts'
import {
  type CatalogueDocument,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type IndexTuning,
  RELEVANCE,
} from '../schema.ts'
import { readSnapshot, writeSnapshot } from '../snapshot.ts'
import type { SortKeys } from '../sort-orders.ts'
import type { TagInfo } from '../vocabulary.ts'
import { readDocuments } from './documents.ts'
import { Partition } from './partition.ts'

export interface ShardSetup {
  readonly schema: CatalogueSchema
  readonly tuning: Partial<IndexTuning> | undefined
  readonly shard: number
  readonly shards: number
  /** The highest id of all shards, or a higher number. */
  readonly maxId: number
}

/** An order of documents: that of a query, or `{ sort, words: [] }`. */
type Ranked = Pick<CatalogueQuery, 'sort' | 'words'>

/** Documents of a shard in the order of a query, with all that is needed to merge them with those of other shards. */
export interface KeyedIds {
  readonly total: number
  /** How many of them come before the first of `ids`. */
  readonly first: number
  readonly ids: Uint32Array
  /** By the same index; only in orders by a score. */
  readonly scores: Uint32Array | undefined
  readonly keys: readonly SortKeys[]
}

/** Numbers of documents by tag id: those of the most frequent tags and of requested ones. */
export interface PartialTagCounts {
  readonly counts: ReadonlyMap<number, number>
  /** No other tag has more documents. */
  readonly maxOther: number
}

export interface ShardStatistics {
  documents: number
  /** Bytes of memory of the process. */
  rss: number
  cpuMs: number
}

export interface TagRequest {
  readonly top: number
  readonly ids: readonly number[]
}

/** The index of one shard's documents, by local ids. Queries return what the coordinator needs to merge the answers. */
export class ShardIndex {
  readonly #setup: ShardSetup
  readonly #partition: Partition
  #builder: BulkBuilder | undefined
  #data: IndexData

  constructor(setup: ShardSetup) {
    const { schema, tuning, shards, maxId } = setup
    this.#setup = setup
    this.#partition = new Partition(shards)
    this.#builder = new BulkBuilder(schema, { maxId: this.#partition.localId(maxId), tuning })
    this.#data = new IndexData(schema, tuning)
  }

  addTags(tags: readonly TagInfo[]): void {
    for (const tag of tags) {
      if (this.#builder) this.#builder.addTag(tag)
      else this.#data.dimensions.addTag(tag)
    }
  }

  /** Adds documents by ascending ids, before `finish`. */
  fill(documents: Uint8Array): void {
    for (const document of this.#read(documents)) this.#builder?.add(document)
  }

  /** Ends the filling. Returns the number of documents. */
  finish(): number {
    if (this.#builder) this.#data = this.#builder.finishData()
    this.#builder = undefined
    return this.#data.size
  }

  /** Reads a file of `save` instead of being filled. Returns the tags. */
  async load(file: string): Promise<TagInfo[]> {
    const { schema, tuning } = this.#setup
    const handle = await open(file)
    try {
      const { data } = await readSnapshot(handle)
      this.#data = await IndexData.load(schema, data, tuning)
    } finally {
      await handle.close()
    }
    this.#builder = undefined
    return this.#data.dimensions.tags.map(({ info }) => info)
  }

  /** Writes the index to a new file. The index must not change until the promise resolves. */
  async save(file: string): Promise<void> {
    const handle = await open(file, 'wx', 0o600)
    try {
      await writeSnapshot(handle, await this.#data.save('arrays'))
    } finally {
      await handle.close()
    }
  }

  /** Adds or replaces documents and removes others. When it throws, the index is inconsistent. */
  apply(documents: Uint8Array, removed: readonly number[]): void {
    for (const document of this.#read(documents)) this.#data.put(document)
    for (const id of removed) this.#data.remove(this.#partition.localId(id))
  }

  *#read(bytes: Uint8Array): Generator<CatalogueDocument> {
    const { buffer, byteOffset, byteLength } = bytes
    for (const document of readDocuments(Buffer.from(buffer, byteOffset, byteLength), this.#setup.schema)) {
      yield { ...document, id: this.#partition.localId(document.id) }
    }
  }

  page(query: CatalogueQuery, from: number, to: number): KeyedIds {
    const scratch = this.#data.startQuery()
    const set = selectCached(this.#data, scratch, query)
    const isDescending = query.order === 'desc'
    const page = { set, window: windowOf(set.count, isDescending, from, to - from) }
    const ids = isByScore(query)
      ? findRelevantPage(this.#data, scratch, query.words, page)
      : findPage(page, this.#data.orders.get(this.#sortOf(query)), scratch, this.#data.tuning)
    const first = Math.min(from, set.count)
    return this.#withKeys(query, isDescending ? ids.toReversed() : ids, { total: set.count, first })
  }

  /** The first documents after a position in the order of a query. `first` is 0. */
  after(query: CatalogueQuery, { id, ...position }: Position, limit: number): KeyedIds {
    const scratch = this.#data.startQuery()
    const set = selectCached(this.#data, scratch, query)
    const isDescending = query.order === 'desc'
    const local = this.#partition.localPosition(id, this.#setup.shard)
    const after = { position: { ...position, id: local }, isDescending, limit }
    const ids = isByScore(query)
      ? findRelevantAfter(this.#data, scratch, query.words, set, after)
      : findAfter(this.#data, scratch, set, this.#sortOf(query), after)
    return this.#withKeys(query, isDescending ? ids.toReversed() : ids, { total: set.count, first: 0 })
  }

  count(filters: readonly CatalogueFilter[]): number[] {
    return filters.map((filter) => selectCached(this.#data, this.#data.startQuery(), filter).count)
  }

  /** Facets, of the flags in the order of the schema and of the labels in the order of the request. */
  facets(filter: CatalogueFilter, labels: readonly string[], tags: TagRequest) {
    const {
      found,
      flags,
      labels: labelCounts,
    } = countFlagsAndLabels(this.#data, this.#data.startQuery(), filter, labels)
    return {
      total: found.count,
      flags,
      labels: labelCounts,
      tags: this.#countTags(found, countTags(this.#data, found, tags.top), tags),
    }
  }

  /** Numbers of documents by tag, of all tags or of those whose names have a prefix. */
  tags(prefix: string | undefined, request: TagRequest): PartialTagCounts {
    const { all } = this.#data
    const counted =
      prefix === undefined ? countTags(this.#data, all, request.top) : completeTags(this.#data, prefix, request.top)
    return this.#countTags(all, counted, request)
  }

  #countTags(found: IdSet, counted: readonly TagCount[], { top, ids }: TagRequest): PartialTagCounts {
    const { dimensions, postings } = this.#data
    const counts = new Map(counted.map(({ id, count }) => [id, count]))
    for (const id of ids) {
      const tag = dimensions.findTag(id)
      if (tag && !counts.has(id)) counts.set(id, intersectionSize(found, postings.set(tag.term)))
    }
    return { counts, maxOther: counted.length < top ? 0 : (counted.at(-1)?.count ?? 0) }
  }

  complete(prefixes: readonly string[], field: number, limit: number): KeyedIds {
    const ids = completeInField(this.#data, this.#data.startQuery(), prefixes, { field, limit })
    return this.#withKeys(this.#popularity, ids, { total: ids.length, first: 0 })
  }

  /** For each word: whether it is the prefix of a word in use, and similar words. */
  similar(words: readonly string[]): { isKnown: boolean; similar: SimilarWord[] }[] {
    const { vocabulary } = this.#data
    return words.map((word) => ({ isKnown: vocabulary.hasPrefix(word), similar: findSimilarWords(this.#data, word) }))
  }

  frequencies(names: readonly string[]): { documents: number; tags: TagFrequency[] } {
    return { documents: this.#data.size, tags: countTagsOf(this.#data, names) }
  }

  /** The documents by other authors with the highest sums of the weights of these tags, and the current frequencies. */
  related({ tags: names, ...query }: RelatedQuery, tags: readonly TagWeight[]) {
    const found = findByTags(this.#data, this.#data.startQuery(), tags, query)
    const ids = found.map(({ id }) => id)
    const keyed = this.#withKeys(this.#popularity, ids, { total: ids.length, first: 0 })
    const scores = Uint32Array.from(found, ({ score }) => score)
    return { ...this.frequencies(names), found: { ...keyed, scores } }
  }

  statistics(): ShardStatistics {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    return { documents: this.#data.size, rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 }
  }

  get #popularity(): Ranked {
    return { sort: this.#setup.schema.popularity, words: [] }
  }

  #sortOf({ sort }: Ranked): string {
    return sort === RELEVANCE ? this.#setup.schema.popularity : sort
  }

  #withKeys(query: Ranked, ids: readonly number[], counts: Pick<KeyedIds, 'total' | 'first'>): KeyedIds {
    const local = Uint32Array.from(ids)
    return {
      ...counts,
      ids: local.map((id) => this.#partition.id(id, this.#setup.shard)),
      scores: isByScore(query) ? scoreDocuments(this.#data, query.words, local) : undefined,
      keys: this.#data.orders.readKeys(this.#sortOf(query), local),
    }
  }
}

const isByScore = ({ sort, words }: Ranked) => sort === RELEVANCE && words.length > 0
