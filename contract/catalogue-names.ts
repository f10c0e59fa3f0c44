/** Sort orders and flags as they appear in URLs. It imports no schema library: the browser downloads this file. */

export const SORTS = [
  'created_at',
  'updated_at',
  'download_count',
  'rating_average',
  'view_count',
  'title',
  'showcase_date',
  'score',
  'trending',
  'relevance',
] as const
export type Sort = (typeof SORTS)[number]

export const ORDERS = ['desc', 'asc'] as const
export type Order = (typeof ORDERS)[number]

export const FLAGS = [
  'featured',
  'no_keysystem',
  'free_only',
  'paid_only',
  'universal_only',
  'game_specific_only',
  'client_side_only',
  'fe_only',
  'verified_creators',
  'mobile_compatible',
  'working_scripts',
  'showcased',
  'works_now',
  'no_remote_code',
  'sends_no_data',
  'readable_code',
  'no_executor',
  'compiles',
] as const
export type Flag = (typeof FLAGS)[number]

export const EXCLUSIVE_FLAGS: readonly (readonly [Flag, Flag])[] = [
  ['free_only', 'paid_only'],
  ['universal_only', 'game_specific_only'],
  ['client_side_only', 'fe_only'],
]

export function partnerOf(flag: Flag): Flag | undefined {
  for (const [a, b] of EXCLUSIVE_FLAGS) {
    if (flag === a) return b
    if (flag === b) return a
  }
  return undefined
}
