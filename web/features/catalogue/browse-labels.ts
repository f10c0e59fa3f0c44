import type { Flag, Order } from '#contract/catalogue-names.ts'
import type { BrowseSort, BrowseState } from './browse-state.ts'

const SORT_LABELS: Record<BrowseSort, string> = {
  created_at: 'Date Added',
  download_count: 'Downloads',
  rating_average: 'Rating',
  view_count: 'Views',
  title: 'Title',
  score: 'Best',
  relevance: 'Relevance',
}

const { relevance, ...withoutWords } = SORT_LABELS

/** Relevance comes first where there are words that something can be relevant to, and is no choice elsewhere. */
export function sortOptions({
  search,
  sort,
}: Pick<BrowseState, 'search' | 'sort'>): Partial<Record<BrowseSort, string>> {
  return search !== '' || sort === 'relevance' ? { relevance, ...withoutWords } : withoutWords
}

export const ORDER_LABELS: Record<Order, string> = { desc: 'Descending', asc: 'Ascending' }

export const FLAG_LABELS: Record<Flag, string> = {
  featured: 'Featured',
  no_keysystem: 'No Keysystem',
  free_only: 'Free Scripts Only',
  paid_only: 'Paid Scripts Only',
  universal_only: 'Universal Only',
  game_specific_only: 'Game-Specific Only',
  client_side_only: 'Client-Side Only',
  fe_only: 'FE Only',
  verified_creators: 'Verified Creators',
  mobile_compatible: 'Mobile Compatible',
  working_scripts: 'Working Scripts',
  showcased: 'Showcased',
}

/** The filters of the panel. The other flags work from the address alone. */
export const FILTER_GROUPS: readonly { title: string; flags: readonly Flag[] }[] = [
  { title: 'Quality', flags: ['featured', 'verified_creators'] },
  { title: 'Access', flags: ['no_keysystem', 'free_only', 'paid_only'] },
  { title: 'Compatibility', flags: ['universal_only', 'game_specific_only'] },
  { title: 'Execution', flags: ['client_side_only', 'fe_only'] },
]
