import { addToBits, bitSet, countBits, type IdSet, intersectionSize, listBits } from './id-set.ts'
import type { QueryScratch } from './scratch.ts'
import type { IndexData } from './index-data.ts'
import { conditionsOf, findPage, intersect, select, windowOf, withFlags } from './planner.ts'
import { type CatalogueFilter, prefixMatcher } from './schema.ts'
import type { KnownTag, TagInfo } from './vocabulary.ts'

export type TagCount<Tag extends TagInfo = TagInfo> = Tag & { count: number }

/** How many documents match a filter, and how many would match after adding one flag, tag or label to it. */
export interface Facets<Flag extends string = string, Tag extends TagInfo = TagInfo> {
  total: number
  flags: Record<Flag, number>
  labels: Record<string, number>
  tags: TagCount<Tag>[]
}

export interface FacetOptions {
  maxTags: number
  /** Labels to count; none by default. */
  labels?: readonly string[]
}

/** Facets of a filter. Each flag and label costs one intersection size, O(maxId / 32) for bits. */
export function countFacets(
  index: IndexData,
  scratch: QueryScratch,
  filter: CatalogueFilter,
  { maxTags, labels = [] }: FacetOptions,
): Facets {
  const { schema, postings, dimensions } = index
  const names = schema.source.flags
  const conditions = conditionsOf(index, scratch, filter)
  if (!conditions) return { total: 0, flags: zeros(names), labels: zeros(labels), tags: [] }
  const matching = (flags: readonly string[]) => intersect(index, scratch, withFlags(index, conditions, flags)).set
  const matched = matching(filter.flags)
  const countIn = (set: IdSet) => (matched.count === index.size ? set.count : intersectionSize(matched, set))
  const flags = names.map((flag) => {
    const partner = schema.partnerOf(flag)
    const isReplacing = partner !== undefined && filter.flags.includes(partner)
    const count = isReplacing
      ? matching(schema.withFlag(filter.flags, flag)).count
      : countIn(postings.set(dimensions.flagTerm(flag)))
    return [flag, count] as const
  })
  const labelCounts = labels.map((label) => [label, countIn(dimensions.labelSet(label))] as const)
  return {
    total: matched.count,
    flags: Object.fromEntries(flags),
    labels: Object.fromEntries(labelCounts),
    tags: countTags(index, matched, maxTags),
  }
}

const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]))

type CountedTag = readonly [KnownTag, number]

/** Reads the tags of each document if there are few, else intersects with postings until the top tags are certain. */
export function countTags(index: IndexData, set: IdSet, maxTags: number): TagCount[] {
  const { dimensions, postings, tuning } = index
  if (set.count === 0) return []
  if (set.count === index.size) {
    return topTags(
      dimensions.tags.map((tag) => [tag, postings.count(tag.term)] as const),
      maxTags,
    )
  }
  let tagPostings = 0
  for (const { term } of dimensions.tags) tagPostings += postings.count(term)
  const isReadingCheaper = set.count * tuning.tagReadCost < tagPostings
  return topTags(isReadingCheaper ? countByReading(index, set) : countByPostings(index, set, maxTags), maxTags)
}

function countByReading({ dimensions, forward }: IndexData, { list, bits, count }: IdSet): CountedTag[] {
  const ids = list ?? new Uint32Array(count)
  if (bits) listBits(bits, ids)
  const counts = new Uint32Array(1 + dimensions.tags.reduce((max, { term }) => Math.max(max, term), 0))
  const add = (term: number) => {
    counts[term] = (counts[term] ?? 0) + 1
  }
  for (let i = 0; i < ids.length; i++) forward.forEachTag(ids[i] ?? 0, add)
  return dimensions.tags.map((tag) => [tag, counts[tag.term] ?? 0] as const)
}

function countByPostings({ dimensions, postings }: IndexData, set: IdSet, maxTags: number): CountedTag[] {
  const counted: CountedTag[] = []
  const top: number[] = []
  for (const tag of dimensions.tagsByFrequency()) {
    if (top.length === maxTags && postings.count(tag.term) < (top[0] ?? 0)) continue
    const count = intersectionSize(set, postings.set(tag.term))
    if (top.length === maxTags && count < (top[0] ?? 0)) continue
    counted.push([tag, count])
    top.push(count)
    top.sort((a, b) => a - b)
    if (top.length > maxTags) top.shift()
  }
  return counted
}

function topTags(counted: readonly CountedTag[], maxTags: number): TagCount[] {
  const min =
    Uint32Array.from(counted, ([, count]) => count)
      .toSorted()
      .at(-maxTags) ?? 0
  const used = counted.filter(([, count]) => count > 0 && count >= min)
  return used
    .map(([{ info }, count]) => ({ ...info, count }))
    .toSorted(compareTagCounts)
    .slice(0, maxTags)
}

/** By number of documents, the highest first, then by the bytes of the names. */
const compareTagCounts = (a: TagCount, b: TagCount): number =>
  b.count - a.count || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))

/** See `CatalogueIndex.complete`. Misses documents that have a word in a better field too: only that one is stored. */
export function completeInField(
  index: IndexData,
  scratch: QueryScratch,
  prefixes: readonly string[],
  { field, limit }: { field: number; limit: number },
): number[] {
  if (prefixes.length === 0) return []
  const sets = prefixes.map((prefix) => prefixSetInField(index, scratch, prefix, field))
  const { set } = intersect(index, scratch, { sets, minimums: [] })
  const page = { set, window: windowOf(set.count, true, 0, limit) }
  return findPage(page, index.orders.get(index.schema.source.popularity), scratch, index.tuning).toReversed()
}

