import { type Bits, listBits, setBit } from './bits.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { IdSet } from './postings.ts'
import { hasBeginning } from './row.ts'
import type { Scratch } from './scratch.ts'
import { PLACES } from './vocabulary.ts'

/** Up to here a union is sorted as a list, from there on it is made in bits. */
const shortFor = (span: number) => 32 + (span >>> 11)
/** A union of so many entries is worth keeping. */
export const longFor = (span: number) => 128 + (span >>> 8)

/** The scripts in which some word begins like this one. */
export function wordSet({ vocabulary, postings, derived }: MemoryIndex, scratch: Scratch, word: string): IdSet {
  const kept = derived.get(`word ${word}`)
  if (kept) return kept
  const terms: number[] = []
  let total = 0
  vocabulary.eachBeginning(word, (number) => {
    for (let place = 0; place < PLACES; place++) {
      const term = vocabulary.termAt(number, place)
      if (term < 0) continue
      terms.push(term)
      total += postings.count(term)
    }
    return true
  })
  const sets = terms.map((term) => postings.set(term))
  if (sets.length === 1 && sets[0]) return sets[0]
  if (total <= shortFor(postings.span)) return shortUnion(sets)
  const isLong = total >= longFor(postings.span)
  const bits = isLong ? scratch.takeBits().slice() : scratch.takeBits()
  for (const set of sets) addTo(bits, set)
  // What is left of few is found sooner by going through a list.
  if (!isLong) return listed(bits, total)
  return derived.add(`word ${word}`, bits, (row) => hasBeginning(row.document, word))
}

function listed(bits: Bits, most: number): IdSet {
  const list = new Uint32Array(most)
  const count = listBits(bits, list)
  return { count, list: list.subarray(0, count) }
}

function shortUnion(sets: IdSet[]): IdSet {
  const ids = new Set<number>()
  for (const set of sets) eachId(set, (id) => ids.add(id))
  const list = Uint32Array.from(ids).toSorted()
  return { count: list.length, list }
}

function eachId({ list, bits }: IdSet, visit: (id: number) => void): void {
  if (list) for (let at = 0; at < list.length; at++) visit(list[at] ?? 0)
  if (!bits) return
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) visit((at << 5) + 31 - Math.clz32(word & -word))
  }
}

export function addTo(into: Bits, { list, bits }: IdSet): void {
  if (list) for (let at = 0; at < list.length; at++) setBit(into, list[at] ?? 0)
  if (!bits) return
  const words = Math.min(into.length, bits.length)
  for (let at = 0; at < words; at++) into[at] = (into[at] ?? 0) | (bits[at] ?? 0)
}
