import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Completion, CompletionQuery } from './completion.ts'
import type { CatalogueFilter, CatalogueQuery } from './query.ts'

/** One page of results: ids in order, and the number of results on all pages. */
export interface Found {
  ids: number[]
  total: number
}

/**
 * Searches, filters and sorts the public scripts of members in good standing. All implementations return the same ids in
 * the same order, with exact totals.
 */
export interface Catalogue {
  find(query: CatalogueQuery): Promise<Found>
  facets(filter: CatalogueFilter): Promise<Facets>
  /** Tags in use, most used first. */
  tags(limit: number): Promise<TagCount[]>
  /** Corrected words for a search without results; undefined if there are none. */
  suggest(filter: CatalogueFilter): Promise<string[] | undefined>
  complete(query: CompletionQuery): Promise<Completion>
}
