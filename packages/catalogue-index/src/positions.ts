import { hasBit, type IdSet, listBits, listSet } from './id-set.ts'
import type { IndexData } from './index-data.ts'
import { bitsOf, findPage, windowOf } from './planner.ts'
import type { QueryScratch } from './scratch.ts'
import type { SortKey } from './sort-orders.ts'

/** A position in the order of a query. No document needs to be there. */
export interface Position {
  /** Relevance score; 0 in other orders. */
  readonly score: number
  readonly keys: readonly SortKey[]
  /** Breaks ties. It may be between two ids. */
  readonly id: number
}

export interface After {
  readonly position: Position
  readonly isDescending: boolean
  readonly limit: number
}

/** Ascending. Costs the same for all positions of a set of k: O(limit × n / k) by walking the order, or O(k). */
export function findAfter(
  index: IndexData,
  scratch: QueryScratch,
  set: IdSet,
  sort: string,
  { position, isDescending, limit }: After,
): number[] {
  if (set.count === 0 || limit === 0) return []
  const { orders, tuning } = index
  const order = orders.get(sort)
  const compare = orders.comparator(sort, position.keys, position.id)
  if (((limit * order.length) / set.count) * tuning.walkCost >= set.count * tuning.sortCost) {
    const after = filterAfter(set, scratch, (id) => (isDescending ? compare(id) < 0 : compare(id) > 0))
    return findPage({ set: after, window: windowOf(after.count, isDescending, 0, limit) }, order, scratch, tuning)
  }
  const bits = bitsOf(set, scratch)
  const ids: number[] = []
  const visit = (id: number) => {
    if (hasBit(bits, id)) ids.push(id)
    return ids.length < limit
  }
  if (!isDescending) {
    order.walkAfter((id) => compare(id) <= 0, visit)
    return ids
  }
  order.walkBefore((id) => compare(id) < 0, visit)
  return ids.toReversed()
}

function filterAfter({ list, bits, count }: IdSet, scratch: QueryScratch, isAfter: (id: number) => boolean): IdSet {
  const ids = scratch.reserveList(count)
  if (list) ids.set(list)
  else if (bits) listBits(bits, ids)
  let after = 0
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0
    if (isAfter(id)) ids[after++] = id
  }
  return listSet(scratch.commitList(ids, after))
}
