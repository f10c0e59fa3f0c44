import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Completion, CompletionQuery } from './completion.ts'
import type { CatalogueFilter, CatalogueQuery } from './query.ts'

/** One page of what a query finds: ids in order, and how many there are on all pages. */
export interface Found {
  ids: number[]
  total: number
}

/**
 * Browsing, searching and filtering over all public scripts of members in good standing.
 * Every implementation gives the same answer to the same query: the same ids in the same order, exact totals.
 */
export interface Catalogue {
  find(query: CatalogueQuery): Promise<Found>
  facets(filter: CatalogueFilter): Promise<Facets>
  /** The tags in use, most used first. */
  tags(most: number): Promise<TagCount[]>
  /** For a filter that finds nothing: the words that were probably meant, if that can be told. */
  suggest(filter: CatalogueFilter): Promise<string[] | undefined>
  complete(query: CompletionQuery): Promise<Completion>
}
