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
}

interface Asked {
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
  { page, limit }: Asked,
): Promise<{ ids: number[]; pagination: CountedPage }> {
  const offset = (page - 1) * limit
  const { total: known } = listing
  if (known !== undefined) {
    const ids = await readFromNearerEnd(db, listing, { offset, limit: Math.min(limit, known - offset) }, known)
    return { ids, pagination: { page, limit, total: known, pages: Math.ceil(known / limit), is_exact: true } }
  }
  const slice = { offset, limit: Math.min(limit, MAX_COUNTED - offset) }
  const { total, ids } = await findAmongFew(db, listing, slice)
  const isExact = total <= MAX_COUNTED
  const pages = Math.ceil(Math.min(total, MAX_COUNTED) / limit)
  return {
    ids: isExact ? ids : await readForwards(db, listing, slice),
    pagination: { page, limit, total, pages, is_exact: isExact },
  }
}

interface Slice {
  offset: number
  limit: number
}

const wayOf = ({ isDescending }: Listing) => (isDescending ? 'desc' : 'asc')

/**
 * Finds first and sorts then, up to one more than are counted. To walk an index in order until enough are found, as
 * PostgreSQL likes to, would take seconds where there are few.
 */
async function findAmongFew(db: Database, listing: Listing, slice: Slice): Promise<{ total: number; ids: number[] }> {
  const { from, where, id, keys } = listing
  const columns = keys.map(({ key }, at) => sql`${key} as ${sql.ref(`key${at}`)}`)
  const sorted = keys.map(({ isNullable }, at) => ({ key: sql.ref(`key${at}`), isNullable: isNullable === true }))
  const { rows } = await sql<{ total: number; ids: number[] }>`with found as materialized (
      select ${id} as id, ${sql.join(columns)} from ${from} where ${where} limit ${MAX_COUNTED + 1})
    select (select count(*) from found) as total,
      array(select id from found order by ${ordering(sorted, wayOf(listing))}
        limit ${Math.max(0, slice.limit)} offset ${slice.offset}) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

async function readForwards(db: Database, listing: Listing, { offset, limit }: Slice): Promise<number[]> {
  if (limit <= 0) return []
  const { from, where, id, keys } = listing
  const { rows } = await sql<{ id: number }>`select ${id} as id from ${from} where ${where}
    order by ${ordering(keys, wayOf(listing))} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

/** Of many pages the later half is read backwards. */
async function readFromNearerEnd(db: Database, listing: Listing, slice: Slice, total: number): Promise<number[]> {
  const { offset, limit } = slice
  if (offset <= total / 2) return readForwards(db, listing, slice)
  const backwards = { ...listing, isDescending: !listing.isDescending }
  const ids = await readForwards(db, backwards, { offset: total - offset - limit, limit })
  return ids.toReversed()
}
