import {
  addToBits,
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
import { type Tier, WordScores } from './word-scores.ts'

/** Further words of a query add nothing to the score, so that every score fits into 16 bits: a word scores at most 255. */
const MAX_SCORED_WORDS = 257

/** The ids of a page, ascending by the sum of word scores, then popularity. All documents of the set have all words. */
export function findRelevantPage(
  index: IndexData,
  scratch: QueryScratch,
  words: readonly string[],
  { set, window }: Page,
): number[] {
  if (window.from >= window.to) return []
  const total = set.count
  const search = { index, scratch, set }
  const { groups, isFromTop } = groupByRelevance(search, words, total - window.to < window.from)
  const parts: number[][] = []
  let passed = 0
  for (const group of groups) {
    const first = isFromTop ? total - passed - group.count : passed
    const within = windowWithin(window, first, group.count)
    if (within.from < within.to) parts.push(findGroupPage(search, group.set(), within))
    passed += group.count
    if (isFromTop ? total - passed <= window.from : passed >= window.to) break
  }
  return (isFromTop ? parts.toReversed() : parts).flat()
}

interface Search {
  readonly index: IndexData
  readonly scratch: QueryScratch
  readonly set: IdSet
}

interface ScoreGroup {
  readonly count: number
  readonly set: () => IdSet
}

interface ScoreGroups {
  /** Disjoint, computed one by one. Some may be empty. */
  readonly groups: Iterable<ScoreGroup>
  readonly isFromTop: boolean
}

/**
 * Groups a set by score with the cheapest of three strategies:
 * - one word of medium frequency: from its postings, highest score first;
 * - few frequent words: the tiers of the words are intersected with each other, and no document is scored individually;
 * - otherwise each document of the set is scored.
 */
function groupByRelevance(search: Search, words: readonly string[], isFromTop: boolean): ScoreGroups {
  const scores = words.slice(0, MAX_SCORED_WORDS).map((word) => new WordScores(search.index, word))
  const [only, ...others] = scores
  if (only && others.length === 0 && isMedium(search, only)) {
    return { groups: groupByPostings(search, only), isFromTop: true }
  }
  if (areTiersCheaper(search, words.length)) {
    const tiers = scores.flatMap((word) => {
      const known = word.tiers(search.scratch)
      return known ? [known] : []
    })
    if (tiers.length === scores.length) return { groups: groupByTiers(search, tiers, isFromTop), isFromTop }
  }
  return { groups: groupByScores(search, scores, isFromTop), isFromTop }
}

function findGroupPage({ index, scratch }: Search, set: IdSet, window: Window): number[] {
  return findPage({ set, window }, index.orders.get(index.schema.source.popularity), scratch, index.tuning)
}

const areProbesCheaper = ({ index, set }: Search, word: WordScores) =>
  set.count * word.setCount < index.tuning.maxProbes

/** Whether a word is neither so rare that its documents are scored one by one, nor so frequent that its tiers are cached. */
function isMedium(search: Search, word: WordScores): boolean {
  if (word.hasTiers || areProbesCheaper(search, word)) return false
  const { index } = search
  const postings = word.postingCount
  return postings >= cachedUnionLimit(index) && postings < index.maxId >>> index.tuning.uncachedTierShift
}

/** Estimates intersecting all tiers of each word with those of all others, in ids read, against scoring each document. */
function areTiersCheaper({ index, set: { count } }: Search, words: number): boolean {
  const scoresPerWord = index.schema.wordScores.length
  const intersecting = scoresPerWord ** words * Math.min(count, index.maxId >>> 6)
  const scoring = count * scoresPerWord * (words + 1)
  return words <= index.tuning.maxTierWords && intersecting < scoring
}

function* groupByPostings({ scratch, set }: Search, word: WordScores): Generator<ScoreGroup> {
  const rest = scratch.takeBits()
  addToBits(rest, set)
  const tiers = word.postings.filter(({ sets }) => sets.length > 0)
  let left = set.count
  for (const [i, { sets }] of tiers.entries()) {
    // All documents without a higher score are in the last tier.
    const isLast = i === tiers.length - 1
    const tier = isLast ? rest : scratch.takeBits()
    if (!isLast) for (const documents of sets) addToBits(tier, documents)
    const count = isLast ? left : moveCommon(rest, tier)
    left -= count
    yield { count, set: () => bitSet(tier, count) }
  }
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

function* groupByTiers(search: Search, words: readonly (readonly Tier[])[], isFromTop: boolean): Generator<ScoreGroup> {
  const groups = [...groupByScore(pairTiers(search, words))]
  groups.sort(([a], [b]) => (isFromTop ? b - a : a - b))
  for (const [, pairs] of groups) {
    const counts = pairs.map(({ one, other }) => intersectionSize(one, other))
    const count = counts.reduce((sum, some) => sum + some, 0)
    const set = () =>
      unitePairs(
        search,
        pairs.filter((_, i) => (counts[i] ?? 0) > 0),
        count,
      )
    yield { count, set }
  }
}

/** The set split by the tiers of all words but the last one, each part paired with each tier of the last. */
function pairTiers({ index, scratch, set: all }: Search, words: readonly (readonly Tier[])[]): ScoredPair[] {
  let parts: Tier[] = [{ score: 0, set: all }]
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

function* groupByScores(search: Search, words: readonly WordScores[], isFromTop: boolean): Generator<ScoreGroup> {
  const { set, index } = search
  const ids = set.list?.slice() ?? new Uint32Array(set.count)
  if (set.bits) listBits(set.bits, ids)
  const scores = scoreAll(search, ids, words)
  const counts = new Uint32Array(index.schema.maxWordScore * words.length + 1)
  for (let i = 0; i < ids.length; i++) {
    const score = scores[i] ?? 0
    counts[score] = (counts[score] ?? 0) + 1
  }
  const groups = Array.from(counts, (count, score) => {
    return { count, set: () => listSet(idsWithScore(ids, scores, score, count)) }
  })
  yield* isFromTop ? groups.toReversed() : groups
}

function idsWithScore(ids: Uint32Array, scores: Uint16Array, score: number, count: number): Uint32Array {
  const list = new Uint32Array(count)
  let length = 0
  for (let i = 0; i < ids.length; i++) if (scores[i] === score) list[length++] = ids[i] ?? 0
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