function prefixSetInField(index: IndexData, scratch: QueryScratch, prefix: string, field: number): IdSet {
  const { vocabulary, postings, cache, tuning, maxId } = index
  const key = `field ${field} ${prefix}`
  const cached = cache.get(key)
  if (cached) return cached
  const sets: IdSet[] = []
  let words = 0
  vocabulary.forEachWithPrefix(prefix, (number) => {
    words++
    const term = vocabulary.termAt(number, field)
    if (term >= 0) sets.push(postings.set(term))
    return true
  })
  const areMany = words >= tuning.minCompletionWords
  const [only] = sets
  if (!areMany) {
    if (only && sets.length === 1) return only
    const bits = scratch.takeBits()
    for (const set of sets) addToBits(bits, set)
    return bitSet(bits, countBits(bits))
  }
  const bits = cache.allocate(maxId)
  for (const set of sets) addToBits(bits, set)
  return cache.add(key, bits, { isMember: prefixMatcher(prefix, field), usesValues: false })
}

export function completeTags({ dimensions, postings }: IndexData, prefix: string, limit: number): TagCount[] {
  if (prefix === '') return []
  const matching = dimensions.tags.filter(({ info }) => info.name.startsWith(prefix))
  return topTags(
    matching.map((tag) => [tag, postings.count(tag.term)] as const),
    limit,
  )
}

/** Searches with more unknown words get no suggestion. */
const MAX_UNKNOWN = 2
/** Similar words that are tried for each unknown word. */
const MAX_SIMILAR = 3

/** Longer words get no suggestion. The distances of `EditDistances` must fit into bytes. */
const MAX_COMPARED_LENGTH = 250

/** Maximum number of typing mistakes by word length; none in the shortest words, which nearly every word resembles. */
const maxDistance = (length: number) => (length < 3 || length > MAX_COMPARED_LENGTH ? 0 : length < 6 ? 1 : 2)

/** The words of a filter, each unknown one (the prefix of no word) replaced so that documents match; else undefined. */
export function suggestWords(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter): string[] | undefined {
  const { words } = filter
  const unknown = words.filter((word) => !index.vocabulary.hasPrefix(word))
  if (unknown.length === 0 || unknown.length > MAX_UNKNOWN) return undefined
  let guesses: string[][] = [[...words]]
  for (const word of unknown) {
    const similar = rankSimilar(findSimilarWords(index, word))
    guesses = guesses.flatMap((guess) => similar.map((other) => guess.map((one) => (one === word ? other : one))))
  }
  return guesses.find((guess) => select(index, scratch, { ...filter, words: guess }).set.count > 0)
}

/** A word in use, with its distance from an unknown one and its number of documents, fields counted separately. */
interface SimilarWord {
  readonly word: string
  readonly distance: number
  readonly documents: number
}

export const rankSimilar = (words: readonly SimilarWord[]): string[] =>
  words
    .toSorted((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map(({ word }) => word)

/** All words similar to an unknown one. O(letters of all words). */
export function findSimilarWords({ vocabulary, postings, schema }: IndexData, word: string): SimilarWord[] {
  const max = maxDistance(word.length)
  const similar: SimilarWord[] = []
  if (max === 0) return []
  const distances = new EditDistances(word, max)
  vocabulary.forEachWithPrefix('', (number) => {
    const candidate = vocabulary.word(number)
    const distance = distances.to(candidate)
    if (distance <= max) {
      let documents = 0
      for (let field = 0; field < schema.fieldCount; field++) {
        documents += postings.count(vocabulary.termAt(number, field))
      }
      similar.push({ word: candidate, distance, documents })
    }
    return true
  })
  return similar
}

/**
 * Optimal string alignment distances of one word to many, fast for sorted words: the rows of a common prefix are
 * reused, and all words with a prefix that is too far off are skipped.
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
  to(candidate: string): number {
    let common = 0
    const shorter = Math.min(candidate.length, this.#last.length, this.#rows.length - 1)
    while (common < shorter && candidate.charCodeAt(common) === this.#last.charCodeAt(common)) common++
    this.#last = candidate
    if (common >= this.#deadLength) return Infinity
    this.#deadLength = Infinity
    for (let length = common + 1; length <= candidate.length; length++) {
      if (length >= this.#rows.length || this.#fillRow(candidate, length) > this.#max) {
        this.#deadLength = length
        return Infinity
      }
    }
    return this.#rows[candidate.length]?.[this.#word.length] ?? Infinity
  }

  /** Fills the row of a prefix of `candidate` and returns the least distance that a word with this prefix can have. */
  #fillRow(candidate: string, length: number): number {
    const word = this.#word
    const [row, above, twoAbove] = [this.#rows[length], this.#rows[length - 1], this.#rows[length - 2]]
    if (!row || !above) return Infinity
    row[0] = length
    let lowest = length
    for (let i = 1; i <= word.length; i++) {
      const isSame = word.charCodeAt(i - 1) === candidate.charCodeAt(length - 1)
      let cost = Math.min((row[i - 1] ?? 0) + 1, (above[i] ?? 0) + 1, (above[i - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped =
        word.charCodeAt(i - 1) === candidate.charCodeAt(length - 2) &&
        word.charCodeAt(i - 2) === candidate.charCodeAt(length - 1)
      if (twoAbove && i > 1 && isSwapped) cost = Math.min(cost, (twoAbove[i - 2] ?? 0) + 1)
      row[i] = cost
      if (cost < lowest) lowest = cost
    }
    return lowest
  }
}
