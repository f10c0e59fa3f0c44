import {
  compareTagCounts,
  type FacetOptions,
  type Facets,
  guessWords,
  type SimilarWord,
  type TagCount,
} from '../facets.ts'
import type { Position } from '../positions.ts'
import { type RelatedQuery, type TagFrequency, weighTags } from '../related.ts'
import type { CatalogueDocument, CatalogueFilter, CatalogueQuery, QueryResult } from '../schema.ts'
import type { TagInfo } from '../vocabulary.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { mergeFirst, mergeWindow, totalOf } from './merge.ts'
import type { PartialTagCounts, ShardStatistics, TagRequest } from './shard-index.ts'
import { type ShardedIndexOptions, ShardSet } from './shard-set.ts'

/** A page with a cursor for the next one; undefined on the last page. */
export interface PageWithCursor extends QueryResult {
  next: string | undefined
}

/** Retries of a page counted from the end whose total has changed. Then the page is counted from the start. */
const MAX_OUTDATED = 3

/**
 * An index distributed over processes on this machine by a hash of the id. Answers are those of one `CatalogueIndex`.
 * Each is computed from messages sent to all shards in one step, between two changes, so it sees all of a call of
 * `apply` or nothing of it. While a shard is not available, queries reject with `ShardUnavailableError`.
 */
export class ShardedIndex<Flag extends string = string, Sort extends string = string, Tag extends TagInfo = TagInfo> {
  readonly #options: ShardedIndexOptions<Flag, Sort, Tag>
  readonly #shards: ShardSet<Flag, Sort, Tag>

  private constructor(options: ShardedIndexOptions<Flag, Sort, Tag>) {
    this.#options = options
    this.#shards = new ShardSet(options)
  }

  /** Starts the shards and fills them. Rejects with the error of the source, or of a shard that cannot be started. */
  static async open<Flag extends string, Sort extends string, Tag extends TagInfo>(
    options: ShardedIndexOptions<Flag, Sort, Tag>,
  ): Promise<ShardedIndex<Flag, Sort, Tag>> {
    const index = new ShardedIndex(options)
    await index.#shards.open()
    return index
  }

  /** Ends the processes. Queries that are running reject. */
  close(): Promise<void> {
    return this.#shards.close()
  }

  get isReady(): boolean {
    return this.#shards.isReady
  }

  get processIds(): (number | undefined)[] {
    return this.#shards.processIds
  }

  /**
   * Writes the documents of each shard to a new file in a folder, from which `open` restores them. Later queries and changes
   * wait until the files are complete. Rejects if the files exist.
   */
  save(folder: string): Promise<void> {
    return this.#shards.save(folder)
  }

  /** Adds a tag; does nothing if its id is known. All tags of a document must be added before it. */
  addTag(tag: Tag): void {
    this.#shards.addTag(tag)
  }

  /**
   * Adds or replaces documents and removes others. Queries after the call see the changes. Resolves when the shards have
   * applied them, except those that are being filled, which apply them at the end. The source must have a change before this
   * call: a shard that fails is filled from there. Throws RangeError for a document that cannot be encoded.
   */
  apply(documents: readonly CatalogueDocument[], removed: readonly number[] = []): Promise<void> {
    return this.#shards.apply(documents, removed)
  }

