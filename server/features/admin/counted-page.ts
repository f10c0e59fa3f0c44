import { type RawBuilder, sql } from 'kysely'
import type { CountedPage } from '#contract/admin.ts'
import { MAX_COUNTED } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'

export interface Listing {
  /** Tables with their aliases, as they follow `from`. */
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  id: RawBuilder<unknown>
  /** Sort keys, most important first; the last one is unique. Nulls come last in descending order. */
  keys: { key: RawBuilder<unknown>; isNullable?: boolean }[]
  isDescending: boolean
  /** The number of rows, if known; otherwise they are counted up to MAX_COUNTED. */
  total?: number | undefined
  orderedScan?: OrderedScan | undefined
}

/**
 * The same search for a scan in sort order. Its condition must not be served by a search index, which would find all
 * matches before it returns the first.
 */
export interface OrderedScan {
  where: RawBuilder<unknown>
  /** Sort keys that an index provides. */
  keys: Listing['keys']
  /** How many rows to scan before all matches are found and sorted instead. */
  scanLimit?: number
  /** What to count instead if at least this share of the rows matches. */
  counting?: { from: RawBuilder<unknown>; where: RawBuilder<unknown>; share: number } | undefined
}

interface PageRequest {
  page: number
  limit: number
}

interface Slice {
  offset: number
  limit: number
}

/** Rows that are scanned first. Takes a few milliseconds at any size. */
const PEEK_ROWS = 1000
/** Share of matches above which an ordered scan finds any counted page sooner than sorting all matches. */
const SCAN_SHARE = 0.1

// Only for nullable keys: an index without a `nulls` clause does not match an order that has one.
const NULLS = { desc: sql` nulls last`, asc: sql` nulls first` }

function orderBy(keys: Listing['keys'], direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const order = sql.raw(direction)
  return sql.join(keys.map(({ key, isNullable }) => sql`${key} ${order}${isNullable ? NULLS[direction] : sql``}`))
}

const directionOf = ({ isDescending }: Listing) => (isDescending ? 'desc' : 'asc')

function toColumns(keys: Listing['keys']) {
  return {
    columns: keys.map(({ key }, i) => sql`${key} as ${sql.ref(`key${i}`)}`),
    sorted: keys.map(({ isNullable }, i) => ({ key: sql.ref(`key${i}`), isNullable: isNullable === true })),
  }
}

/** Finds one page of ids. The total is exact up to MAX_COUNTED. The cost hardly depends on the rows or the page. */
export async function findCountedPage(
  db: Database,
  listing: Listing,
  { page, limit }: PageRequest,
): Promise<{ ids: number[]; pagination: CountedPage }> {
  const offset = (page - 1) * limit
  const { total } = listing
  if (total !== undefined) {
    const ids = await readFromNearerEnd(db, listing, { offset, limit: Math.min(limit, total - offset) }, total)
    return { ids, pagination: { page, limit, total, pages: Math.ceil(total / limit), is_exact: true } }
  }
  const slice = { offset, limit: Math.max(0, Math.min(limit, MAX_COUNTED - offset)) }
  const first = listing.orderedScan ? await scan(db, listing, listing.orderedScan, PEEK_ROWS) : []
  const counted = await countMany(db, listing.orderedScan, first.length)
  const matches = counted ?? (await findAndSort(db, listing, slice))
  const isExact = matches.total <= MAX_COUNTED
  const pages = Math.ceil(Math.min(matches.total, MAX_COUNTED) / limit)
  return {
    ids: isExact ? matches.ids : await readUncounted(db, listing, slice, first),
    pagination: { page, limit, total: matches.total, pages, is_exact: isExact },
  }
}

/** `materialized` prevents an index scan in sort order, which PostgreSQL prefers, and which is slow for few matches. */
async function findAndSort(db: Database, listing: Listing, slice: Slice): Promise<{ total: number; ids: number[] }> {
  const { from, where, id, keys } = listing
  const { columns, sorted } = toColumns(keys)
  const { rows } = await sql<{ total: number; ids: number[] }>`with found as materialized (
      select ${id} as id, ${sql.join(columns)} from ${from} where ${where} limit ${MAX_COUNTED + 1})
    select (select count(*) from found) as total,
      array(select id from found order by ${orderBy(sorted, directionOf(listing))}
        limit ${slice.limit} offset ${slice.offset}) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

async function scan(db: Database, listing: Listing, { where, keys }: OrderedScan, maxRows: number): Promise<number[]> {
  const { from, id } = listing
  const { columns, sorted } = toColumns(keys)
  const { rows } = await sql<{ id: number }>`select id from (
      select ${id} as id, ${sql.join(columns)}, (${where}) as is_found from ${from}
      order by ${orderBy(keys, directionOf(listing))} limit ${maxRows}) first
    where is_found order by ${orderBy(sorted, directionOf(listing))}`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns undefined if there are at most MAX_COUNTED matches, or if counting is not faster than finding them. */
async function countMany(db: Database, orderedScan: OrderedScan | undefined, foundFirst: number) {
  if (!orderedScan?.counting || foundFirst < PEEK_ROWS * orderedScan.counting.share) return undefined
  const { from, where } = orderedScan.counting
  const { rows } = await sql<{ total: number }>`select count(*) as total
    from (select from ${from} where ${where} limit ${MAX_COUNTED + 1}) counted`.execute(db)
  const total = rows[0]?.total ?? 0
  return total > MAX_COUNTED ? { total, ids: [] } : undefined
}

async function readUncounted(db: Database, listing: Listing, slice: Slice, first: number[]): Promise<number[]> {
  const { orderedScan } = listing
  const [begin, end] = [slice.offset, slice.offset + slice.limit]
  if (first.length >= end) return first.slice(begin, end)
  if (orderedScan && first.length >= PEEK_ROWS * SCAN_SHARE) {
    return readPage(db, { ...listing, where: orderedScan.where, keys: orderedScan.keys }, slice)
  }
  if (orderedScan?.scanLimit) {
    const more = await scan(db, listing, orderedScan, orderedScan.scanLimit)
    if (more.length >= end) return more.slice(begin, end)
  }
  return readPage(db, listing, slice)
}

async function readPage(db: Database, listing: Listing, { offset, limit }: Slice): Promise<number[]> {
  if (limit <= 0) return []
  const { from, where, id, keys } = listing
  const { rows } = await sql<{ id: number }>`select ${id} as id from ${from} where ${where}
    order by ${orderBy(keys, directionOf(listing))} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

/** Reads pages of the second half backwards, so that no offset exceeds half of the rows. */
async function readFromNearerEnd(db: Database, listing: Listing, slice: Slice, total: number): Promise<number[]> {
  const { offset, limit } = slice
  if (offset <= total / 2) return readPage(db, listing, slice)
  const backwards = { ...listing, isDescending: !listing.isDescending }
  const ids = await readPage(db, backwards, { offset: total - offset - limit, limit })
  return ids.toReversed()
}
