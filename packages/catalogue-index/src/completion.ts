import { prefixMatcher } from './document.ts'
import { addToBits, allocateBits, bitSet, countBits, type IdSet } from './id-set.ts'
import { topTags, type TagCount } from './facets.ts'
import type { IndexData } from './index-data.ts'
import { findPage, windowOf } from './pagination.ts'
import { intersect } from './query-planner.ts'
import type { QueryScratch } from './scratch.ts'

/**
 * The most popular documents in which each of these prefixes starts a word of one field (by number). The index stores only
 * the best field of a word, so documents that have the word in a better field too are missing.
 */
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
  const bits = allocateBits(maxId)
  for (const set of sets) addToBits(bits, set)
  return cache.add(key, bits, { isMember: prefixMatcher(prefix, field), usesValues: false })
}

/** The most frequent tags whose names have this prefix; none for ''. */
export function completeTags({ dimensions, postings }: IndexData, prefix: string, limit: number): TagCount[] {
  if (prefix === '') return []
  const matching = dimensions.tags.filter(({ info }) => info.name.startsWith(prefix))
  return topTags(
    matching.map((tag) => [tag, postings.count(tag.term)] as const),
    limit,
  )
}
