import { Columns } from './columns.ts'
import { DerivedSets } from './derived.ts'
import { KeptFilters } from './kept-filters.ts'
import { Labels } from './labels.ts'
import { KEPT_SORTS, movedSorts, openOrders } from './orders.ts'
import { Postings } from './postings.ts'
import { Records } from './records.ts'
import { eachWord, type IndexRow } from './row.ts'
import { type Section, SectionReader, SectionWriter } from './sections.ts'
import { Vocabulary } from './vocabulary.ts'
import { plainTerms, tagTerms } from './terms.ts'

const decoder = new TextDecoder()
const DERIVED_BOUNDS = { most: 512, mostBytes: 32e6, leastFull: 256 }

/** All listed scripts, by id. Each call changes everything that it has to or, when it throws, leaves the index unusable. */
export class MemoryIndex {
  readonly columns = new Columns()
  readonly records = new Records()
  readonly postings = new Postings()
  readonly labels = new Labels(this.postings)
  readonly vocabulary = new Vocabulary(this.postings)
  readonly derived = new DerivedSets(DERIVED_BOUNDS)
  readonly filters = new KeptFilters()
  readonly orders = openOrders(this.columns, this.records)

  /** All of it: copies, made in short slices, or the arrays themselves, which ends the index. */
  async save(takes: 'copies' | 'arrays' = 'copies'): Promise<Section[]> {
    const out = new SectionWriter(takes)
    for (const part of [this.columns, this.records, this.postings, this.labels, this.vocabulary]) await part.save(out)
    for (const sort of KEPT_SORTS) await out.put(`order ${sort}`, this.orders[sort].toArray())
    return out.sections
  }

  /** A saved index. Its columns and pages are the arrays that were read. */
  static async from(sections: readonly Section[]): Promise<MemoryIndex> {
    const index = new MemoryIndex()
    const from = new SectionReader(sections)
    for (const part of [index.columns, index.records, index.postings, index.labels, index.vocabulary]) {
      await part.load(from)
      if (from.slices.isDue) await from.slices.pause()
    }
    for (const sort of KEPT_SORTS) {
      index.orders[sort].load(from.uint32(`order ${sort}`))
      if (from.slices.isDue) await from.slices.pause()
    }
    return index
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
    const isKnown = this.has(id)
    const hasNewTitle = isKnown && Buffer.compare(this.records.title(id), row.title) !== 0
    const moved = isKnown ? movedSorts(this.columns, hasNewTitle, row) : KEPT_SORTS
    if (isKnown) for (const sort of moved) this.orders[sort].remove(id)
    const hasNewTerms = this.#write(row)
    for (const sort of moved) this.orders[sort].insert(id)
    this.derived.update(id, row, hasNewTerms)
    this.filters.update(id, row, hasNewTerms)
  }

  remove(id: number): void {
    if (!this.has(id)) return
    for (const sort of KEPT_SORTS) this.orders[sort].remove(id)
    this.#exchangeTerms(id, this.#termsOf(id), [])
    this.records.remove(id)
    this.derived.update(id, undefined, true)
    this.filters.update(id, undefined, true)
  }

  /** Whether its terms are others than before. */
  #write(row: IndexRow): boolean {
    const { id, title } = row
    const tags = tagTerms(this.labels, row)
    const terms = this.#otherTerms(row)
    const before = this.has(id) ? this.#termsOf(id) : []
    const after = [...plainTerms(this.labels, row), ...tags, ...terms].toSorted((a, b) => a - b)
    const hasNewTerms = this.#exchangeTerms(id, before, after)
    this.columns.write(row)
    this.records.write(id, { title, tags, terms })
    return hasNewTerms
  }

  #otherTerms(row: IndexRow): number[] {
    const terms = [this.labels.authorTerm(row.author)]
    eachWord(row.words, (from, to, place) => {
      terms.push(this.vocabulary.term(decoder.decode(row.words.subarray(from, to)), place))
    })
    return terms.toSorted((a, b) => a - b)
  }

  #termsOf(id: number): number[] {
    const terms = this.labels.plain.filter((term) => this.postings.has(term, id))
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
