import type { Flag } from '#contract/catalogue-names.ts'
import type { CatalogueFilters, ListQuery } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { BrowseState } from './browse-state.ts'

type Filters = Pick<BrowseState, 'search' | 'tags' | 'flags'>

/** What narrows the list, as the API is asked for it: text and tags only where there are any. */
export function filtersOf({ search, tags, flags }: Filters): CatalogueFilters {
  return {
    ...(search ? { search } : {}),
    ...(tags.length > 0 ? { tags: tags.join(',') } : {}),
    ...(Object.fromEntries(flags.map((flag) => [flag, 'true'])) as Partial<Record<Flag, 'true'>>),
  }
}

export function listQueryOf(state: BrowseState): ListQuery {
  const { page, sort, order } = state
  return { page, limit: PAGE_SIZE, sort, order, ...filtersOf(state) }
}
