import type { CatalogueFilters, ListQuery } from '#contract/catalogue.ts'
import { FLAGS, type Flag, type Order, type Sort } from '#contract/catalogue-names.ts'
import { MAX_SEARCH_TAGS } from '#contract/limits.ts'
import { invalidField } from '#server/http/field-errors.ts'
import type { CompletionQuery } from './completion.ts'
import { foldTag, wordsOf } from './words.ts'

export const MAX_SEARCH_WORDS = 16

/** What narrows a list. Words and tags are folded and distinct, the words as they were typed. */
export interface CatalogueFilter {
  words: string[]
  tags: string[]
  flags: Flag[]
  authorId: number | undefined
  minRating: number
  minViews: number
}

export interface CatalogueQuery extends CatalogueFilter {
  sort: Sort
  order: Order
  page: number
  limit: number
}

/** Throws AppError `invalid` for more words or tags than anybody needs. */
export function readFilter(query: CatalogueFilters): CatalogueFilter {
  const words = wordsOf(query.search ?? '')
  if (words.length > MAX_SEARCH_WORDS) throw invalidField('search', `Search for at most ${MAX_SEARCH_WORDS} words.`)
  const names = (query.tags ?? '').split(',').map(foldTag).filter(Boolean)
  const tags = [...new Set(names)].toSorted()
  if (tags.length > MAX_SEARCH_TAGS) throw invalidField('tags', `Search for at most ${MAX_SEARCH_TAGS} tags.`)
  return {
    words,
    tags,
    flags: FLAGS.filter((flag) => query[flag] === 'true'),
    authorId: query.author,
    minRating: query.min_rating ?? 0,
    minViews: query.min_views ?? 0,
  }
}

export function readQuery(query: ListQuery): CatalogueQuery {
  const { sort, order, page, limit } = query
  return { ...readFilter(query), sort, order, page, limit }
}

/** A tag may be typed as `#tag`. Of a long text the last words count: those are being typed. */
export function readCompletion(text: string): CompletionQuery {
  return { words: wordsOf(text).slice(-MAX_SEARCH_WORDS), tag: foldTag(text.trim().replace(/^#/, '')) }
}

const filterKeys = new WeakMap<CatalogueFilter, string>()

/** Equal for filters that mean the same. A filter does not change once it is made. */
export function filterKey(filter: CatalogueFilter): string {
  let key = filterKeys.get(filter)
  if (key === undefined) {
    key = makeFilterKey(filter)
    filterKeys.set(filter, key)
  }
  return key
}

function makeFilterKey({ words, tags, flags, authorId, minRating, minViews }: CatalogueFilter): string {
  return JSON.stringify([words.toSorted(), tags, flags, authorId ?? 0, minRating, minViews])
}

export function queryKey(query: CatalogueQuery): string {
  return `list ${query.sort} ${query.order} ${query.page} ${query.limit} ${filterKey(query)}`
}
