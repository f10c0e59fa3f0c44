import { type Bits, setBit } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import type { IdSet, Postings } from './postings.ts'
import { havingBeginning } from './row.ts'
import type { Scratch } from './scratch.ts'
import { PLACES } from './vocabulary.ts'

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
  const [only] = terms
  if (only !== undefined && terms.length === 1) return postings.set(only)
  // What is left of few is found sooner by going through a list.
  if (total < longFor(postings.span)) return unite(postings, scratch, terms, total)
  const bits = scratch.takeBits().slice()
  for (const term of terms) addTo(bits, postings.set(term))
  return derived.add(`word ${word}`, bits, { isIn: havingBeginning(word), byCounts: false })
}

/** The scripts of any of these terms, which have so many together. */
function unite(postings: Postings, { union }: Scratch, terms: readonly number[], most: number): IdSet {
  for (const term of terms) postings.addTo(union, term)
  const list = new Uint32Array(most)
  const count = union.list(list)
  return { count, list: list.subarray(0, count) }
}

export function addTo(into: Bits, { list, bits }: IdSet): void {
  if (list) for (let at = 0; at < list.length; at++) setBit(into, list[at] ?? 0)
  if (!bits) return
  const words = Math.min(into.length, bits.length)
  for (let at = 0; at < words; at++) into[at] = (into[at] ?? 0) | (bits[at] ?? 0)
}
