import {
  completeInField,
  completeTags,
  countFacets,
  countTags,
  type FacetOptions,
  type Facets,
  suggestWords,
  type TagCount,
} from './facets.ts'
import { IndexData } from './index-data.ts'
import { findPage, type Page, selectCached, windowOf } from './planner.ts'
import { doubled } from './postings.ts'
import { findRelated, type RelatedQuery } from './related.ts'
import { findRelevantPage } from './relevance.ts'
import {
  type CatalogueDocument,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type IndexTuning,
  type QueryResult,
  RELEVANCE,
} from './schema.ts'
import type { QueryScratch } from './scratch.ts'
import type { SnapshotData } from './snapshot.ts'
import { sortByOrder } from './radix-sort.ts'
import type { TagInfo } from './vocabulary.ts'

/**
 * In-memory index of a catalogue: filters, prefix search, sorting, facets and completion with exact counts. All methods
 * except `save` and `load` are synchronous, so a query sees either all of a change or nothing of it.
 */
export class CatalogueIndex<Flag extends string = string, Sort extends string = string, Tag extends TagInfo = TagInfo> {
  readonly #data: IndexData

  /** An empty index. `tuning` replaces defaults. Throws RangeError for a schema that the index cannot represent. */
  constructor(
    schema: CatalogueSchema<Flag, Sort>,
    tuning?: Partial<IndexTuning>,
    data = new IndexData(schema, tuning),
  ) {
    this.#data = data
  }

  /** Restores an index and takes over the arrays. Rejects with an Error for a snapshot of another schema or layout. */
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
   * Adds or replaces a document in microseconds; each new word costs a sorted insertion. Throws for an unknown tag and
   * for more than 64 KB of terms; the index is then inconsistent and must be dropped.
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
    const scratch = this.#data.startQuery()
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

  /** Number of documents with a label, in constant time. */
  countLabel(label: string): number {
    return this.#data.dimensions.labelSet(label).count
  }

