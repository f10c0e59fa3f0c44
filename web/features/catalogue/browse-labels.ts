import type { Flag, Order } from '#contract/catalogue-names.ts'
import type { BrowseSort } from './browse-state.ts'

export const SORT_LABELS: Record<BrowseSort, string> = {
  created_at: 'Date Added',
  download_count: 'Downloads',
  rating_average: 'Rating',
  view_count: 'Views',
  title: 'Title',
  score: 'Best',
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
