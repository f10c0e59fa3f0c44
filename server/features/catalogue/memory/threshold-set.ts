import { clearBit, setBit } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import type { IdSet } from './postings.ts'
import type { IndexRow } from './row.ts'
import type { Scratch } from './scratch.ts'
import { addTo } from './word-set.ts'

export interface Threshold {
  column: 'views' | 'average'
  least: number
}

export function valueOf({ columns }: MemoryIndex, column: Threshold['column'], id: number): number {
  return column === 'views' ? (columns.views[id] ?? 0) : columns.average(id)
}

const SORT_OF = { views: 'view_count', average: 'rating_average' } as const

export function valueIn({ views, stars, ratings }: IndexRow, column: Threshold['column']): number {
  if (column === 'views') return views
  return ratings === 0 ? 0 : stars / ratings
}

/** What its set is kept under. */
export const thresholdKey = ({ column, least }: Threshold) => `${column} ${least}`

/** The scripts with at least so many views or so good a rating: what comes last in that order. */
export function thresholdSet(index: MemoryIndex, scratch: Scratch, threshold: Threshold): IdSet {
  const { column, least } = threshold
  const key = thresholdKey(threshold)
  const kept = index.derived.get(key)
  if (kept) return kept
  const order = index.orders[SORT_OF[column]]
  const bits = scratch.takeBits().slice()
  const from = order.countWhile((id) => valueOf(index, column, id) < least)
  // The shorter part is walked: what belongs to the set, or what is to be taken out of all.
  if (from < order.length / 2) {
    addTo(bits, index.postings.set(index.labels.all))
    order.eachPart(0, from, (chunk, start, end) => {
      for (let at = start; at < end; at++) clearBit(bits, chunk[at] ?? 0)
      return true
    })
  } else {
    order.eachPart(from, order.length, (chunk, start, end) => {
      for (let at = start; at < end; at++) setBit(bits, chunk[at] ?? 0)
      return true
    })
  }
  return index.derived.add(key, bits, {
    isIn: (row) => valueIn(row, column) >= least,
    byCounts: true,
  })
}
