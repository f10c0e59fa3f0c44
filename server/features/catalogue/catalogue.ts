import type { Facets } from '#contract/catalogue.ts'
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
}
