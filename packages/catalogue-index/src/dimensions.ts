import type { CatalogueDocument } from './document.ts'
import type { Postings } from './postings.ts'
import type { CompiledSchema } from './schema.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'

/** A tag of the application. Further properties are stored as JSON and returned with counts. */
export interface TagInfo {
  readonly id: number
  readonly name: string
}

export interface KnownTag {
  readonly info: TagInfo
  readonly term: number
}

/** The terms other than words: flags, tags, authors, and one that every document has. */
export class Dimensions {
  readonly #postings: Postings
  readonly #schema: CompiledSchema
  readonly #tagSortInterval: number
  /** The term of every document. */
  readonly all: number
  readonly #flags: readonly number[]
  /** `all` and the terms of the flags. So many documents have them that the forward index leaves them out. */
  readonly implicit: readonly number[]
  readonly #authors = new Map<number, number>()
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
    this.implicit = [this.all, ...this.#flags]
  }

  async save(out: SectionWriter): Promise<void> {
    await out.put('authors', Uint32Array.from(this.#authors.keys()))
    await out.put('author terms', Uint32Array.from(this.#authors.values()))
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

  findTag(id: number): KnownTag | undefined {
    return this.#tagsById.get(id)
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

  /** Does nothing for a tag with a known id. */
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

  /** The terms of a document's tags, ascending. Throws for a tag that was not added. */
  tagTerms({ id, tags }: CatalogueDocument): number[] {
    const terms = tags.map((tag) => {
      const known = this.#tagsById.get(tag)
      if (!known) throw new Error(`Document ${id} has the unknown tag ${tag}`)
      return known.term
    })
    return terms.toSorted((a, b) => a - b)
  }

  /** The terms in `implicit` that a document has, ascending. */
  implicitTerms({ flags }: CatalogueDocument): number[] {
    const terms = [this.all]
    for (let i = 0; i < this.#flags.length; i++) if (flags & (1 << i)) terms.push(this.#flags[i] ?? this.all)
    return terms
  }
}
