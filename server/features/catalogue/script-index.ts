import type { CatalogueIndex } from '@scriptyard/catalogue-index'
import {
  type CatalogueFilter as IndexFilter,
  type CatalogueQuery as IndexQuery,
  type CatalogueSchema,
  type Minimum,
} from '@scriptyard/catalogue-index'
import { EXCLUSIVE_FLAGS, FLAGS, type Flag, type Sort } from '#contract/catalogue-names.ts'
import type { Facets, Tag, TagCount } from '#contract/catalogue.ts'
import type { Found } from './catalogue.ts'
import { BY_AUTHORS, type Completion, type CompletionQuery, TAGS, TITLES } from './completion.ts'
import type { CatalogueFilter, CatalogueQuery } from './query.ts'
import { PLACE_WEIGHTS, WHOLE } from './relevance-weights.ts'

type StoredSort = Exclude<Sort, 'relevance'>

/** The index of all listed scripts. */
export type ScriptIndex = CatalogueIndex<Flag, StoredSort, Tag>

const TITLE = 0
const AUTHOR = 2
const FACET_TAGS = 20

/** What the index knows of a script. The fields stand in the order of the weights A to D of its search document. */
export const SCRIPT_SCHEMA: CatalogueSchema<Flag, StoredSort> = {
  flags: FLAGS,
  exclusiveFlags: EXCLUSIVE_FLAGS,
  fields: ['title', 'tags', 'author', 'description'].map((name, i) => ({ name, weight: PLACE_WEIGHTS[i] ?? 0 })),
  wholeWordFactor: WHOLE,
  columns: {
    created: 'float64',
    showcased: 'sparse',
    views: 'int32',
    downloads: 'int32',
    ratings: 'int32',
    stars: 'int32',
    trend: 'float64',
  },
  averages: {
    rating_average: { sum: 'stars', count: 'ratings' },
    // As the column `score` is computed: with ten ratings of three stars besides the real ones.
    score: { sum: 'stars', count: 'ratings', priorSum: 30, priorCount: 10 },
  },
  sorts: {
    created_at: ['created'],
    download_count: ['downloads'],
    rating_average: ['rating_average', 'ratings'],
    view_count: ['views'],
    title: ['title'],
    showcase_date: ['showcased'],
    score: ['score', 'ratings'],
    trending: ['trend'],
  },
  popularity: 'download_count',
}

/** Answers the queries of the catalogue from an index, each synchronously: no change comes in between. */
export class ScriptIndexQueries {
  readonly #index: ScriptIndex

  constructor(index: ScriptIndex) {
    this.#index = index
  }

  find(query: CatalogueQuery): Found {
    return this.#index.find(toIndexQuery(query))
  }

  facets(filter: CatalogueFilter): Facets {
    return this.#index.facets(toIndexFilter(filter), FACET_TAGS)
  }

  suggest(filter: CatalogueFilter): string[] | undefined {
    return this.#index.suggest(toIndexFilter(filter))
  }

  complete({ words, tag }: CompletionQuery): Completion {
    return {
      titles: this.#index.complete(words, { field: TITLE, limit: TITLES }),
      byAuthors: this.#index.complete(words, { field: AUTHOR, limit: BY_AUTHORS }),
      tags: this.#index.completeTags(tag, TAGS),
    }
  }

  tags(max: number): TagCount[] {
    return this.#index.tags(max)
  }
}

function toIndexFilter({ words, tags, flags, authorId, minRating, minViews }: CatalogueFilter): IndexFilter<Flag> {
  const minimums: Minimum[] = []
  if (minRating > 0) minimums.push({ value: 'rating_average', min: minRating })
  if (minViews > 0) minimums.push({ value: 'views', min: minViews })
  return { words, tags, flags, author: authorId, minimums }
}

// The queries of frequent addresses are the same objects again and again, so that the index computes their keys once.
const indexQueries = new WeakMap<CatalogueQuery, IndexQuery<Flag, StoredSort>>()

function toIndexQuery(query: CatalogueQuery): IndexQuery<Flag, StoredSort> {
  const known = indexQueries.get(query)
  if (known) return known
  const { sort, order, page, limit } = query
  const converted = { ...toIndexFilter(query), sort, order, offset: (page - 1) * limit, limit }
  indexQueries.set(query, converted)
  return converted
}
