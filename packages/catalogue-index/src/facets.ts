import type { KnownTag, TagInfo } from './dimensions.ts'
import { type IdSet, intersectionSize, listBits } from './id-set.ts'
import type { IndexData } from './index-data.ts'
import { conditionsOf, intersect, withFlags } from './query-planner.ts'
import type { CatalogueFilter } from './schema.ts'
import type { QueryScratch } from './scratch.ts'

/** A tag with the number of documents that have it. */
export type TagCount<Tag extends TagInfo = TagInfo> = Tag & { count: number }

/** How many documents match a filter, and how many would match after adding one flag or tag to it. */
export interface Facets<Flag extends string = string, Tag extends TagInfo = TagInfo> {
  total: number
  flags: Record<Flag, number>
  /** The most frequent tags of the matching documents. */
  tags: TagCount<Tag>[]
}

/**
 * Facets of a filter. Each flag costs one intersection size with the matching documents, which for bits is O(maxId / 32).
 * Only a flag that turns off another flag of the filter needs a separate intersection.
 */
export function countFacets(index: IndexData, scratch: QueryScratch, filter: CatalogueFilter, maxTags: number): Facets {
  const { schema, postings, dimensions } = index
  const names = schema.source.flags
  const conditions = conditionsOf(index, scratch, filter)
  if (!conditions) return { total: 0, flags: Object.fromEntries(names.map((flag) => [flag, 0])), tags: [] }
  const matching = (flags: readonly string[]) => intersect(index, scratch, withFlags(index, conditions, flags)).set
  const found = matching(filter.flags)
  const flags = names.map((flag) => {
    const partner = schema.partnerOf(flag)
    const isReplacing = partner !== undefined && filter.flags.includes(partner)
    const count = isReplacing
      ? matching(schema.withFlag(filter.flags, flag)).count
      : intersectionSize(found, postings.set(dimensions.flagTerm(flag)))
    return [flag, count] as const
  })
  return { total: found.count, flags: Object.fromEntries(flags), tags: countTags(index, found, maxTags) }
}

type CountedTag = readonly [KnownTag, number]

/**
 * The most frequent tags of these documents, equally frequent ones by name. Reads the tags of each document if there are few
 * documents, else intersects with the postings of the tags, most frequent first, until no further tag can be among the top.
 */
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

/** The most frequent tags that are in use, equally frequent ones by the bytes of their names. */
export function topTags(counted: readonly CountedTag[], maxTags: number): TagCount[] {
  const min =
    Uint32Array.from(counted, ([, count]) => count)
      .toSorted()
      .at(-maxTags) ?? 0
  const used = counted.filter(([, count]) => count > 0 && count >= min)
  used.sort(([one, a], [other, b]) => b - a || Buffer.compare(Buffer.from(one.info.name), Buffer.from(other.info.name)))
  return used.slice(0, maxTags).map(([{ info }, count]) => ({ ...info, count }))
}
