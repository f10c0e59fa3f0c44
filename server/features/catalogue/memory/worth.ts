import { PLACE_WEIGHTS, WHOLE } from '../relevance-weights.ts'
import type { Bits } from './bits.ts'
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

const encoder = new TextEncoder()

/** The sets of scripts that have a word, or one that begins like it, in a place where it is worth so much, the most first. */
export type SetsByWorth = ReadonlyMap<number, readonly IdSet[]>

export function setsByWorth({ vocabulary, postings }: MemoryIndex, word: string): SetsByWorth {
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

export function countEntries(byWorth: SetsByWorth): number {
  let entries = 0
  for (const sets of byWorth.values()) for (const { count } of sets) entries += count
  return entries
}

export function countSets(byWorth: SetsByWorth): number {
  let count = 0
  for (const sets of byWorth.values()) count += sets.length
  return count
}

/** The levels of a word that were made before, the highest first; they change along with their scripts. */
export function keptLevels({ derived }: MemoryIndex, word: string): Level[] | undefined {
  const levels: Level[] = []
  for (const worth of WORTHS) {
    const ids = derived.get(keyOf(word, worth))
    if (!ids) return undefined
    levels.push({ worth, ids })
  }
  return levels
}

const keyOf = (word: string, worth: number) => `worth ${worth} ${word}`

/** Makes and keeps the levels of a word, unless few scripts have it. */
export function makeLevels(
  index: MemoryIndex,
  scratch: Scratch,
  word: string,
  byWorth: SetsByWorth,
): Level[] | undefined {
  if (countEntries(byWorth) < leastFor(index.postings.span)) return undefined
  const beginning = encoder.encode(word)
  const above = scratch.takeBits()
  return [...byWorth].map(([worth, sets]) => {
    const bits = new Uint32Array(above.length)
    for (const set of sets) addTo(bits, set)
    takeOut(bits, above)
    addTo(above, { count: 0, bits })
    const isIn = (row: IndexRow) => worthIn(row, beginning) === worth
    return { worth, ids: index.derived.add(keyOf(word, worth), bits, { isIn, byCounts: false }) }
  })
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
