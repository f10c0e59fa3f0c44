import type { ListQuery } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { readSearch, type SearchTerms, writeSearch } from '#web/lib/search-text.ts'

/** The minimum for a script to be listed as popular. */
export const MIN_RATING = 3.5
export const MIN_VIEWS = 100

export const POPULAR_SORTS = {
  rating_average: 'Highest Rated',
  view_count: 'Most Viewed',
  download_count: 'Most Downloaded',
  created_at: 'Newest',
  score: 'Recommended',
  trending: 'Trending now',
} as const
export type PopularSort = keyof typeof POPULAR_SORTS

export interface PopularState extends SearchTerms {
  sort: PopularSort
  page: number
}

const DEFAULT_SORT: PopularSort = 'rating_average'
const isSort = (text: string | null): text is PopularSort => text !== null && Object.hasOwn(POPULAR_SORTS, text)

/** Parses a query string. Invalid values are ignored. */
export function readPopular(query: URLSearchParams): PopularState {
  const sort = query.get('sort')
  const page = Number(query.get('page'))
  return {
    ...readSearch(query.get('search') ?? ''),
    sort: isSort(sort) ? sort : DEFAULT_SORT,
    page: Number.isSafeInteger(page) && page >= 1 && page < 2 ** 31 ? page : 1,
  }
}

export function writePopular({ sort, page, ...terms }: PopularState): string {
  const query = new URLSearchParams()
  const text = writeSearch(terms)
  if (text) query.set('search', text)
  if (sort !== DEFAULT_SORT) query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  return query.size > 0 ? `/popular?${query}` : '/popular'
}

export function popularQuery({ sort, page, search, tags }: PopularState): ListQuery {
  return {
    page,
    limit: PAGE_SIZE,
    sort,
    order: 'desc',
    min_rating: MIN_RATING,
    min_views: MIN_VIEWS,
    ...(search ? { search } : {}),
    ...(tags.length > 0 ? { tags: tags.join(',') } : {}),
  }
}
