import { addToBits, type Bits, bitSet, type IdSet } from './id-set.ts'
import type { IndexData } from './index-data.ts'
import { wordScorer } from './schema.ts'
import type { QueryScratch } from './scratch.ts'

/** The documents in which a searched word has exactly this score. The tiers of a word are disjoint. */
export interface Tier {
  readonly score: number
  readonly set: IdSet
}

/** Postings of words with a prefix that all give a document the same score. A document may be in several. */
interface ScoredPostings {
  readonly score: number
  readonly sets: readonly IdSet[]
}

const tierKey = (word: string, score: number) => `tier ${score} ${word}`

/** The scores of one searched word in documents, read from the index once per query and only as far as needed. */
export class WordScores {
  readonly #index: IndexData
  readonly #word: string
  #postings: readonly ScoredPostings[] | undefined
  #tiers: readonly Tier[] | undefined

  constructor(index: IndexData, word: string) {
    this.#index = index
    this.#word = word
    this.#tiers = findCachedTiers(index, word)
  }

  /** By score, highest first: a document has the score of the first entry it is in. */
  get postings(): readonly ScoredPostings[] {
    this.#postings ??= findPostings(this.#index, this.#word)
    return this.#postings
  }

  get setCount(): number {
    let count = 0
    for (const { sets } of this.postings) count += sets.length
    return count
  }

  get postingCount(): number {
    let postings = 0
    for (const { sets } of this.postings) for (const { count } of sets) postings += count
    return postings
  }

  get hasTiers(): boolean {
    return this.#tiers !== undefined
  }

  /** The tiers, highest score first, computed and cached if needed; undefined for a rare word. */
  tiers(scratch: QueryScratch): readonly Tier[] | undefined {
    const { tuning, maxId } = this.#index
    const isRare = !this.#tiers && this.postingCount < tuning.minTierPostings + (maxId >>> 5)
    if (!isRare) this.#tiers ??= this.#computeTiers(scratch)
    return this.#tiers
  }

  #computeTiers(scratch: QueryScratch): Tier[] {
    const { cache, schema, maxId } = this.#index
    const { fields, wholeWordFactor } = schema.source
    const weights = fields.map(({ weight }) => weight)
    const scoreIn = wordScorer(this.#word, weights, wholeWordFactor)
    const higher = scratch.takeBits()
    return this.postings.map(({ score, sets }) => {
      const bits = cache.allocate(maxId)
      for (const set of sets) addToBits(bits, set)
      subtract(bits, higher)
      addToBits(higher, bitSet(bits, 0))
      const membership = { isMember: (document: Parameters<typeof scoreIn>[0]) => scoreIn(document) === score }
      return { score, set: cache.add(tierKey(this.#word, score), bits, { ...membership, usesValues: false }) }
    })
  }
}

function findCachedTiers({ cache, schema }: IndexData, word: string): Tier[] | undefined {
  const tiers: Tier[] = []
  for (const score of schema.wordScores) {
    const set = cache.get(tierKey(word, score))
    if (!set) return undefined
    tiers.push({ score, set })
  }
  return tiers
}

function findPostings({ vocabulary, postings, schema }: IndexData, word: string): ScoredPostings[] {
  const { fields, wholeWordFactor } = schema.source
  const byScore = new Map(schema.wordScores.map((score): [number, IdSet[]] => [score, []]))
  vocabulary.forEachWithPrefix(word, (number) => {
    const factor = vocabulary.word(number) === word ? wholeWordFactor : 1
    for (const [field, { weight }] of fields.entries()) {
      const term = vocabulary.termAt(number, field)
      if (term >= 0) byScore.get(weight * factor)?.push(postings.set(term))
    }
    return true
  })
  return Array.from(byScore, ([score, sets]) => ({ score, sets }))
}

function subtract(bits: Bits, others: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & ~(others[i] ?? 0)
}
