import { hash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { MAX_PAGE } from '#contract/limits.ts'
import { cursorId, cursorOf } from '#server/platform/http/cursor.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { type CatalogueQuery, type CatalogueResult, filterKey, offsetOf } from './query.ts'

/** The last results of a page, by which the next page finds its start even if some of them were deleted. */
const MAX_ANCHORS = 5
/** Number of results before and after the former position in which the anchors are searched for. */
const SEARCH_WINDOW = 2000

const Position = Type.Object({
  /** Identifies the filter, sort and order. */
  list: Type.String(),
  offset: Type.Integer({ minimum: 0, maximum: MAX_PAGE }),
  /** The last ids of the page, the last one first. */
  anchors: Type.Array(cursorId, { maxItems: MAX_ANCHORS }),
})
type Position = Static<typeof Position>
const cursors = cursorOf(Position)

export interface CursorPage extends CatalogueResult {
  nextCursor: string | null
}

type Find = (query: CatalogueQuery) => Promise<CatalogueResult>

/**
 * Finds the list by offset, which the index answers fastest, then starts after the last result of the page before,
 * wherever that is now: scripts added or removed in between cause no gap or repetition. Throws AppError `invalid`.
 */
export async function findByCursor(find: Find, query: CatalogueQuery, cursor: string | undefined): Promise<CursorPage> {
  const { offset, ids, total } =
    cursor === undefined ? await findFirst(find, query) : await findNext(find, query, cursor)
  const end = offset + ids.length
  const anchors = ids.slice(-MAX_ANCHORS).toReversed()
  const hasMore = ids.length > 0 && end < total
  return { ids, total, nextCursor: hasMore ? cursors.encode({ list: identify(query), offset: end, anchors }) : null }
}

const identify = (query: CatalogueQuery): string =>
  hash('sha1', `${query.sort} ${query.order} ${filterKey(query)}`, 'base64url').slice(0, 10)

interface Found extends CatalogueResult {
  offset: number
}

async function findFirst(find: Find, query: CatalogueQuery): Promise<Found> {
  return { ...(await find(query)), offset: offsetOf(query) }
}

async function findNext(find: Find, query: CatalogueQuery, cursor: string): Promise<Found> {
  const position = cursors.decode(cursor)
  if (position.list !== identify(query)) {
    throw invalidField('cursor', 'Use a cursor with the filters, sort and order that it was made for.')
  }
  const expected = Math.max(0, position.offset - MAX_ANCHORS)
  const near = await find({ ...query, offset: expected, limit: query.limit + MAX_ANCHORS })
  const start = findStart(near.ids, position)
  // The usual case: nothing moved, and one query has the anchors and the page.
  if (start === position.offset - expected) return { ...near, ids: near.ids.slice(start), offset: position.offset }
  const offset = start === undefined ? await searchStart(find, query, position) : expected + start
  return { ...(await find({ ...query, offset })), offset }
}

function findStart(ids: readonly number[], { anchors }: Position): number | undefined {
  for (const anchor of anchors) {
    const index = ids.indexOf(anchor)
    if (index >= 0) return index + 1
  }
  return undefined
}

/** Where the anchors are now. If they are gone or far away, the former position is the best guess. */
async function searchStart(find: Find, query: CatalogueQuery, position: Position): Promise<number> {
  const from = Math.max(0, position.offset - SEARCH_WINDOW)
  const { ids } = await find({ ...query, offset: from, limit: 2 * SEARCH_WINDOW })
  const start = findStart(ids, position)
  return start === undefined ? position.offset : from + start
}
