import type { IndexData } from './index-data.ts'
import { select } from './query-planner.ts'
import type { CatalogueFilter } from './schema.ts'
import type { QueryScratch } from './scratch.ts'

/** Searches with more unknown words get no suggestion. */
const MAX_UNKNOWN = 2
/** Similar words that are tried for each unknown word. */
const MAX_SIMILAR = 3

/** Maximum number of typing mistakes by word length; none in the shortest words, which nearly every word resembles. */
const maxDistance = (length: number) => (length < 3 ? 0 : length < 6 ? 1 : 2)

/**
 * The words of a filter with each unknown one, which is the prefix of no word, replaced by a similar one, so that documents
 * match; undefined when no word is unknown or no replacement matches.
 */
export function suggestWords(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter): string[] | undefined {
  const unknown = filter.words.filter((word) => !index.vocabulary.hasPrefix(word))
  if (unknown.length === 0 || unknown.length > MAX_UNKNOWN) return undefined
  let guesses: string[][] = [[...filter.words]]
  for (const word of unknown) {
    const similar = findSimilarWords(index, word)
    guesses = guesses.flatMap((words) => similar.map((other) => words.map((one) => (one === word ? other : one))))
  }
  return guesses.find((words) => select(index, scratch, { ...filter, words }).set.count > 0)
}

interface Similar {
  word: string
  distance: number
  documents: number
}

/** The words most similar to an unknown one: by distance, then by number of documents. O(letters of all words). */
export function findSimilarWords({ vocabulary, postings, schema }: IndexData, word: string): string[] {
  const max = maxDistance(word.length)
  const found: Similar[] = []
  if (max === 0) return []
  const distances = new EditDistances(word, max)
  vocabulary.forEachWithPrefix('', (number) => {
    const other = vocabulary.word(number)
    const distance = distances.to(other)
    if (distance <= max) {
      let documents = 0
      for (let field = 0; field < schema.fieldCount; field++) {
        documents += postings.count(vocabulary.termAt(number, field))
      }
      found.push({ word: other, distance, documents })
    }
    return true
  })
  found.sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1))
  return found.slice(0, MAX_SIMILAR).map((similar) => similar.word)
}

/**
 * Distances of one word to many: letters to insert, delete, replace or swap with their neighbor (optimal string alignment
 * distance). Words must come sorted: the rows of the table for a common prefix are reused, and all words with a prefix
 * that is too far off are skipped.
 */
class EditDistances {
  readonly #word: string
  readonly #max: number
  readonly #rows: Uint8Array[]
  #last = ''
  /** Length of the shortest prefix of `#last` that is too far off. */
  #deadLength = Infinity

  constructor(word: string, max: number) {
    this.#word = word
    this.#max = max
    const maxLength = word.length + max + 1
    this.#rows = Array.from({ length: maxLength + 1 }, () => new Uint8Array(word.length + 1))
    for (let i = 0; i <= word.length; i++) (this.#rows[0] ?? [])[i] = i
  }

  /** Infinity when it is more than the maximum. */
  to(other: string): number {
    let common = 0
    const shorter = Math.min(other.length, this.#last.length, this.#rows.length - 1)
    while (common < shorter && other.charCodeAt(common) === this.#last.charCodeAt(common)) common++
    this.#last = other
    if (common >= this.#deadLength) return Infinity
    this.#deadLength = Infinity
    for (let length = common + 1; length <= other.length; length++) {
      if (length >= this.#rows.length || this.#fillRow(other, length) > this.#max) {
        this.#deadLength = length
        return Infinity
      }
    }
    return this.#rows[other.length]?.[this.#word.length] ?? Infinity
  }

  /** Fills the row of a prefix of `other` and returns the least distance that a word with this prefix can have. */
  #fillRow(other: string, length: number): number {
    const word = this.#word
    const [row, above, twoAbove] = [this.#rows[length], this.#rows[length - 1], this.#rows[length - 2]]
    if (!row || !above) return Infinity
    row[0] = length
    let lowest = length
    for (let i = 1; i <= word.length; i++) {
      const isSame = word.charCodeAt(i - 1) === other.charCodeAt(length - 1)
      let cost = Math.min((row[i - 1] ?? 0) + 1, (above[i] ?? 0) + 1, (above[i - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped =
        word.charCodeAt(i - 1) === other.charCodeAt(length - 2) &&
        word.charCodeAt(i - 2) === other.charCodeAt(length - 1)
      if (twoAbove && i > 1 && isSwapped) cost = Math.min(cost, (twoAbove[i - 2] ?? 0) + 1)
      row[i] = cost
      if (cost < lowest) lowest = cost
    }
    return lowest
  }
}
