import type { MemoryIndex } from './memory-index.ts'
import { PLACES } from './vocabulary.ts'

interface Similar {
  word: string
  distance: number
  scripts: number
}

const MOST = 3

/** Mistakes that are forgiven: none in the shortest words, where nearly every other word would be near. */
const forgiven = (length: number) => (length < 3 ? 0 : length < 6 ? 1 : 2)

/** The words nearest to one that nobody uses: fewest mistakes, then most scripts. */
export function similarWords({ vocabulary, postings }: MemoryIndex, word: string): string[] {
  const most = forgiven(word.length)
  const found: Similar[] = []
  if (most === 0) return []
  const distances = new Distances(word, most)
  vocabulary.eachBeginning('', (number) => {
    const other = vocabulary.words[number] ?? ''
    const distance = distances.to(other)
    if (distance <= most) {
      let scripts = 0
      for (let place = 0; place < PLACES; place++) scripts += postings.count(vocabulary.termAt(number, place))
      found.push({ word: other, distance, scripts })
    }
    return true
  })
  const best = found.toSorted((a, b) => a.distance - b.distance || b.scripts - a.scripts || (a.word < b.word ? -1 : 1))
  return best.slice(0, MOST).map((similar) => similar.word)
}

/**
 * How many letters have to be changed, added, left out or exchanged with their neighbour (optimal string alignment). The
 * words come sorted, so that what was counted for the beginning of one serves the next, and all words with a beginning
 * that is too far off are passed over.
 */
class Distances {
  readonly #word: string
  readonly #most: number
  readonly #rows: Uint8Array[]
  #last = ''
  /** From this length on the last word was too far off. */
  #dead = Infinity

  constructor(word: string, most: number) {
    this.#word = word
    this.#most = most
    const longest = word.length + most + 1
    this.#rows = Array.from({ length: longest + 1 }, () => new Uint8Array(word.length + 1))
    for (let at = 0; at <= word.length; at++) (this.#rows[0] ?? [])[at] = at
  }

  to(other: string): number {
    let common = 0
    const shorter = Math.min(other.length, this.#last.length, this.#rows.length - 1)
    while (common < shorter && other.charCodeAt(common) === this.#last.charCodeAt(common)) common++
    this.#last = other
    if (common >= this.#dead) return Infinity
    this.#dead = Infinity
    for (let length = common + 1; length <= other.length; length++) {
      if (length >= this.#rows.length || this.#count(other, length) > this.#most) {
        this.#dead = length
        return Infinity
      }
    }
    return this.#rows[other.length]?.[this.#word.length] ?? Infinity
  }

  /** Fills the row of a beginning and gives the least that any continuation can have. */
  #count(other: string, length: number): number {
    const word = this.#word
    const [row, above, over] = [this.#rows[length], this.#rows[length - 1], this.#rows[length - 2]]
    if (!row || !above) return Infinity
    row[0] = length
    let least = length
    for (let at = 1; at <= word.length; at++) {
      const isSame = word.charCodeAt(at - 1) === other.charCodeAt(length - 1)
      let cost = Math.min((row[at - 1] ?? 0) + 1, (above[at] ?? 0) + 1, (above[at - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped =
        word.charCodeAt(at - 1) === other.charCodeAt(length - 2) &&
        word.charCodeAt(at - 2) === other.charCodeAt(length - 1)
      if (over && at > 1 && isSwapped) cost = Math.min(cost, (over[at - 2] ?? 0) + 1)
      row[at] = cost
      if (cost < least) least = cost
    }
    return least
  }
}
