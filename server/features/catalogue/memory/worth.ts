import { PLACE_WEIGHTS, WHOLE } from '#server/features/catalogue/relevance-weights.ts'
import type { Bits } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import type { IdSet } from './postings.ts'
import { beginsWith, eachWord, type IndexRow } from './row.ts'
import type { Scratch } from './scratch.ts'
import { addTo } from './word-set.ts'

/** The scripts in which a word is worth so much and no more. */
export interface Level {
  worth: number
  ids: IdSet
}

/** What a word may be worth in a script, the most first. */
export const WORTHS = [...new Set(PLACE_WEIGHTS.flatMap((weight) => [weight, weight * WHOLE]))].toSorted(
  (a, b) => b - a,
)

/** Fewer are scored one by one as quickly as sets are met. */
const leastFor = (span: number) => 128 + (span >>> 5)
const keyOf = (word: string, worth: number) => `worth ${worth} ${word}`
const encoder = new TextEncoder()

/** What a word, or one that begins like it, is worth in scripts: looked up once in a query, and only as far as needed. */
export class WordWorth {
  readonly #index: MemoryIndex
  readonly #word: string
  #sets: ReadonlyMap<number, readonly IdSet[]> | undefined
  levels: readonly Level[] | undefined

  constructor(index: MemoryIndex, word: string) {
    this.#index = index
    this.#word = word
    this.levels = findLevels(index, word)
  }

  /** The sets of scripts that have it in a place where it is worth so much, the most first; one may be in several. */
  get sets(): ReadonlyMap<number, readonly IdSet[]> {
    this.#sets ??= findSets(this.#index, this.#word)
    return this.#sets
  }

  get setCount(): number {
    let count = 0
    for (const sets of this.sets.values()) count += sets.length
    return count
  }

  /** How many scripts all sets have together. */
  get entries(): number {
    let entries = 0
    for (const sets of this.sets.values()) for (const { count } of sets) entries += count
    return entries
  }

  /** Its levels, the highest first, made and kept from now on where there are none; undefined where it is rare. */
  takeLevels(scratch: Scratch): readonly Level[] | undefined {
    const isRare = !this.levels && this.entries < leastFor(this.#index.postings.span)
    if (!isRare) this.levels ??= this.#makeLevels(scratch)
    return this.levels
  }

  #makeLevels(scratch: Scratch): Level[] {
    const beginning = encoder.encode(this.#word)
    const above = scratch.takeBits()
    return [...this.sets].map(([worth, sets]) => {
      const bits = new Uint32Array(above.length)
      for (const set of sets) addTo(bits, set)
      takeOut(bits, above)
      addTo(above, { count: 0, bits })
      const isIn = (row: IndexRow) => worthIn(row, beginning) === worth
      return { worth, ids: this.#index.derived.add(keyOf(this.#word, worth), bits, { isIn, byCounts: false }) }
    })
  }
}

/** Those that were made before; they have changed along with their scripts. */
function findLevels({ derived }: MemoryIndex, word: string): Level[] | undefined {
  const levels: Level[] = []
  for (const worth of WORTHS) {
    const ids = derived.get(keyOf(word, worth))
    if (!ids) return undefined
    levels.push({ worth, ids })
  }
  return levels
}

function findSets({ vocabulary, postings }: MemoryIndex, word: string): Map<number, IdSet[]> {
  const sets = new Map(WORTHS.map((worth): [number, IdSet[]] => [worth, []]))
  vocabulary.eachBeginning(word, (number) => {
    const whole = vocabulary.words[number] === word ? WHOLE : 1
    for (const [place, weight] of PLACE_WEIGHTS.entries()) {
      const term = vocabulary.termAt(number, place)
      if (term >= 0) sets.get(weight * whole)?.push(postings.set(term))
    }
    return true
  })
  return sets
}

/** Turns off in `bits` what is on in `others`. */
function takeOut(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & ~(others[at] ?? 0)
}

function worthIn({ words }: IndexRow, beginning: Uint8Array): number {
  let most = 0
  eachWord(words, (from, to, place) => {
    if (!beginsWith(words, from, beginning)) return
    most = Math.max(most, (PLACE_WEIGHTS[place] ?? 0) * (to - from === beginning.length ? WHOLE : 1))
  })
  return most
}
