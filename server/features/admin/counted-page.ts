import { type RawBuilder, sql } from 'kysely'
import type { CountedPage } from '#contract/admin.ts'
import { MAX_COUNTED } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'

export interface Listing {
  /** Tables with their aliases, ready for `where`. */
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** The column that names a row. */
  id: RawBuilder<unknown>
  /** Sort keys, most important first; the last one tells all rows apart. Nulls of a nullable one come last downwards. */
  keys: { key: RawBuilder<unknown>; isNullable?: boolean }[]
  isDescending: boolean
  /** How many there are, where that is known; else they are counted, up to MAX_COUNTED. */
  total?: number | undefined
  walk?: Walk | undefined
}

/** A search, said so that no index of what is searched serves it: of many matches an index finds all before the first. */
export interface Walk {
  /** The whole condition, to be asked of one row after the other. */
  where: RawBuilder<unknown>
  /** Sort keys that an index has in order. */
  keys: Listing['keys']
  /** How many rows to look at before all matches are sorted, where a look at one costs little. */
  scanLimit?: number
  /** Where to count instead when at least this share of the rows matches. */
  counting?: { from: RawBuilder<unknown>; where: RawBuilder<unknown>; share: number } | undefined
}

interface PageRequest {
  page: number
  limit: number
}

// Said of no other key: an index that was made without saying it would not serve.
const NULLS = { desc: sql` nulls last`, asc: sql` nulls first` }

function ordering(keys: Listing['keys'], direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const way = sql.raw(direction)
  return sql.join(keys.map(({ key, isNullable }) => sql`${key} ${way}${isNullable ? NULLS[direction] : sql``}`))
}

/** One page of ids, and how many there are. Costs about the same at any size and on any page. */
export async function findCountedPage(
  db: Database,
  listing: Listing,
  { page, limit }: PageRequest,
): Promise<{ ids: number[]; pagination: CountedPage }> {
  const offset = (page - 1) * limit
  const { total: known } = listing
  if (known !== undefined) {
    const ids = await readFromNearerEnd(db, listing, { offset, limit: Math.min(limit, known - offset) }, known)
    return { ids, pagination: { page, limit, total: known, pages: Math.ceil(known / limit), is_exact: true } }
  }
  const slice = { offset, limit: Math.max(0, Math.min(limit, MAX_COUNTED - offset)) }
  const first = listing.walk ? await peek(db, listing, listing.walk) : []
  const { total, ids } = (await countMany(db, listing.walk, first.length)) ?? (await findAndSort(db, listing, slice))
  const isExact = total <= MAX_COUNTED
  const pages = Math.ceil(Math.min(total, MAX_COUNTED) / limit)
  return {
    ids: isExact ? ids : await readUncounted(db, listing, slice, first),
    pagination: { page, limit, total, pages, is_exact: isExact },
  }
}

interface Slice {
  offset: number
  limit: number
}

const directionOf = ({ isDescending }: Listing) => (isDescending ? 'desc' : 'asc')

/**
 * Finds first and sorts then, up to one more than are counted. To walk an index in order until enough are found, as
 * PostgreSQL likes to, would take seconds where there are few.
 */
async function findAndSort(db: Database, listing: Listing, slice: Slice): Promise<{ total: number; ids: number[] }> {
  const { from, where, id, keys } = listing
  const { columns, sorted } = carryKeys(keys)
  const { rows } = await sql<{ total: number; ids: number[] }>`with found as materialized (
      select ${id} as id, ${sql.join(columns)} from ${from} where ${where} limit ${MAX_COUNTED + 1})
    select (select count(*) from found) as total,
      array(select id from found order by ${ordering(sorted, directionOf(listing))}
        limit ${slice.limit} offset ${slice.offset}) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

/** Keys as columns of a subquery, and as the keys of its rows. */
function carryKeys(keys: Listing['keys']) {
  return {
    columns: keys.map(({ key }, at) => sql`${key} as ${sql.ref(`key${at}`)}`),
    sorted: keys.map(({ isNullable }, at) => ({ key: sql.ref(`key${at}`), isNullable: isNullable === true })),
  }
}

/** How many rows are looked at first: a few milliseconds, at any size. */
const PEEK_ROWS = 1000
/** From this share of matches on, walking in order finds any page that is counted sooner than sorting all. */
const WALK_SHARE = 0.1

/** What matches among the first rows in order. */
async function peek(db: Database, listing: Listing, { where, keys }: Walk, most = PEEK_ROWS): Promise<number[]> {
  const { from, id } = listing
  const { columns, sorted } = carryKeys(keys)
  const { rows } = await sql<{ id: number }>`select id from (
      select ${id} as id, ${sql.join(columns)}, (${where}) as is_found from ${from}
      order by ${ordering(keys, directionOf(listing))} limit ${most}) first
    where is_found order by ${ordering(sorted, directionOf(listing))}`.execute(db)
  return rows.map((row) => row.id)
}

/** Undefined where there may not be more than are counted, and where counting is no quicker than finding them. */
async function countMany(db: Database, walk: Walk | undefined, peeked: number) {
  if (!walk?.counting || peeked < PEEK_ROWS * walk.counting.share) return undefined
  const { from, where } = walk.counting
  const { rows } = await sql<{ total: number }>`select count(*) as total
    from (select from ${from} where ${where} limit ${MAX_COUNTED + 1}) counted`.execute(db)
  const total = rows[0]?.total ?? 0
  return total > MAX_COUNTED ? { total, ids: [] } : undefined
}

/** One page of more than are counted; `first` are those that were met already. */
async function readUncounted(db: Database, listing: Listing, slice: Slice, first: number[]): Promise<number[]> {
  const { walk } = listing
  const [begin, end] = [slice.offset, slice.offset + slice.limit]
  if (first.length >= end) return first.slice(begin, end)
  if (walk && first.length >= PEEK_ROWS * WALK_SHARE) return readPage(db, { ...listing, ...walk }, slice)
  if (walk?.scanLimit) {
    const more = await peek(db, listing, walk, walk.scanLimit)
    if (more.length >= end) return more.slice(begin, end)
  }
  return readPage(db, listing, slice)
}

async function readPage(db: Database, listing: Listing, { offset, limit }: Slice): Promise<number[]> {
  if (limit <= 0) return []
  const { from, where, id, keys } = listing
  const { rows } = await sql<{ id: number }>`select ${id} as id from ${from} where ${where}
    order by ${ordering(keys, directionOf(listing))} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

/** Of many pages the later half is read backwards. */
async function readFromNearerEnd(db: Database, listing: Listing, slice: Slice, total: number): Promise<number[]> {
  const { offset, limit } = slice
  if (offset <= total / 2) return readPage(db, listing, slice)
  const backwards = { ...listing, isDescending: !listing.isDescending }
  const ids = await readPage(db, backwards, { offset: total - offset - limit, limit })
  return ids.toReversed()
}
