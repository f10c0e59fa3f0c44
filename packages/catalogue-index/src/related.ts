import {
  type Bits,
  bitSet,
  clearBit,
  copyToBits,
  countBits,
  gallop,
  hasBit,
  type IdSet,
  intersectBits,
  LIST_SHARE,
  listBits,
  listSet,
  retain,
} from './id-set.ts'
import type { QueryScratch } from './scratch.ts'
import type { IndexData } from './index-data.ts'
import { findPage, windowOf } from './planner.ts'
import type { SortedIdList } from './sort-orders.ts'

/** Only the rarest tags of a document count, which bounds a search to 2^6 intersections. */
export const MAX_RELATED_TAGS = 6

export interface RelatedQuery {
  /** Names; unknown ones are ignored. */
  readonly tags: readonly string[]
  /** Documents by this author are left out, and with them the document itself. */
  readonly author: number
  readonly limit: number
}

/** Inverse document frequency (Spärck Jones 1972), rounded: sums are exact and a database computes the same ones. */
export const tagWeight = (documents: number, withTag: number): number =>
  Math.round(1000 * Math.log(1 + documents / withTag))

/**
 * The documents by other authors that share the most tags, by the sum of the weights of shared tags, then popularity. Only
 * the rarest `MAX_RELATED_TAGS` count, ties by id. Branch and bound over the sets of tags, rarest tag first: a branch that
 * cannot reach the score of the last place is cut off (Land and Doig 1960). A set is visited after all sets that contain
 * it, so each document is first found with its own score.
 */
export function findRelated(index: IndexData, scratch: QueryScratch, query: RelatedQuery): number[] {
  return new RelatedSearch(index, scratch, weighTags(index, query), query.limit).run().map(({ id }) => id)
}

interface WeightedTag {
  weight: number
  all: IdSet
  /** Its documents by other authors. */
  others: () => IdSet
}

function weighTags({ dimensions, postings, size, maxId }: IndexData, { tags, author }: RelatedQuery): WeightedTag[] {
  const authorTerm = dimensions.findAuthorTerm(author)
  const own = authorTerm === undefined ? undefined : postings.set(authorTerm)
  return [...new Set(tags)]
    .flatMap((name) => {
      const tag = dimensions.findTagByName(name)
      return tag && postings.count(tag.term) > 0 ? [{ id: tag.info.id, all: postings.set(tag.term) }] : []
    })
    .toSorted((a, b) => a.all.count - b.all.count || a.id - b.id)
    .slice(0, MAX_RELATED_TAGS)
    .map(({ all }) => ({
      weight: tagWeight(size, all.count),
      all,
      others: () => (own ? subtract(all, own, maxId) : all),
    }))
}

/** The ids of a set that are not in another one. O(shorter list × log distance), or O(maxId / 32) for bits. */
function subtract(set: IdSet, removed: IdSet, maxId: number): IdSet {
  return set.list ? listSet(subtractFromList(set.list, removed)) : subtractFromBits(set, removed, maxId)
}

function subtractFromList(list: Uint32Array, removed: IdSet): Uint32Array {
  const remaining = new Uint32Array(list.length)
  let [count, from] = [0, 0]
  if (removed.list && removed.list.length < list.length) {
    for (const id of removed.list) {
      const position = gallop(list, id, from)
      remaining.set(list.subarray(from, position), count)
      count += position - from
      from = list[position] === id ? position + 1 : position
    }
    remaining.set(list.subarray(from), count)
    return remaining.subarray(0, count + list.length - from)
  }
  for (const id of list) {
    if (removed.list) from = gallop(removed.list, id, from)
    if (removed.list ? removed.list[from] !== id : !hasBit(removed.bits ?? list, id)) remaining[count++] = id
  }
  return remaining.subarray(0, count)
}

function subtractFromBits(set: IdSet, removed: IdSet, maxId: number): IdSet {
  const bits = copyToBits(set, maxId)
  if (removed.bits) {
    const words = Math.min(bits.length, removed.bits.length)
    for (let i = 0; i < words; i++) bits[i] = (bits[i] ?? 0) & ~(removed.bits[i] ?? 0)
  }
  for (const id of removed.list ?? []) clearBit(bits, id)
  return bitSet(bits, countBits(bits))
}

interface Candidate {
  readonly id: number
  readonly score: number
}

