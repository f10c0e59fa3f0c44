import type { Position } from '../positions.ts'
import type { KeyedIds } from './shard-index.ts'

interface Entry {
  readonly list: KeyedIds
  readonly index: number
}

function compare(one: Entry, other: Entry): number {
  const byScore = (one.list.scores?.[one.index] ?? 0) - (other.list.scores?.[other.index] ?? 0)
  if (byScore !== 0) return byScore
  for (const [i, keys] of one.list.keys.entries()) {
    const [a, b] = [keys[one.index] ?? 0, other.list.keys[i]?.[other.index] ?? 0]
    if (a !== b) return a < b ? -1 : 1
  }
  return (one.list.ids[one.index] ?? 0) - (other.list.ids[other.index] ?? 0)
}

/** Merges sorted lists: the entries of all lists in order, as far as they are read. O(lists) for each entry. */
function* merge(lists: readonly KeyedIds[], isDescending: boolean): Generator<Entry> {
  const direction = isDescending ? -1 : 1
  const heads = lists.filter(({ ids }) => ids.length > 0).map((list): Entry => ({ list, index: 0 }))
  while (heads.length > 0) {
    let next = 0
    for (let i = 1; i < heads.length; i++) {
      const [head, best] = [heads[i], heads[next]]
      if (head && best && direction * compare(head, best) < 0) next = i
    }
    const entry = heads[next]
    if (!entry) return
    yield entry
    if (entry.index + 1 < entry.list.ids.length) heads[next] = { list: entry.list, index: entry.index + 1 }
    else heads.splice(next, 1)
  }
}

const toPosition = ({ list, index }: Entry): Position => ({
  id: list.ids[index] ?? 0,
  score: list.scores?.[index] ?? 0,
  keys: list.keys.map((keys) => keys[index] ?? 0),
})

export const totalOf = (lists: readonly { total: number }[]): number => lists.reduce((sum, { total }) => sum + total, 0)

export function mergeFirst(lists: readonly KeyedIds[], isDescending: boolean, limit: number): Position[] {
  return [...merge(lists, isDescending).take(limit)].map(toPosition)
}

/**
 * The documents from index `from` to before `to` in the order of all shards, found in a part of the order of each
 * shard. Undefined if a document outside these parts may belong to them. Each part leaves out the first `first`
 * documents of its shard: the n-th merged document has the index n plus the sum of these numbers, if it comes after all
 * documents left out before the parts, and before all those after them.
 */
export function mergeWindow(
  lists: readonly KeyedIds[],
  isDescending: boolean,
  from: number,
  to: number,
): Position[] | undefined {
  const end = Math.min(to, totalOf(lists))
  if (from >= end) return []
  const skipped = lists.reduce((sum, { first }) => sum + first, 0)
  if (skipped > from || lists.some(({ first, ids }) => first > 0 && ids.length === 0)) return undefined
  /** Lists whose documents before the part may come after the next entry. */
  const unopened = new Set(lists.filter(({ first }) => first > 0))
  const found: Position[] = []
  let position = skipped
  let isComplete = true
  for (const entry of merge(lists, isDescending)) {
    const { list, index } = entry
    unopened.delete(list)
    if (position >= from) {
      if (!isComplete || unopened.size > 0) return undefined
      found.push(toPosition(entry))
    }
    if (++position === end) return found
    // The next document of this shard was left out, and may be the next of all.
    if (index === list.ids.length - 1 && list.first + list.ids.length < list.total) isComplete = false
  }
  return undefined
}
