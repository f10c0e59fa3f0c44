import { MemoryIndex } from './memory-index.ts'
import { KEPT_SORTS } from './orders.ts'
import { doubled } from './postings.ts'
import { eachWord, type IndexRow } from './row.ts'
import { sortNumbers } from './sort-numbers.ts'
import { plainTerms, tagTerms } from './terms.ts'
import { WordTable } from './word-table.ts'

/**
 * Makes an index of scripts that come in the order of their ids, far quicker than by putting one after the other: the lists
 * get their room once it is known how long each becomes, and words and orders are sorted once.
 */
export class Loader {
  readonly index = new MemoryIndex()
  readonly #words = new WordTable()
  /** By term, how many scripts have it. */
  #counts: Uint32Array = new Uint32Array(1024)
  readonly #ids: Uint32Array
  #scripts = 0
  /** Room for the terms of one script. */
  #terms: Uint32Array = new Uint32Array(1024)
  readonly #rest: () => void

  /** For ids up to `span`; `rest` is called after each step. */
  constructor(span: number, rest: () => void) {
    this.#rest = rest
    this.index.postings.span = span
    this.index.columns.reserve(span + 1)
    this.#ids = new Uint32Array(span)
  }

  /** Its tags have to be known. Nothing of the row is kept. */
  take(row: IndexRow): void {
    const tags = tagTerms(this.index.labels, row)
    const terms = this.#otherTerms(row)
    for (const term of plainTerms(this.index.labels, row)) this.index.postings.add(term, row.id)
    for (const term of tags) this.#count(term)
    for (let at = 0; at < terms.length; at++) this.#count(terms[at] ?? 0)
    this.index.columns.write(row)
    this.index.records.write(row.id, { title: row.title, tags, terms })
    this.#ids[this.#scripts++] = row.id
    this.#rest()
  }

  finish(): MemoryIndex {
    const { index } = this
    const ids = this.#ids.subarray(0, this.#scripts)
    index.postings.fill(this.#counts, (add) => {
      for (const id of ids) {
        index.records.eachTerm(id, (term) => add(term, id))
        this.#rest()
      }
    })
    index.vocabulary.sort()
    for (const sort of KEPT_SORTS) index.orders[sort].load(sortNumbers(ids, index.orders[sort]))
    return index
  }

  #otherTerms(row: IndexRow): Uint32Array {
    const { labels, vocabulary } = this.index
    const { words } = row
    let count = 0
    this.#terms[count++] = labels.authorTerm(row.author)
    eachWord(words, (from, to, place) => {
      if (count === this.#terms.length) this.#terms = doubled(this.#terms)
      const number = this.#words.numberOf(words, from, to)
      if (number === vocabulary.words.length) vocabulary.append(this.#words.word(number))
      this.#terms[count++] = vocabulary.termOf(number, place)
    })
    return this.#terms.subarray(0, count).toSorted()
  }

  #count(term: number): void {
    while (term >= this.#counts.length) this.#counts = doubled(this.#counts)
    this.#counts[term] = (this.#counts[term] ?? 0) + 1
  }
}
