import type { Tag } from '#contract/catalogue.ts'
import { FLAGS, type Flag } from '#contract/catalogue-names.ts'
import type { Postings } from './postings.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

const SORT_EVERY = 256

export interface KnownTag extends Tag {
  term: number
}

/** The terms of what is not a word: flags, tags, authors, and one that every script has. */
export class Labels {
  readonly #postings: Postings
  readonly all: number
  readonly #flags: readonly number[]
  /** That of all scripts and those of all flags: so many scripts have them that no record says so, only the sets do. */
  readonly plain: readonly number[]
  readonly #authors = new Map<number, number>()
  readonly #tagsById = new Map<number, KnownTag>()
  readonly #tagsByName = new Map<string, KnownTag>()
  readonly tags: KnownTag[] = []
  #commonFirst: KnownTag[] = []
  #asked = 0

  constructor(postings: Postings) {
    this.#postings = postings
    this.all = postings.create()
    this.#flags = FLAGS.map(() => postings.create())
    this.plain = [this.all, ...this.#flags]
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
    for (const [place, author] of from.uint32('authors').entries()) {
      this.#authors.set(author, terms[place] ?? 0)
      if (from.slices.isDue) await from.slices.pause()
    }
    for (const text of await from.texts('tags')) {
      this.#know(JSON.parse(text) as KnownTag)
      if (from.slices.isDue) await from.slices.pause()
    }
  }

  flag(flag: Flag): number {
    return this.flagAt(FLAGS.indexOf(flag))
  }

  flagAt(place: number): number {
    return this.#flags[place] ?? this.all
  }

  author(id: number): number | undefined {
    return this.#authors.get(id)
  }

  authorTerm(id: number): number {
    let term = this.#authors.get(id)
    if (term === undefined) {
      term = this.#postings.create()
      this.#authors.set(id, term)
    }
    return term
  }

  hasTag(id: number): boolean {
    return this.#tagsById.has(id)
  }

  tag(id: number): KnownTag | undefined {
    return this.#tagsById.get(id)
  }

  tagNamed(name: string): KnownTag | undefined {
    return this.#tagsByName.get(name)
  }

  /** All tags, roughly the commonest first: sorted afresh now and then. */
  commonFirst(): readonly KnownTag[] {
    if (this.#asked++ % SORT_EVERY === 0 || this.#commonFirst.length !== this.tags.length) {
      this.#commonFirst = this.tags.toSorted((a, b) => this.#postings.count(b.term) - this.#postings.count(a.term))
    }
    return this.#commonFirst
  }

  addTag({ id, name, color }: Tag): void {
    if (this.#tagsById.has(id)) return
    this.#know({ id, name, color, term: this.#postings.create() })
  }

  #know(tag: KnownTag): void {
    this.#tagsById.set(tag.id, tag)
    this.#tagsByName.set(tag.name, tag)
    this.tags.push(tag)
  }
}
