import type { CatalogueIndex } from '@scriptyard/catalogue-index'
import type {
  CatalogueFilter as IndexFilter,
  CatalogueQuery as IndexQuery,
  CatalogueSchema,
  Minimum,
} from '@scriptyard/catalogue-index'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import { EXCLUSIVE_FLAGS, FLAGS, type Flag, type Sort } from '#contract/catalogue-names.ts'
import type { Facets, Tag, TagCount } from '#contract/catalogue.ts'
import {
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueResult,
  type Completion,
  type CompletionQuery,
  FIELD_WEIGHTS,
  MAX_COMPLETED_TAGS,
  MAX_COMPLETED_TITLES,
  MAX_FACET_TAGS,
  MAX_SCRIPTS_BY_AUTHORS,
  type RelatedQuery,
  WHOLE_WORD_FACTOR,
  offsetOf,
} from './query.ts'

/** Label of scripts whose behavior card is ready. Capabilities are labels by their ids. */
export const READY_LABEL = 'ready'
/** Label of scripts that contact a host or a subdomain of it. It differs from every capability. */
export const hostLabel = (host: string) => `//${host}`
/** Label of scripts that are made for a game. */
export const gameLabel = (gameId: string) => `#${gameId}`

type StoredSort = Exclude<Sort, 'relevance'>

export type ScriptIndex = CatalogueIndex<Flag, StoredSort, Tag>

const TITLE = 0
const AUTHOR = 2

/** Schema of the index. The fields are in the order of the weights A to D of a search document. */
export const SCRIPT_SCHEMA: CatalogueSchema<Flag, StoredSort> = {
  flags: FLAGS,
  exclusiveFlags: EXCLUSIVE_FLAGS,
  fields: ['title', 'tags', 'author', 'description'].map((name, i) => ({ name, weight: FIELD_WEIGHTS[i] ?? 0 })),
  wholeWordFactor: WHOLE_WORD_FACTOR,
  columns: {
    created: 'float64',
    updated: 'float64',
    showcased: 'sparse',
    views: 'int32',
    downloads: 'int32',
    ratings: 'int32',
    stars: 'int32',
    trend: 'float64',
  },
  averages: {
    rating_average: { sum: 'stars', count: 'ratings' },
    // The same Bayesian average as the column `score`: with ten additional ratings of three stars.
    score: { sum: 'stars', count: 'ratings', priorSum: 30, priorCount: 10 },
  },
  sorts: {
    created_at: ['created'],
    updated_at: ['updated'],
    download_count: ['downloads'],
    rating_average: ['rating_average', 'ratings'],
    view_count: ['views'],
    title: ['title'],
    showcase_date: ['showcased'],
    score: ['score', 'ratings'],
    trending: ['trend'],
  },
  popularity: 'download_count',
  frequentLabels: [READY_LABEL, ...CAPABILITY_IDS],
  // Raise it when `findableDomains` or the labels above change.
  labelVersion: 2,
}

/** Answers catalogue queries from an index. Each query runs synchronously, so the index cannot change during it. */
export class ScriptIndexQueries {
  readonly #index: ScriptIndex

  constructor(index: ScriptIndex) {
    this.#index = index
  }

  find(query: CatalogueQuery): CatalogueResult {
    return this.#index.find(toIndexQuery(query))
  }

  facets(filter: CatalogueFilter): Facets {
    const options = { maxTags: MAX_FACET_TAGS, labels: CAPABILITY_IDS }
    const { total, flags, labels, tags } = this.#index.facets(toIndexFilter(filter), options)
    // In the order of SQL, so that both send the same bytes.
    return { total, flags, behavior: labels as Facets['behavior'], tags }
  }

  suggest(filter: CatalogueFilter): string[] | undefined {
    return this.#index.suggest(toIndexFilter(filter))
  }

  complete({ words, tag }: CompletionQuery): Completion {
    return {
      titles: this.#index.complete(words, { field: TITLE, limit: MAX_COMPLETED_TITLES }),
      byAuthors: this.#index.complete(words, { field: AUTHOR, limit: MAX_SCRIPTS_BY_AUTHORS }),
      tags: this.#index.completeTags(tag, MAX_COMPLETED_TAGS),
    }
  }

  countGames(gameIds: readonly string[]): number[] {
    return gameIds.map((id) => this.#index.countLabel(gameLabel(id)))
  }

  related(query: RelatedQuery): number[] {
    return this.#index.related(query)
  }

  tags(max: number): TagCount[] {
    return this.#index.tags(max)
  }
}

function toIndexFilter(filter: CatalogueFilter): IndexFilter<Flag> {
  const { words, tags, flags, authorId, gameId, minRating, minViews, uses, lacks, hosts } = filter
  const minimums: Minimum[] = []
  if (minRating > 0) minimums.push({ value: 'rating_average', min: minRating })
  if (minViews > 0) minimums.push({ value: 'views', min: minViews })
  const labels = [...(lacks.length > 0 ? [READY_LABEL] : []), ...uses, ...hosts.map(hostLabel)]
  if (gameId !== undefined) labels.push(gameLabel(gameId))
  return { words, tags, flags, author: authorId, minimums, labels, excludedLabels: lacks }
}

// Queries of cached URLs are the same objects each time, so the index computes their keys once.
const indexQueries = new WeakMap<CatalogueQuery, IndexQuery<Flag, StoredSort>>()

export function toIndexQuery(query: CatalogueQuery): IndexQuery<Flag, StoredSort> {
  const cached = indexQueries.get(query)
  if (cached) return cached
  const { sort, order, limit } = query
  const converted = { ...toIndexFilter(query), sort, order, offset: offsetOf(query), limit }
  indexQueries.set(query, converted)
  return converted
}
