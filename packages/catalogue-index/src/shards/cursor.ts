import type { CatalogueQuery } from '../schema.ts'
import type { Position } from '../positions.ts'
import type { SortKey } from '../sort-orders.ts'

type ListOrder = Pick<CatalogueQuery, 'sort' | 'order'>

/** Encodes a position in the order of a query as an opaque text for URLs. */
export function encodeCursor({ sort, order }: ListOrder, { score, keys, id }: Position): string {
  // JSON has no -Infinity, which stands for a missing value.
  const finite = keys.map((key) => (key === -Infinity ? null : key))
  return Buffer.from(JSON.stringify([sort, order, score, id, ...finite])).toString('base64url')
}

/** Throws RangeError for a text that is not a cursor for this sort and order. */
export function decodeCursor({ sort, order }: ListOrder, cursor: string): Position {
  const [cursorSort, cursorOrder, score, id, ...keys] = parse(cursor)
  const isMatching = cursorSort === sort && cursorOrder === order && Number.isInteger(score) && Number.isInteger(id)
  if (!isMatching || !keys.every(isSortKey)) {
    throw new RangeError(`The cursor is not for the sort "${sort}" in this order`)
  }
  return { score: Number(score), id: Number(id), keys: keys.map((key) => key ?? -Infinity) }
}

const isSortKey = (key: unknown): key is SortKey | null =>
  key === null || typeof key === 'number' || typeof key === 'string'

function parse(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}