  /** One page of the documents that match a query. Throws RangeError for names that are not in the schema. */
  async find(query: CatalogueQuery<Flag, Sort>): Promise<PageWithCursor> {
    const { offset, limit } = query
    let total: number | undefined
    let outdated = 0
    let { deviations } = this.#shards.tuning
    for (;;) {
      if (
        total === undefined &&
        this.#documentsFor(offset, offset + limit, deviations) > this.#shards.tuning.maxBlindDocuments
      ) {
        total = (await this.#count([query]))[0] ?? 0
      }
      const left = total === undefined || outdated > MAX_OUTDATED ? Infinity : Math.max(0, total - offset)
      const fromEnd = left < offset
      const [from, to] = fromEnd ? [Math.max(0, left - limit), left] : [offset, offset + limit]
      const ordered = fromEnd ? reversed(query) : query
      const lists = await this.#shards.askAll('page', ordered, ...this.#expectedPart(from, to, deviations))
      const current = totalOf(lists)
      const isOutdated = fromEnd && current !== total
      const found = isOutdated ? undefined : mergeWindow(lists, ordered.order === 'desc', from, to)
      if (found) {
        const positions = fromEnd ? found.toReversed() : found
        return this.#toPage(query, positions, current, offset + positions.length < current)
      }
      total = current
      if (isOutdated) outdated++
      else deviations = Math.max(1, deviations * 4)
    }
  }

  /**
   * The page after a cursor, at the same cost on all pages: the documents that now follow the position where the last page
   * ended. `offset` is ignored. Throws RangeError for a cursor of another sort or order.
   */
  async findAfter(query: CatalogueQuery<Flag, Sort>, cursor: string): Promise<PageWithCursor> {
    const { limit } = query
    const lists = await this.#shards.askAll('after', query, decodeCursor(query, cursor), limit + 1)
    const positions = mergeFirst(lists, query.order === 'desc', limit + 1)
    return this.#toPage(query, positions.slice(0, limit), totalOf(lists), positions.length > limit)
  }

  #toPage(query: CatalogueQuery, positions: readonly Position[], total: number, hasMore: boolean): PageWithCursor {
    const last = positions.at(-1)
    return { ids: positions.map(({ id }) => id), total, next: last && hasMore ? encodeCursor(query, last) : undefined }
  }

