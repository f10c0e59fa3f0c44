import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Found } from '#server/features/catalogue/catalogue.ts'
import type { Completion, CompletionQuery } from '#server/features/catalogue/completion.ts'
import { type CatalogueFilter, type CatalogueQuery, filterKey } from '#server/features/catalogue/query.ts'
import { complete } from './complete.ts'
import { findFacets } from './facets.ts'
import { matcherOf } from './kept-filters.ts'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Window, windowOf } from './page.ts'
import type { IdSet } from './postings.ts'
import { pickRelevant } from './relevance.ts'
import { Scratch } from './scratch.ts'
import { select } from './select.ts'
import { suggestWords } from './suggest.ts'
import { countTags } from './tag-counts.ts'

/** Answers from an index, each in one go: no change comes in between. */
export class IndexQueries {
  readonly #index: MemoryIndex
  readonly #scratch = new Scratch()

  constructor(index: MemoryIndex) {
    this.#index = index
  }

  find(query: CatalogueQuery): Found {
    this.#scratch.begin(this.#index.postings.span)
    const left = this.#select(query)
    const isDescending = query.order === 'desc'
    const window = windowOf(left.count, isDescending, (query.page - 1) * query.limit, query.limit)
    const ids = this.#pick(left, query, window)
    return { ids: isDescending ? ids.toReversed() : ids, total: left.count }
  }

  #select(filter: CatalogueFilter): IdSet {
    const { filters, labels, postings } = this.#index
    const key = filterKey(filter)
    const kept = filters.get(key)
    if (kept) return kept
    const found = select(this.#index, this.#scratch, filter)
    if (found.isMade) filters.note(key, found, postings.span, matcherOf(labels, filter))
    return found
  }

  #pick(left: IdSet, { sort, words }: CatalogueQuery, window: Window): number[] {
    if (sort !== 'relevance') return pick(left, this.#index.orders[sort], window, this.#scratch)
    // Without words all scores are 0, and downloads decide.
    if (words.length === 0) return pick(left, this.#index.orders.download_count, window, this.#scratch)
    return pickRelevant(this.#index, words, { set: left, window, scratch: this.#scratch })
  }

  facets(filter: CatalogueFilter): Facets {
    return findFacets(this.#index, this.#scratch, filter)
  }

  suggest(filter: CatalogueFilter): string[] | undefined {
    return suggestWords(this.#index, this.#scratch, filter)
  }

  complete(query: CompletionQuery): Completion {
    return complete(this.#index, this.#scratch, query)
  }

  tags(most: number): TagCount[] {
    return countTags(this.#index, this.#index.postings.set(this.#index.labels.all), most)
  }
}
