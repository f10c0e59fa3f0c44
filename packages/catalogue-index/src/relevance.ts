import {
  addToBits,
  allocateBits,
  type Bits,
  bitSet,
  gallop,
  hasBit,
  type IdSet,
  intersectionSize,
  listBits,
  listSet,
  popcount,
} from './id-set.ts'
import type { QueryScratch } from './scratch.ts'
import type { IndexData } from './index-data.ts'
import { cachedUnionLimit, findPage, intersect, type Page, type Window, windowWithin } from './planner.ts'
import { wordScorer } from './schema.ts'

/**
 * The ids of a page in the order of relevance, ascending: by score, which is the sum of the scores of the words, then by
 * popularity. Every document of the set has all the words as prefixes. Uses the cheapest of three strategies:
 * - one word of medium frequency: from its postings, highest score first, until the page is found;
 * - few frequent words: the tiers of the words are intersected with each other, and no document is scored individually;
 * - otherwise each document of the set is scored.
 */
export function findRelevantPage(
  index: IndexData,
  scratch: QueryScratch,
  words: readonly string[],
  page: Page,
): number[] {
  if (page.window.from >= page.window.to) return []
  const scores = words.map((word) => new WordScores(index, word))
  const search = { index, scratch, page, count: page.set.count }
  const [only, ...others] = scores
  if (only && others.length === 0 && isMedium(search, only)) return pageFromPostings(search, only)
  if (areTiersCheaper(search, words.length)) {
    const tiers = scores.flatMap((word) => {
      const known = word.tiers(scratch)
      return known ? [known] : []
    })
    if (tiers.length === scores.length) return pageFromTiers(search, tiers)
  }
  return pageFromScores(search, scores)
}

interface Search {
  readonly index: IndexData
  readonly scratch: QueryScratch
  readonly page: Page
  /** Size of the set. */
  readonly count: number
}

/** The part of the page that falls on documents with equal scores, by popularity. */
function findGroupPage({ index, scratch }: Search, set: IdSet, window: Window): number[] {
  return findPage({ set, window }, index.orders.get(index.schema.source.popularity), scratch, index.tuning)
}

/** Whether probing the postings of a word for each document is faster than reading them all. */
const areProbesCheaper = ({ index, count }: Search, word: WordScores) => count * word.setCount < index.tuning.maxProbes

/** Whether a word is neither so rare that its documents are scored one by one, nor so frequent that its tiers are cached. */
function isMedium(search: Search, word: WordScores): boolean {
  if (word.hasTiers || areProbesCheaper(search, word)) return false
  const { index } = search
  const postings = word.postingCount
  return postings >= cachedUnionLimit(index) && postings < index.maxId >>> index.tuning.uncachedTierShift
}

/** Estimates intersecting all tiers of each word with those of all others, in ids read, against scoring each document. */
function areTiersCheaper({ index, count }: Search, words: number): boolean {
  const scoresPerWord = index.schema.wordScores.length
  const intersecting = scoresPerWord ** words * Math.min(count, index.maxId >>> 6)
  const scoring = count * scoresPerWord * (words + 1)
  return words <= index.tuning.maxTierWords && intersecting < scoring
}

function pageFromPostings(search: Search, word: WordScores): number[] {
  const { scratch, page, count: total } = search
  const rest = scratch.takeBits()
  addToBits(rest, page.set)
  const groups = word.postings.filter(({ sets }) => sets.length > 0)
  const parts: number[][] = []
  let from = total
  for (const [i, { sets }] of groups.entries()) {
    // All documents without a higher score are in the last tier.
    const isLast = i === groups.length - 1
    const tier = isLast ? rest : scratch.takeBits()
    if (!isLast) for (const set of sets) addToBits(tier, set)
    const count = isLast ? from : moveCommon(rest, tier)
    from -= count
    const window = windowWithin(page.window, from, count)
    if (window.from < window.to) parts.push(findGroupPage(search, bitSet(tier, count), window))
    if (from <= page.window.from) break
  }
  return parts.toReversed().flat()
}

