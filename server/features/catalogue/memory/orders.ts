import { SORTS, type Sort } from '#contract/catalogue-names.ts'
import type { Column, Columns } from './columns.ts'
import { type Compare, Ordering } from './ordering.ts'
import type { Records } from './records.ts'
import type { IndexRow } from './row.ts'

export type Orders = Record<KeptSort, Ordering>
/** Sorts that are kept as an order; the others depend on what is searched for. */
export type KeptSort = Exclude<Sort, 'relevance'>
export const KEPT_SORTS: readonly KeptSort[] = SORTS.filter((sort) => sort !== 'relevance')

/** What a script's place in each order depends on. */
const KEYS: Record<Exclude<KeptSort, 'title'>, readonly Column[]> = {
  created_at: ['created'],
  download_count: ['downloads'],
  rating_average: ['ratings', 'stars'],
  view_count: ['views'],
  showcase_date: ['showcased'],
  score: ['ratings', 'stars'],
  trending: ['trend'],
}

// Two infinities give NaN, which like 0 leaves the decision to the next key.
function comparing(columns: Columns, records: Records, sort: KeptSort): Compare {
  const byRatings: Compare = (one, other) => (columns.ratings[one] ?? 0) - (columns.ratings[other] ?? 0)
  const by =
    (column: Column): Compare =>
    (one, other) =>
      columns.at(column, one) - columns.at(column, other) || one - other
  switch (sort) {
    case 'title':
      return (one, other) => records.compareTitles(one, other) || one - other
    case 'rating_average':
      return (one, other) => columns.average(one) - columns.average(other) || byRatings(one, other) || one - other
    case 'score':
      return (one, other) => columns.score(one) - columns.score(other) || byRatings(one, other) || one - other
    case 'created_at':
      return by('created')
    case 'download_count':
      return by('downloads')
    case 'view_count':
      return by('views')
    case 'showcase_date':
      return by('showcased')
    case 'trending':
      return by('trend')
  }
}

function keying(columns: Columns, records: Records, sort: KeptSort): (id: number) => number {
  switch (sort) {
    case 'title':
      return (id) => records.titleStart(id)
    case 'rating_average':
      return (id) => columns.average(id)
    case 'score':
      return (id) => columns.score(id)
    default: {
      const [column = 'created'] = KEYS[sort]
      return (id) => columns.at(column, id)
    }
  }
}

export function openOrders(columns: Columns, records: Records): Orders {
  const entries = KEPT_SORTS.map(
    (sort) => [sort, new Ordering(comparing(columns, records, sort), keying(columns, records, sort))] as const,
  )
  return Object.fromEntries(entries) as Orders
}

/** The sorts in which a script stands elsewhere once it has these values. */
export function movedSorts(columns: Columns, hasNewTitle: boolean, row: IndexRow): KeptSort[] {
  return KEPT_SORTS.filter((sort) =>
    sort === 'title' ? hasNewTitle : KEYS[sort].some((key) => columns.at(key, row.id) !== row[key]),
  )
}
