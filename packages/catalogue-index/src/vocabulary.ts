import { EMPTY_SET, type IdSet } from './id-set.ts'
import type { Postings } from './postings.ts'
import type { CatalogueDocument, CompiledSchema } from './schema.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'
import { sortByOrder } from './radix-sort.ts'
import { SortedIdList } from './sort-orders.ts'

const NONE = -1
/** Letters of a word that make up its sort key. */
const KEY_LETTERS = 3

/** All words in use, sorted by UTF-16 code units, so that a prefix is a range. A word has a term for each field. */
export class Vocabulary {
  readonly #postings: Postings
  readonly #fields: number
  readonly #numbers = new Map<string, number>()
  #free: number[] = []
  #words: string[] = []
  /** By word times the number of fields plus field. */
  #terms: Int32Array
  /** By term: the index in `#terms` plus one, 0 for terms of other kinds. */
  #owners: Uint32Array = new Uint32Array(1024)
  readonly #order: SortedIdList

  constructor(postings: Postings, fields: number, chunkSize?: number) {
    this.#postings = postings
    this.#fields = fields
    this.#terms = new Int32Array(1024 * fields).fill(NONE)
    this.#order = new SortedIdList(
      (first, second) => {
        const [a = '', b = ''] = [this.#words[first], this.#words[second]]
        return a < b ? -1 : a > b ? 1 : 0
      },
      (numbers, keys) => {
        for (let i = 0; i < numbers.length; i++) keys[i] = sortKey(this.#words[numbers[i] ?? 0] ?? '')
      },
      chunkSize,
    )
  }

  async save(out: SectionWriter): Promise<void> {
    await out.putTexts('words', this.#words)
    await out.put('word terms', this.#terms)
    await out.put('word owners', this.#owners)
    await out.put('free words', Uint32Array.from(this.#free))
    await out.put('word order', this.#order.toArray())
  }

  async load(from: SectionReader): Promise<void> {
    this.#words = await from.texts('words')
    this.#terms = from.int32('word terms')
    this.#owners = from.uint32('word owners')
    this.#free = [...from.uint32('free words')]
    this.#order.load(from.uint32('word order'))
    for (const [number, word] of this.#words.entries()) {
      if (word !== '') this.#numbers.set(word, number)
      if (from.slicer.isDue) await from.slicer.pause()
    }
  }

  /** Number of word numbers assigned so far; the next new word of a bulk build gets this number. */
  get length(): number {
    return this.#words.length
  }

  word(number: number): string {
    return this.#words[number] ?? ''
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  /** The term of a word in a field; -1 if no document has the word in this field. */
  termAt(number: number, field: number): number {
    return this.#terms[number * this.#fields + field] ?? NONE
  }

  /** The term of a word in a field, created if needed. */
  term(word: string, field: number): number {
    return this.termOf(this.#numbers.get(word) ?? this.#add(word), field)
  }

  termOf(number: number, field: number): number {
    const known = this.termAt(number, field)
    if (known !== NONE) return known
    const term = this.#postings.create()
    if (term >= this.#owners.length) {
      const grown = new Uint32Array(term * 2)
      grown.set(this.#owners)
      this.#owners = grown
    }
    const slot = number * this.#fields + field
    this.#terms[slot] = term
    this.#owners[term] = slot + 1
    return term
  }

  /** Drops the term of a word if it has no documents left, and with its last term the word. Leaves other terms alone. */
  releaseEmpty(term: number): void {
    const slot = (this.#owners[term] ?? 0) - 1
    if (slot < 0 || this.#postings.count(term) > 0) return
    this.#owners[term] = 0
    this.#terms[slot] = NONE
    this.#postings.release(term)
    const number = Math.floor(slot / this.#fields)
    for (let field = 0; field < this.#fields; field++) if (this.termAt(number, field) !== NONE) return
    this.#order.remove(number)
    this.#numbers.delete(this.word(number))
    this.#words[number] = ''
    this.#free.push(number)
  }

  hasPrefix(prefix: string): boolean {
    let isFound = false
    this.forEachWithPrefix(prefix, () => {
      isFound = true
      return false
    })
    return isFound
  }

  /** Calls `visit` with the number of each word that has this prefix, sorted, until it returns false. */
  forEachWithPrefix(prefix: string, visit: (number: number) => boolean): void {
    this.#order.walkAfter(
      (number) => this.word(number) < prefix,
      (number) => this.word(number).startsWith(prefix) && visit(number),
    )
  }

  forEachTerm(prefix: string, visit: (term: number) => void): void {
    this.forEachWithPrefix(prefix, (number) => {
      for (let field = 0; field < this.#fields; field++) {
        const term = this.termAt(number, field)
        if (term >= 0) visit(term)
      }
      return true
    })
  }

  /** Adds a new word without sorting it in. Call `sort` afterwards. */
  append(word: string): void {
    this.#enter(this.#words.length, word)
  }

  sort(): void {
    this.#order.load(sortByOrder(Uint32Array.from(this.#words.keys()), this.#order))
  }

  #add(word: string): number {
    const number = this.#free.pop() ?? this.#words.length
    this.#enter(number, word)
    this.#order.insert(number)
    return number
  }

  #enter(number: number, word: string): void {
    this.#words[number] = word
    this.#numbers.set(word, number)
    if ((number + 1) * this.#fields > this.#terms.length) {
      const grown = new Int32Array(this.#terms.length * 2).fill(NONE)
      grown.set(this.#terms)
      this.#terms = grown
    }
  }
}

/** A number that compares like the first letters of the word. */
function sortKey(word: string): number {
  let key = 0
  for (let i = 0; i < KEY_LETTERS; i++) key = key * 65_536 + (i < word.length ? word.charCodeAt(i) : 0)
  return key
}

/** A tag of the application. Further properties are stored as JSON and returned with counts. */
export interface TagInfo {
  readonly id: number
  readonly name: string
}

export interface KnownTag {
  readonly info: TagInfo
  readonly term: number
}

/** The terms other than words: flags, tags, authors, labels, and one that every document has. */
export class Dimensions {
  readonly #postings: Postings
  readonly #schema: CompiledSchema
  readonly #tagSortInterval: number
  /** The term of every document. */
  readonly all: number
  readonly #flags: readonly number[]
  /** `all` and the terms of flags and frequent labels: so frequent that the forward index leaves them out. */
  readonly implicit: readonly number[]
  readonly #authors = new Map<number, number>()
  readonly #frequentLabels: ReadonlyMap<string, number>
  readonly #labels = new Map<string, number>()
  readonly #labelNames = new Map<number, string>()
  readonly #tagsById = new Map<number, KnownTag>()
  readonly #tagsByName = new Map<string, KnownTag>()
  readonly tags: KnownTag[] = []
  #byFrequency: KnownTag[] = []
  #reads = 0

  constructor(postings: Postings, schema: CompiledSchema, tagSortInterval: number) {
    this.#postings = postings
    this.#schema = schema
    this.#tagSortInterval = tagSortInterval
    this.all = postings.create()
    this.#flags = schema.source.flags.map(() => postings.create())
    this.#frequentLabels = new Map(schema.source.frequentLabels?.map((label) => [label, postings.create()]))
    this.implicit = [this.all, ...this.#flags, ...this.#frequentLabels.values()]
  }

  async save(out: SectionWriter): Promise<void> {
    await out.put('authors', Uint32Array.from(this.#authors.keys()))
    await out.put('author terms', Uint32Array.from(this.#authors.values()))
    await out.putTexts('labels', [...this.#labels.keys()])
    await out.put('label terms', Uint32Array.from(this.#labels.values()))
    await out.putTexts(
      'tags',
      this.tags.map((tag) => JSON.stringify(tag)),
    )
  }

  async load(from: SectionReader): Promise<void> {
    const terms = from.uint32('author terms')
    for (const [i, author] of from.uint32('authors').entries()) {
      this.#authors.set(author, terms[i] ?? 0)
      if (from.slicer.isDue) await from.slicer.pause()
    }
    const labelTerms = from.uint32('label terms')
    for (const [i, label] of (await from.texts('labels')).entries()) {
      this.#registerLabel(label, labelTerms[i] ?? 0)
      if (from.slicer.isDue) await from.slicer.pause()
    }
    for (const text of await from.texts('tags')) {
      this.#register(JSON.parse(text) as KnownTag)
      if (from.slicer.isDue) await from.slicer.pause()
    }
  }

  /** Throws RangeError for a flag that is not in the schema. */
  flagTerm(flag: string): number {
    return this.#flags[this.#schema.flagIndex(flag)] ?? this.all
  }

  findAuthorTerm(author: number): number | undefined {
    return this.#authors.get(author)
  }

  hasTag(id: number): boolean {
    return this.#tagsById.has(id)
  }

  findTagByName(name: string): KnownTag | undefined {
    return this.#tagsByName.get(name)
  }

  /** All tags, the most frequent first as of the last sort, which is repeated every `tagSortInterval` calls. */
  tagsByFrequency(): readonly KnownTag[] {
    if (this.#reads++ % this.#tagSortInterval === 0 || this.#byFrequency.length !== this.tags.length) {
      this.#byFrequency = this.tags.toSorted((a, b) => this.#postings.count(b.term) - this.#postings.count(a.term))
    }
    return this.#byFrequency
  }

  addTag(info: TagInfo): void {
    if (this.#tagsById.has(info.id)) return
    this.#register({ info, term: this.#postings.create() })
  }

  #register(tag: KnownTag): void {
    this.#tagsById.set(tag.info.id, tag)
    this.#tagsByName.set(tag.info.name, tag)
    this.tags.push(tag)
  }

  /** The term of an author, created if needed. */
  authorTerm(author: number): number {
    let term = this.#authors.get(author)
    if (term === undefined) {
      term = this.#postings.create()
      this.#authors.set(author, term)
    }
    return term
  }

  /** The documents with a label, borrowed until the next change. */
  labelSet(label: string): IdSet {
    const term = this.#frequentLabels.get(label) ?? this.#labels.get(label)
    return term === undefined ? EMPTY_SET : this.#postings.set(term)
  }

  /** The terms of a document's labels that are not frequent, created if needed. */
  storedLabelTerms({ labels }: CatalogueDocument): number[] {
    return labels.filter((label) => !this.#frequentLabels.has(label)).map((label) => this.#labelTerm(label))
  }

  #labelTerm(label: string): number {
    const known = this.#labels.get(label)
    if (known !== undefined) return known
    const term = this.#postings.create()
    this.#registerLabel(label, term)
    return term
  }

  #registerLabel(label: string, term: number): void {
    this.#labels.set(label, term)
    this.#labelNames.set(term, label)
  }

  /** Drops the term of a label that is not frequent if it has no documents left. Leaves other terms alone. */
  releaseEmptyLabel(term: number): void {
    const label = this.#labelNames.get(term)
    if (label === undefined || this.#postings.count(term) > 0) return
    this.#labels.delete(label)
    this.#labelNames.delete(term)
    this.#postings.release(term)
  }

  /** The terms of a document's tags, ascending. Throws for a tag that was not added. */
  tagTerms({ id, tags }: CatalogueDocument): number[] {
    const terms = tags.map((tag) => {
      const known = this.#tagsById.get(tag)
      if (!known) throw new Error(`Document ${id} has the unknown tag ${tag}`)
      return known.term
    })
    return terms.toSorted((a, b) => a - b)
  }

  /** The terms in `implicit` that a document has. */
  implicitTerms({ flags, labels }: CatalogueDocument): number[] {
    const terms = [this.all]
    for (const label of labels) {
      const term = this.#frequentLabels.get(label)
      if (term !== undefined) terms.push(term)
    }
    for (let i = 0; i < this.#flags.length; i++) if (flags & (1 << i)) terms.push(this.#flags[i] ?? this.all)
    return terms
  }
}