class RelatedSearch {
  readonly #index: IndexData
  readonly #scratch: QueryScratch
  readonly #tags: readonly WeightedTag[]
  /** By position: the sum of the weights from this tag on. */
  readonly #rest: readonly number[]
  readonly #limit: number
  readonly #order: SortedIdList
  readonly #best: Candidate[] = []
  /** By depth: memory of an intersection, which is free again when its branch is done. */
  readonly #buffers: Bits[] = []

  constructor(index: IndexData, scratch: QueryScratch, tags: readonly WeightedTag[], limit: number) {
    this.#index = index
    this.#scratch = scratch
    this.#tags = tags
    this.#rest = tags.map((_, i) => tags.slice(i).reduce((sum, { weight }) => sum + weight, 0))
    this.#limit = limit
    this.#order = index.orders.get(index.schema.source.popularity)
  }

  run(): Candidate[] {
    this.#visit(0, undefined, 0)
    return this.#best
  }

  /** Decides about the tags from `depth` on. `set` has the documents with all tags chosen before, undefined without any. */
  #visit(depth: number, set: IdSet | undefined, score: number): void {
    if (score + (this.#rest[depth] ?? 0) < this.#minScore) return
    const tag = this.#tags[depth]
    if (!tag) {
      if (set) this.#offer(set, score)
      return
    }
    const chosen = set ? this.#intersect(set, tag.all, depth) : tag.others()
    if (chosen.count > 0) this.#visit(depth + 1, chosen, score + tag.weight)
    this.#visit(depth + 1, set, score)
  }

  /** A document with a lower score cannot be among the best. */
  get #minScore(): number {
    return this.#best.length < this.#limit ? 1 : (this.#best.at(-1)?.score ?? 1)
  }

  #intersect(first: IdSet, second: IdSet, depth: number): IdSet {
    if (first.bits && second.bits) return this.#intersectBits(first.bits, second.bits, depth)
    const [list, set] = first.list ? [first.list, second] : [second.list ?? new Uint32Array(), first]
    const ids = this.#scratch.reserveList(list.length)
    ids.set(list)
    return listSet(this.#scratch.commitList(ids, retain(ids, list.length, set)))
  }

  #intersectBits(first: Bits, second: Bits, depth: number): IdSet {
    const bits = (this.#buffers[depth] ??= this.#scratch.takeBits())
    const count = intersectBits([first, second], bits)
    if (count * LIST_SHARE > this.#index.maxId) return bitSet(bits, count)
    // A list is intersected faster.
    const ids = this.#scratch.reserveList(count)
    return listSet(this.#scratch.commitList(ids, listBits(bits, ids)))
  }

  /** Adds the most popular documents of a set, which have at least this score. Those found before have a higher one. */
  #offer(set: IdSet, score: number): void {
    const max = this.#limit + this.#best.length
    for (const id of set.list ? this.#findPopular(set.list, max) : this.#firstPage(set, max)) {
      if (this.#best.some((known) => known.id === id)) continue
      const i = this.#best.findIndex(
        (other) => other.score < score || (other.score === score && this.#isBefore(id, other.id)),
      )
      if (i >= 0) this.#best.splice(i, 0, { id, score })
      else this.#best.push({ id, score })
      if (this.#best.length > this.#limit) this.#best.pop()
    }
  }

  #isBefore(id: number, otherId: number): boolean {
    return this.#order.compare(id, otherId) > 0
  }

  #firstPage(set: IdSet, max: number): number[] {
    const page = { set, window: windowOf(set.count, true, 0, max) }
    return findPage(page, this.#order, this.#scratch, this.#index.tuning).toReversed()
  }

  /** The most popular ids of a list, best first. Most ids cost one comparison of keys. */
  #findPopular(list: Uint32Array, max: number): number[] {
    const { keys } = this.#scratch.sortBuffers(list.length)
    this.#order.writeKeys(list, keys)
    const top: { id: number; key: number }[] = []
    for (let i = 0; i < list.length; i++) {
      const [id, key] = [list[i] ?? 0, keys[i] ?? 0]
      if (top.length === max && key < (top.at(-1)?.key ?? 0)) continue
      let position = top.length
      while (position > 0 && this.#isBefore(id, top[position - 1]?.id ?? 0)) position--
      top.splice(position, 0, { id, key })
      if (top.length > max) top.pop()
    }
    return top.map(({ id }) => id)
  }
}