  /** The part of each shard's order that probably has its documents of a page: hashing distributes them binomially. */
  #expectedPart(from: number, to: number, deviations: number): [from: number, to: number] {
    const { shards } = this.#options
    const spread = (position: number) => (deviations * Math.sqrt(position * (shards - 1))) / shards
    return [
      Math.max(0, Math.floor(from / shards - spread(from))),
      Math.min(to, Math.ceil(to / shards + spread(to)) + 1),
    ]
  }

  #documentsFor(from: number, to: number, deviations: number): number {
    const [first, end] = this.#expectedPart(from, to, deviations)
    return end - first
  }

  async facets(filter: CatalogueFilter<Flag>, { maxTags, labels = [] }: FacetOptions): Promise<Facets<Flag, Tag>> {
    const { result, tags } = await this.#findTopTags(maxTags, async (request) => {
      const answers = await this.#shards.askAll('facets', filter, labels, request)
      return { result: answers, counts: answers.map((answer) => answer.tags) }
    })
    return {
      total: totalOf(result),
      flags: addCounts(result.map(({ flags }) => flags)),
      labels: addCounts(result.map((answer) => answer.labels)),
      tags,
    }
  }

  async tags(max: number): Promise<TagCount<Tag>[]> {
    return (await this.#findTopTags(max, (request) => this.#countTags(undefined, request))).tags
  }

  async completeTags(prefix: string, limit: number): Promise<TagCount<Tag>[]> {
    return (await this.#findTopTags(limit, (request) => this.#countTags(prefix, request))).tags
  }

  async #countTags(prefix: string | undefined, request: TagRequest) {
    return { result: undefined, counts: await this.#shards.askAll('tags', prefix, request) }
  }

  /** Counts more tags per shard until no other can be among the top (threshold algorithm; Fagin, Lotem, Naor 2003). */
  async #findTopTags<T>(
    max: number,
    count: (request: TagRequest) => Promise<{ result: T; counts: PartialTagCounts[] }>,
  ): Promise<{ result: T; tags: TagCount<Tag>[] }> {
    let ids: number[] = []
    for (let top = Math.ceil(max * this.#shards.tuning.tagFactor) + 1; ; top *= 2) {
      const { result, counts } = await count({ top, ids })
      const seen = [...new Set([...ids, ...counts.flatMap((one) => [...one.counts.keys()])])]
      const summed = seen.map((id) => {
        const known = counts.map((one) => one.counts.get(id))
        return {
          id,
          count: known.reduce<number>((sum, one) => sum + (one ?? 0), 0),
          max: counts.reduce((sum, { maxOther }, i) => sum + (known[i] ?? maxOther), 0),
        }
      })
      const exact = summed.filter((tag) => tag.count > 0 && tag.count === tag.max)
      const tags = exact
        .map((tag) => ({ ...this.#shards.tag(tag.id), count: tag.count }))
        .toSorted(compareTagCounts)
        .slice(0, max)
      const minCount = tags.length < max ? 0 : (tags.at(-1)?.count ?? Infinity)
      const others = counts.reduce((sum, { maxOther }) => sum + maxOther, 0)
      const isCertain = others === 0 || others < minCount
      if (isCertain && summed.every((tag) => tag.count === tag.max || tag.max < minCount)) return { result, tags }
      ids = seen
    }
  }

  /** Like `CatalogueIndex.suggest`. Takes two rounds; after a change in between, the suggestion may have no results. */
  async suggest(filter: CatalogueFilter<Flag>): Promise<string[] | undefined> {
    const { words } = filter
    if (words.length === 0) return undefined
    const answers = await this.#shards.askAll('similar', words)
    const unknown = words.filter((_, i) => answers.every((answer) => !answer[i]?.isKnown))
    const guesses = guessWords(words, unknown, (word) =>
      addDocuments(answers.flatMap((answer) => answer[words.indexOf(word)]?.similar ?? [])),
    )
    if (guesses.length === 0) return undefined
    const totals = await this.#count(guesses.map((guess) => ({ ...filter, words: guess })))
    return guesses.find((_, i) => (totals[i] ?? 0) > 0)
  }

  async complete(prefixes: readonly string[], { field, limit }: { field: number; limit: number }): Promise<number[]> {
    const lists = await this.#shards.askAll('complete', prefixes, field, limit)
    return mergeFirst(lists, true, limit).map(({ id }) => id)
  }

  /** Like `CatalogueIndex.related`. Requests tag frequencies first; starts again if they change before the answer. */
  async related(query: RelatedQuery): Promise<number[]> {
    let weights = weighShards(await this.#shards.askAll('frequencies', query.tags))
    for (;;) {
      const answers = await this.#shards.askAll('related', query, weights)
      const current = weighShards(answers)
      if (JSON.stringify(current) === JSON.stringify(weights)) {
        const lists = answers.map(({ found }) => found)
        return mergeFirst(lists, true, query.limit).map(({ id }) => id)
      }
      weights = current
    }
  }

  statistics(): Promise<ShardStatistics[]> {
    return this.#shards.askAll('statistics')
  }

  async #count(filters: readonly CatalogueFilter[]): Promise<number[]> {
    const counts = await this.#shards.askAll('count', filters)
    return filters.map((_, i) => counts.reduce((sum, one) => sum + (one[i] ?? 0), 0))
  }
}

const reversed = (query: CatalogueQuery): CatalogueQuery => ({
  ...query,
  order: query.order === 'asc' ? 'desc' : 'asc',
})

function addCounts(counts: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(counts[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, counts.reduce((sum, one) => sum + (one[name] ?? 0), 0)]))
}

function weighShards(shards: readonly { documents: number; tags: readonly TagFrequency[] }[]) {
  const counts = new Map<number, number>()
  for (const { id, count } of shards.flatMap(({ tags }) => tags)) counts.set(id, (counts.get(id) ?? 0) + count)
  const documents = shards.reduce((sum, shard) => sum + shard.documents, 0)
  return weighTags(
    Array.from(counts, ([id, count]) => ({ id, count })),
    documents,
  )
}

function addDocuments(words: readonly SimilarWord[]): SimilarWord[] {
  const added = new Map<string, SimilarWord>()
  for (const { word, distance, documents } of words) {
    added.set(word, { word, distance, documents: documents + (added.get(word)?.documents ?? 0) })
  }
  return [...added.values()]
}
