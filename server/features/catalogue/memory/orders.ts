import { SORTS, type Sort } from '#contract/catalogue-names.ts'
import type { Columns } from './columns.ts'
import { type Compare, Ordering } from './ordering.ts'
import type { Records } from './records.ts'
import type { IndexRow } from './row.ts'

export type Orders = Record<KeptSort, Ordering>
/** Sorts that are kept as an order; the others depend on what is searched for. */
export type KeptSort = Exclude<Sort, 'relevance'>
export const KEPT_SORTS: readonly KeptSort[] = SORTS.filter((sort) => sort !== 'relevance')

type Number64 = 'created' | 'showcased' | 'views' | 'downloads' | 'average' | 'ratings' | 'score' | 'trend'
const KEYS: Record<Exclude<KeptSort, 'title'>, readonly [Number64] | readonly [Number64, Number64]> = {
  created_at: ['created'],
  download_count: ['downloads'],
  rating_average: ['average', 'ratings'],
  view_count: ['views'],
  showcase_date: ['showcased'],
  score: ['score', 'ratings'],
  trending: ['trend'],
}

// Two infinities give NaN, which like 0 leaves the decision to the next key.
function comparing(columns: Columns, records: Records, sort: KeptSort): Compare {
  if (sort === 'title') return (one, other) => records.compareTitles(one, other) || one - other
  const [first, second] = KEYS[sort]
  if (second === undefined) {
    return (one, other) => (columns[first][one] ?? 0) - (columns[first][other] ?? 0) || one - other
  }
  return (one, other) =>
    (columns[first][one] ?? 0) - (columns[first][other] ?? 0) ||
    (columns[second][one] ?? 0) - (columns[second][other] ?? 0) ||
    one - other
}

export function openOrders(columns: Columns, records: Records): Orders {
  const entries = KEPT_SORTS.map((sort) => [sort, new Ordering(comparing(columns, records, sort))] as const)
  return Object.fromEntries(entries) as Orders
}

/** The sorts in which a script stands elsewhere once it has these values. */
export function movedSorts(columns: Columns, hasNewTitle: boolean, row: IndexRow): KeptSort[] {
  return KEPT_SORTS.filter((sort) =>
    sort === 'title' ? hasNewTitle : KEYS[sort].some((key) => columns[key][row.id] !== row[key]),
  )
}
