import { CatalogueIndex } from './catalogue-index.ts'
import type { CatalogueDocument } from './document.ts'
import type { TagInfo } from './dimensions.ts'
import { IndexData } from './index-data.ts'
import { doubled } from './postings.ts'
import { sortByOrder } from './radix-sort.ts'
import type { CatalogueSchema } from './schema.ts'
import type { IndexTuning } from './tuning.ts'

export interface BulkBuilderOptions {
  /** No document has a higher id. */
  maxId: number
  /** Called after each step of a few microseconds. */
  onStep?: (() => void) | undefined
  tuning?: Partial<IndexTuning> | undefined
}

/**
 * Builds an index from documents in ascending order of their ids. Much faster than `CatalogueIndex.put` for each: postings
 * are allocated once their lengths are known, and words and sort orders are sorted once.
 */
export class BulkBuilder<Flag extends string = string, Sort extends string = string, Tag extends TagInfo = TagInfo> {
  readonly #schema: CatalogueSchema<Flag, Sort>
  readonly #tuning: Partial<IndexTuning> | undefined
  readonly #data: IndexData
  readonly #words = new WordTable()
  /** Documents by term. */
  #counts: Uint32Array = new Uint32Array(1024)
  readonly #ids: Uint32Array
  #documents = 0
  /** The terms of one document. */
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

  /** Adds a document, which is copied. Throws for an unknown tag. */
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

  /** The terms of the author and the words, ascending. */
  #termsOf({ author, words }: CatalogueDocument): Uint32Array {
    const { dimensions, vocabulary } = this.#data
    let count = 0
    this.#terms[count++] = dimensions.authorTerm(author)
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

/**
 * Hash table from words in UTF-8 to numbers in the order of first appearance, with open addressing and linear probing.
 * Decodes no word twice.
 */
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