/** Reduces `tier` to what is also in `rest`, removes that from `rest` and returns its size. */
function moveCommon(rest: Bits, tier: Bits): number {
  let count = 0
  for (let i = 0; i < tier.length; i++) {
    const left = rest[i] ?? 0
    const common = left & (tier[i] ?? 0)
    tier[i] = common
    if (common === 0) continue
    rest[i] = left & ~common
    count += popcount(common)
  }
  return count
}

/** Documents in both sets have the same score. */
interface ScoredPair {
  readonly score: number
  readonly one: IdSet
  readonly other: IdSet
}

function pageFromTiers(search: Search, words: readonly (readonly Tier[])[]): number[] {
  const { page, count: total } = search
  const { window } = page
  const isFromTop = total - window.to < window.from
  const groups = [...groupByScore(pairTiers(search, words))]
  groups.sort(([a], [b]) => (isFromTop ? b - a : a - b))
  const parts: number[][] = []
  let passed = 0
  for (const [, pairs] of groups) {
    const counts = pairs.map(({ one, other }) => intersectionSize(one, other))
    const count = counts.reduce((sum, some) => sum + some, 0)
    const first = isFromTop ? total - passed - count : passed
    const within = windowWithin(window, first, count)
    if (within.from < within.to) {
      const nonEmpty = pairs.filter((_, i) => (counts[i] ?? 0) > 0)
      parts.push(findGroupPage(search, unitePairs(search, nonEmpty, count), within))
    }
    passed += count
    if (isFromTop ? total - passed <= window.from : passed >= window.to) break
  }
  return (isFromTop ? parts.toReversed() : parts).flat()
}

/** The set split by the tiers of all words but the last one, each part paired with each tier of the last. */
function pairTiers({ index, scratch, page }: Search, words: readonly (readonly Tier[])[]): ScoredPair[] {
  let parts: Tier[] = [{ score: 0, set: page.set }]
  for (const tiers of words.slice(0, -1)) {
    parts = parts.flatMap((part) =>
      tiers.map((tier) => {
        const { set } = intersect(index, scratch, { sets: [part.set, tier.set], minimums: [] })
        return { score: part.score + tier.score, set }
      }),
    )
  }
  const last = words.at(-1) ?? []
  return parts.flatMap((part) =>
    part.set.count === 0
      ? []
      : last.map((tier) => ({ score: part.score + tier.score, one: part.set, other: tier.set })),
  )
}

function groupByScore(pairs: readonly ScoredPair[]): Map<number, ScoredPair[]> {
  const groups = new Map<number, ScoredPair[]>()
  for (const pair of pairs) {
    const group = groups.get(pair.score)
    if (group) group.push(pair)
    else groups.set(pair.score, [pair])
  }
  return groups
}

/** The documents of all pairs, which are disjoint and have `count` together. */
function unitePairs({ index, scratch }: Search, pairs: readonly ScoredPair[], count: number): IdSet {
  const common = ({ one, other }: ScoredPair) => intersect(index, scratch, { sets: [one, other], minimums: [] }).set
  const [only, ...others] = pairs
  if (only && others.length === 0) return common(only)
  const bits = scratch.takeBits()
  for (const pair of pairs) addToBits(bits, common(pair))
  return bitSet(bits, count)
}

function pageFromScores(search: Search, words: readonly WordScores[]): number[] {
  const { page, index } = search
  const { set, window } = page
  const ids = set.list?.slice() ?? new Uint32Array(set.count)
  if (set.bits) listBits(set.bits, ids)
  const scores = scoreAll(search, ids, words)
  const counts = new Uint32Array(index.schema.maxWordScore * words.length + 1)
  for (let i = 0; i < ids.length; i++) {
    const score = scores[i] ?? 0
    counts[score] = (counts[score] ?? 0) + 1
  }
  const found: number[] = []
  let first = 0
  for (const [score, count] of counts.entries()) {
    const within = windowWithin(window, first, count)
    first += count
    if (within.from >= within.to) continue
    found.push(...findGroupPage(search, listSet(idsWithScore(ids, scores, score, count)), within))
  }
  return found
}

