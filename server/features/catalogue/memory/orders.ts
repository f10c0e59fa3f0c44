import { SORTS, type Sort } from '#contract/catalogue-names.ts'
import type { Column, Columns } from './columns.ts'
import { type Compare, Ordering, type WriteKeys } from './ordering.ts'
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

/** Writes the keys of these scripts in this order; each loop by itself, so that what it does is compiled for it alone. */
function keying(columns: Columns, records: Records, sort: KeptSort): WriteKeys {
  switch (sort) {
    case 'title':
      return (ids, keys) => {
        for (let at = 0; at < ids.length; at++) keys[at] = records.titleStart(ids[at] ?? 0)
      }
    case 'rating_average':
      return (ids, keys) => {
        for (let at = 0; at < ids.length; at++) keys[at] = columns.average(ids[at] ?? 0)
      }
    case 'score':
      return (ids, keys) => {
        for (let at = 0; at < ids.length; at++) keys[at] = columns.score(ids[at] ?? 0)
      }
    case 'showcase_date':
      return (ids, keys) => {
        for (let at = 0; at < ids.length; at++) keys[at] = columns.at('showcased', ids[at] ?? 0)
      }
    case 'view_count':
      return (ids, keys) => gather(columns.views, ids, keys)
    case 'download_count':
      return (ids, keys) => gather(columns.downloads, ids, keys)
    case 'created_at':
      return (ids, keys) => gather(columns.created, ids, keys)
    case 'trending':
      return (ids, keys) => gather(columns.trend, ids, keys)
  }
}

function gather(column: Int32Array | Float64Array, ids: Uint32Array, keys: Float64Array): void {
  for (let at = 0; at < ids.length; at++) keys[at] = column[ids[at] ?? 0] ?? 0
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
