import { FLAGS } from '#contract/catalogue-names.ts'
import { Columns } from './columns.ts'
import { DerivedSets } from './derived.ts'
import { KeptFilters } from './kept-filters.ts'
import { Labels } from './labels.ts'
import { KEPT_SORTS, movedSorts, openOrders } from './orders.ts'
import { doubled, Postings } from './postings.ts'
import { Records } from './records.ts'
import { eachWord, type IndexRow } from './row.ts'
import type { SectionReader, SectionWriter } from './sections.ts'
import { Vocabulary } from './vocabulary.ts'
import { WordScores } from './word-scores.ts'

const encoder = new TextEncoder()
const MOST_DERIVED = 512
const MOST_DERIVED_BYTES = 20e6

/** All listed scripts, by id. Each call changes everything that it has to or, when it throws, leaves the index unusable. */
export class MemoryIndex {
  readonly columns = new Columns()
  readonly records = new Records()
  readonly postings = new Postings()
  readonly labels = new Labels(this.postings)
  readonly vocabulary = new Vocabulary(this.postings)
  readonly derived = new DerivedSets(MOST_DERIVED, MOST_DERIVED_BYTES)
  readonly filters = new KeptFilters()
  readonly scores = new WordScores()
  readonly orders = openOrders(this.columns, this.records)
  /** Room for those of one script. */
  #terms: Uint32Array = new Uint32Array(1024)

  async save(out: SectionWriter): Promise<void> {
    for (const part of [this.columns, this.records, this.postings, this.labels, this.vocabulary]) await part.save(out)
    for (const sort of KEPT_SORTS) await out.put(`order ${sort}`, this.orders[sort].toArray())
  }

  /** Takes over a saved index. The columns and pages stay what was read. */
  async restore(from: SectionReader): Promise<void> {
    for (const part of [this.columns, this.records, this.postings, this.labels, this.vocabulary]) {
      await part.load(from)
      if (from.slices.isDue) await from.slices.pause()
    }
    for (const sort of KEPT_SORTS) {
      this.orders[sort].load(from.uint32(`order ${sort}`))
      if (from.slices.isDue) await from.slices.pause()
    }
  }

  get size(): number {
    return this.postings.count(this.labels.all)
  }

  has(id: number): boolean {
    return this.records.has(id)
  }

  /** Adds a script or brings it up to date. Its tags have to be known. */
  put(row: IndexRow): void {
    const { id } = row
    const title = encoder.encode(row.title)
    const isKnown = this.has(id)
    const hasNewTitle = isKnown && Buffer.compare(this.records.title(id), title) !== 0
    const moved = isKnown ? movedSorts(this.columns, hasNewTitle, row) : KEPT_SORTS
    if (isKnown) for (const sort of moved) this.orders[sort].remove(id)
    const hasNewTerms = this.#write(row, title)
    for (const sort of moved) this.orders[sort].insert(id)
    this.derived.update(id, row, hasNewTerms)
    this.filters.update(id, row, hasNewTerms)
    if (hasNewTerms) this.scores.update(id, row)
  }

  /** Like `put`, for scripts that are not known yet, and without the orders: who builds the index makes them at the end. */
  load(row: IndexRow): void {
    const { id } = row
    const tags = this.#tagTerms(row)
    const terms = this.#otherTerms(row)
    for (const term of tags) this.postings.add(term, id)
    for (const term of terms) this.postings.add(term, id)
    this.columns.write(row)
    this.records.write(id, { title: encoder.encode(row.title), tags, terms })
  }

  remove(id: number): void {
    if (!this.has(id)) return
    for (const sort of KEPT_SORTS) this.orders[sort].remove(id)
    this.#exchangeTerms(id, this.#termsOf(id), [])
    this.records.remove(id)
    this.derived.update(id, undefined, true)
    this.filters.update(id, undefined, true)
    this.scores.update(id, undefined)
  }

  /** Whether its terms are others than before. */
  #write(row: IndexRow, title: Uint8Array): boolean {
    const { id } = row
    const tags = this.#tagTerms(row)
    const terms = this.#otherTerms(row)
    const before = this.has(id) ? this.#termsOf(id) : []
    const after = [...tags, ...terms].toSorted((a, b) => a - b)
    const hasNewTerms = this.#exchangeTerms(id, before, after)
    this.columns.write(row)
    this.records.write(id, { title, tags, terms })
    return hasNewTerms
  }

  #tagTerms({ id, tags }: IndexRow): number[] {
    const terms = tags.map((tag) => {
      const known = this.labels.tag(tag)
      if (!known) throw new Error(`Script ${id} has tag ${tag}, which is not known`)
      return known.term
    })
    return terms.toSorted((a, b) => a - b)
  }

  #otherTerms(row: IndexRow): Uint32Array {
    let count = 0
    this.#terms[count++] = this.labels.all
    this.#terms[count++] = this.labels.authorTerm(row.author)
    for (let flag = 0; flag < FLAGS.length; flag++) {
      if (row.flags & (1 << flag)) this.#terms[count++] = this.labels.flagAt(flag)
    }
    const { text } = row.document
    eachWord(row.document, (from, to, place) => {
      if (count === this.#terms.length) this.#terms = doubled(this.#terms)
      this.#terms[count++] = this.vocabulary.termIn(text, from, to, place)
    })
    return this.#terms.subarray(0, count).toSorted()
  }

  #termsOf(id: number): number[] {
    const terms: number[] = []
    this.records.eachTerm(id, (term) => terms.push(term))
    return terms.toSorted((a, b) => a - b)
  }

  /** Both in ascending order. Tells whether they differ. */
  #exchangeTerms(id: number, before: readonly number[], after: readonly number[]): boolean {
    let [old, now] = [0, 0]
    let differ = false
    while (old < before.length || now < after.length) {
      const gone = before[old] ?? Infinity
      const added = after[now] ?? Infinity
      if (gone === added) {
        old++
        now++
        continue
      }
      differ = true
      if (added < gone) {
        this.postings.add(added, id)
        now++
      } else {
        this.postings.remove(gone, id)
        this.vocabulary.releaseEmpty(gone)
        old++
      }
    }
    return differ
  }
}