function idsWithScore(ids: Uint32Array, scores: Uint16Array, score: number, count: number): Uint32Array {
  const list = new Uint32Array(count)
  let found = 0
  for (let i = 0; i < ids.length; i++) if (scores[i] === score) list[found++] = ids[i] ?? 0
  return list
}

/** The scores of these documents, by the same index. `ids` are ascending. */
function scoreAll(search: Search, ids: Uint32Array, words: readonly WordScores[]): Uint16Array {
  const scores = new Uint16Array(ids.length)
  for (const word of words) {
    if (!word.hasTiers && areProbesCheaper(search, word)) {
      addByProbing(scores, ids, word)
      continue
    }
    const tiers = word.tiers(search.scratch)
    if (tiers) for (const tier of tiers) addTier(scores, ids, tier)
    else addByTable(scores, ids, word, search.scratch.takeScores())
  }
  return scores
}

/** Looks each document up in each set, highest score first, until one has it. */
function addByProbing(scores: Uint16Array, ids: Uint32Array, word: WordScores): void {
  const left = ids.slice()
  const indexes = new Uint32Array(ids.keys())
  let count = ids.length
  for (const { score, sets } of word.postings) {
    for (const set of sets) {
      let remaining = 0
      const has = ascendingProbe(set)
      for (let i = 0; i < count; i++) {
        const [id, index] = [left[i] ?? 0, indexes[i] ?? 0]
        if (has(id)) scores[index] = (scores[index] ?? 0) + score
        else {
          left[remaining] = id
          indexes[remaining++] = index
        }
      }
      count = remaining
    }
  }
}

/** Returns a membership test for a set. It must be called with ids in ascending order. */
function ascendingProbe({ list = new Uint32Array(), bits }: IdSet): (id: number) => boolean {
  if (bits) return (id) => hasBit(bits, id)
  let from = 0
  return (id) => {
    from = gallop(list, id, from)
    return list[from] === id
  }
}

/** Merges two ascending lists. Bits are added without a branch, which would be mispredicted half of the time. */
function addTier(scores: Uint16Array, ids: Uint32Array, { score, set: { list, bits } }: Tier): void {
  if (bits) {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] ?? 0
      scores[i] = (scores[i] ?? 0) + score * (((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1)
    }
  } else if (list) {
    let i = 0
    for (let j = 0; j < list.length && i < ids.length; j++) {
      const id = list[j] ?? 0
      while (i < ids.length && (ids[i] ?? 0) < id) i++
      if (ids[i] === id) scores[i] = (scores[i] ?? 0) + score
    }
  }
}

/** Writes the scores of a word into a table by id, highest first (the first one counts), and reads them for `ids`. */
function addByTable(scores: Uint16Array, ids: Uint32Array, word: WordScores, table: Uint8Array): void {
  for (const { score, sets } of word.postings) {
    for (const { list, bits } of sets) {
      if (list) for (let i = 0; i < list.length; i++) table[list[i] ?? 0] ||= score
      if (bits) for (let id = 0; id < table.length; id++) if (hasBit(bits, id)) table[id] ||= score
    }
  }
  for (let i = 0; i < ids.length; i++) scores[i] = (scores[i] ?? 0) + (table[ids[i] ?? 0] ?? 0)
}

/** The documents in which a searched word has exactly this score. The tiers of a word are disjoint. */
interface Tier {
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
class WordScores {
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
      const bits = allocateBits(maxId)
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

/** Clears the bits that are set in `others`. */
function subtract(bits: Bits, others: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & ~(others[i] ?? 0)
}