  facets(filter: CatalogueFilter<Flag>, options: FacetOptions): Facets<Flag, Tag> {
    return countFacets(this.#data, this.#data.startQuery(), filter, options) as Facets<Flag, Tag>
  }

  /** The most frequent tags with their numbers of documents, equally frequent ones by name. */
  tags(max: number): TagCount<Tag>[] {
    return countTags(this.#data, this.#data.all, max) as TagCount<Tag>[]
  }

  /** Spelling suggestion for a filter without matches: its words, unknown ones replaced. Undefined if there is none. */
  suggest(filter: CatalogueFilter<Flag>): string[] | undefined {
    return suggestWords(this.#data, this.#data.startQuery(), filter)
  }

  /** The most popular documents in which each of these prefixes starts a word of one field (by number). */
  complete(prefixes: readonly string[], options: { field: number; limit: number }): number[] {
    return completeInField(this.#data, this.#data.startQuery(), prefixes, options)
  }

  /** The most frequent tags whose names have this prefix; none for ''. */
  completeTags(prefix: string, limit: number): TagCount<Tag>[] {
    return completeTags(this.#data, prefix, limit) as TagCount<Tag>[]
  }

  /** The documents by other authors that share the most tags, weighted by rarity, the best first. */
  related(query: RelatedQuery): number[] {
    return findRelated(this.#data, this.#data.startQuery(), query)
  }
}

export interface BulkBuilderOptions {
  /** No document has a higher id. */
  maxId: number
  /** Called after each step of a few microseconds. */
  onStep?: (() => void) | undefined
  tuning?: Partial<IndexTuning> | undefined
}

/** Builds an index from documents by ascending id, much faster than `CatalogueIndex.put`: all is sorted once. */
export class BulkBuilder<Flag extends string = string, Sort extends string = string, Tag extends TagInfo = TagInfo> {
  readonly #schema: CatalogueSchema<Flag, Sort>
  readonly #tuning: Partial<IndexTuning> | undefined
  readonly #data: IndexData
  readonly #words = new WordTable()
  /** Documents by term. */
  #counts: Uint32Array = new Uint32Array(1024)
  readonly #ids: Uint32Array
  #documents = 0
  #terms: Uint32Array = new Uint32Array(1024)
  readonly #onStep: () => void

  constructor(schema: CatalogueSchema<Flag, Sort>, { maxId, onStep = () => {}, tuning }: BulkBuilderOptions) {
    this.#schema = schema
    this.#tuning = tuning
    this.#data = new IndexData(schema, tuning)
    this.#onStep = onStep
    this.#data.postings.maxId = maxId
    this.#data.columns.reserve(maxId + 1)
    this.#ids = new Uint32Array(maxId)
  }

  /** Adds a tag. All tags of a document must be added before it. */
  addTag(tag: Tag): void {
    this.#data.dimensions.addTag(tag)
  }

  /** Adds a document, which is copied. Throws for an unknown tag and for more than 64 KB of terms. */
  add(document: CatalogueDocument): void {
    const { dimensions, postings, columns, forward } = this.#data
    const tags = dimensions.tagTerms(document)
    const terms = this.#termsOf(document)
    for (const term of dimensions.implicitTerms(document)) postings.add(term, document.id)
    for (const term of tags) this.#count(term)
    for (let i = 0; i < terms.length; i++) this.#count(terms[i] ?? 0)
    columns.write(document)
    forward.write(document.id, { titleKey: document.titleKey, tags, terms })
    this.#ids[this.#documents++] = document.id
    this.#onStep()
  }

  /** Completes the index. The builder must not be used afterwards. */
  finish(): CatalogueIndex<Flag, Sort, Tag> {
    const { postings, forward, vocabulary, orders } = this.#data
    const ids = this.#ids.subarray(0, this.#documents)
    postings.fill(this.#counts, (add) => {
      for (const id of ids) {
        forward.forEachTerm(id, (term) => add(term, id))
        this.#onStep()
      }
    })
    vocabulary.sort()
    for (const list of orders.lists) list.load(sortByOrder(ids, list))
    return new CatalogueIndex(this.#schema, this.#tuning, this.#data)
  }

  /** The terms of the author, of labels that are not frequent and of the words, ascending. */
  #termsOf(document: CatalogueDocument): Uint32Array {
    const { author, words } = document
    const { dimensions, vocabulary } = this.#data
    let count = 0
    this.#terms[count++] = dimensions.authorTerm(author)
    for (const term of dimensions.storedLabelTerms(document)) {
      if (count === this.#terms.length) this.#terms = doubled(this.#terms)
      this.#terms[count++] = term
    }
    words.forEach((bytes, from, to, field) => {
      if (count === this.#terms.length) this.#terms = doubled(this.#terms)
      const number = this.#words.numberOf(bytes, from, to)
      if (number === vocabulary.length) vocabulary.append(this.#words.word(number))
      this.#terms[count++] = vocabulary.termOf(number, field)
    })
    return this.#terms.subarray(0, count).toSorted()
  }

  #count(term: number): void {
    while (term >= this.#counts.length) this.#counts = doubled(this.#counts)
    this.#counts[term] = (this.#counts[term] ?? 0) + 1
  }
}

const EMPTY = 0
/** At most a quarter of the slots are in use, so that most words are found in the first slot. */
const SLOTS_PER_WORD = 4
const START_SLOTS = 1 << 12

const decoder = new TextDecoder()

/** Hash table from UTF-8 words to numbers in the order of first appearance, with open addressing and linear probing. */
export class WordTable {
  /** Two entries a slot: the hash of the word, and its number plus one. */
  #slots = new Uint32Array(START_SLOTS * 2)
  #letters = new Uint8Array(1 << 16)
  /** By number: offset of a word's letters, which end at the offset of the next word. */
  #starts = new Uint32Array(1 << 10)
  #count = 0

  get size(): number {
    return this.#count
  }

  /** Returns the number of the word between `from` and `to`. A new word gets the next number. */
  numberOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = fnv1a(bytes, from, to)
    const mask = this.#slots.length / 2 - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot * 2 + 1] ?? EMPTY) - 1
      if (number < 0) return this.#add(hash, slot, bytes.subarray(from, to))
      if (this.#slots[slot * 2] === hash && this.#equals(number, bytes, from, to)) return number
    }
  }

  word(number: number): string {
    return decoder.decode(this.#letters.subarray(this.#starts[number], this.#starts[number + 1]))
  }

  #equals(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - start !== to - from) return false
    for (let i = from; i < to; i++) if (this.#letters[start + i - from] !== bytes[i]) return false
    return true
  }

  #add(hash: number, slot: number, letters: Uint8Array): number {
    const number = this.#count++
    const start = this.#starts[number] ?? 0
    const end = start + letters.length
    while (end > this.#letters.length) this.#letters = grown(this.#letters, new Uint8Array(this.#letters.length * 2))
    this.#letters.set(letters, start)
    if (this.#count === this.#starts.length) this.#starts = grown(this.#starts, new Uint32Array(this.#count * 2))
    this.#starts[this.#count] = end
    this.#slots[slot * 2] = hash
    this.#slots[slot * 2 + 1] = this.#count
    if (this.#count * SLOTS_PER_WORD > this.#slots.length / 2) this.#growSlots()
    return number
  }

  #growSlots(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    const mask = this.#slots.length / 2 - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === EMPTY) continue
      let slot = (old[i] ?? 0) & mask
      while (this.#slots[slot * 2 + 1] !== EMPTY) slot = (slot + 1) & mask
      this.#slots[slot * 2] = old[i] ?? 0
      this.#slots[slot * 2 + 1] = old[i + 1] ?? 0
    }
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}

/** FNV-1a (Fowler, Noll, Vo) with its higher bits folded in. */
function fnv1a(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
