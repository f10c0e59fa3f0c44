import { sql } from 'kysely'
import Type, { type TSchema } from 'typebox'
import type { FavoriteList } from '#contract/favorites.ts'
import { type FavoriteSort, MAX_FAVORITES } from '#contract/limits.ts'
import type { QueryOf } from '#contract/operations.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { scriptNotFound, visibleTo } from '#server/features/scripts/visibility.ts'
import { cursorId, cursorOf, cursorText, cursorTime, toCursorTime } from '#server/platform/http/cursor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'

interface FavoriteKey {
  memberId: number
  scriptId: number
}

export interface FavoriteStatus {
  is_favorite: boolean
  /** Of all members. */
  favorite_count: number
}

const tooMany = () =>
  new AppError(
    'too_many_favorites',
    409,
    `You have ${MAX_FAVORITES.toLocaleString('en')} favorites, which is the limit. Remove one to add another.`,
  )

/**
 * Adds a script to a member's favorites. `addedAt` restores the position of a favorite that was removed. Throws AppError
 * `invalid`, `script_not_found` if the member may not see the script, `too_many_favorites`, and what `lockMember` throws.
 */
export function addFavorite(
  db: Database,
  { memberId, scriptId }: FavoriteKey,
  addedAt?: string,
): Promise<FavoriteStatus> {
  if (addedAt !== undefined && Number.isNaN(Date.parse(addedAt))) {
    throw invalidField('added_at', 'Added at must be a time.')
  }
  // Exclusive, so that concurrent requests cannot pass the limit.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await lockVisibleScript(trx, { memberId, scriptId })
    const { rows } = await sql<{ count: number }>`select count(*) as count from favorites
      where member_id = ${memberId} and script_id <> ${scriptId}`.execute(trx)
    if ((rows[0]?.count ?? 0) >= MAX_FAVORITES) throw tooMany()
    await sql`insert into favorites (member_id, script_id, added_at)
      values (${memberId}, ${scriptId}, least(coalesce(${addedAt ?? null}::timestamptz, now()), clock_timestamp()))
      on conflict do nothing`.execute(trx)
    return requireStatus(trx, { memberId, scriptId })
  })
}

/** Removes a script from a member's favorites, even if it is private by now. Throws what `lockMember` throws. */
export function removeFavorite(db: Database, { memberId, scriptId }: FavoriteKey): Promise<FavoriteStatus> {
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await sql`delete from favorites where member_id = ${memberId} and script_id = ${scriptId}`.execute(trx)
    return (await findStatus(trx, { memberId, scriptId })) ?? { is_favorite: false, favorite_count: 0 }
  })
}

/** Throws AppError `script_not_found`, also if the member may not see the script. */
export async function getFavoriteStatus(db: Database, key: FavoriteKey): Promise<FavoriteStatus> {
  return requireStatus(db, key)
}

/** Which of these scripts are a member's favorites. `ids` has commas between them. */
export async function findFavorites(db: Database, memberId: number, ids: string): Promise<number[]> {
  const { rows } = await sql<{ script_id: number }>`select script_id from favorites
    where member_id = ${memberId} and script_id = any(${ids.split(',')}::bigint[]) order by script_id`.execute(db)
  return rows.map(({ script_id }) => script_id)
}

async function requireStatus(db: Database, key: FavoriteKey): Promise<FavoriteStatus> {
  const status = await findStatus(db, key)
  if (!status) throw scriptNotFound()
  return status
}

async function findStatus(db: Database, { memberId, scriptId }: FavoriteKey): Promise<FavoriteStatus | undefined> {
  const { rows } = await sql<FavoriteStatus>`select st.favorite_count,
      exists (select from favorites f where f.member_id = ${memberId} and f.script_id = s.id) as is_favorite
    from scripts s join script_stats st on st.script_id = s.id join members m on m.id = s.author_id
    where s.id = ${scriptId} and ${visibleToMember(memberId)}`.execute(db)
  return rows[0]
}

/** Admins, too, save what everyone may see. */
const visibleToMember = (memberId: number) => visibleTo({ id: memberId, isAdmin: false })

/** The script cannot be deleted during the transaction. */
async function lockVisibleScript(trx: Transaction, { memberId, scriptId }: FavoriteKey): Promise<void> {
  const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
    where s.id = ${scriptId} and ${visibleToMember(memberId)} for key share of s`.execute(trx)
  if (rows.length === 0) throw scriptNotFound()
}

interface Position {
  sort: FavoriteSort
  keys: unknown[]
  id: number
}

const cursorBy = (sort: FavoriteSort, ...keys: TSchema[]) =>
  cursorOf(Type.Unsafe<Position>(Type.Object({ sort: Type.Literal(sort), keys: Type.Tuple(keys), id: cursorId })))

interface SortRule {
  /** Columns by which a list is sorted, before the id. */
  columns: readonly string[]
  direction: 'asc' | 'desc'
  cursor: ReturnType<typeof cursorBy>
}

const count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const SORTS: Record<FavoriteSort, SortRule> = {
  added: { columns: ['added_at'], direction: 'desc', cursor: cursorBy('added', cursorTime) },
  name: { columns: ['title_key'], direction: 'asc', cursor: cursorBy('name', cursorText) },
  updated: { columns: ['updated_at'], direction: 'desc', cursor: cursorBy('updated', cursorTime) },
  rating: {
    columns: ['rating_average', 'rating_count'],
    direction: 'desc',
    cursor: cursorBy('rating', Type.Number(), count),
  },
}

const toKey = (column: string) => (column.endsWith('_at') ? toCursorTime(sql.ref(column)) : sql.ref(column))

interface FavoritesRow {
  total: number
  visible: number
  /** Times are in ISO 8601 with microseconds, as PostgreSQL's JSON has them. */
  page: { script_id: number; added_at: string; keys: unknown[] }[]
}

/** Counts the favorites that the member may no longer see. The cursor replaces the page. Throws AppError `invalid`. */
export async function listFavorites(
  { db }: { db: Database },
  memberId: number,
  { page, limit, sort, cursor }: QueryOf<'GET /api/favorites'>,
): Promise<FavoriteList> {
  const { columns, direction, cursor: cursors } = SORTS[sort]
  const position = cursor ? cursors.decode(cursor) : undefined
  const sortedBy = [...columns, 'script_id'].map((column) => sql.ref(column))
  const order = sql.join(sortedBy.map((column) => sql`${column} ${sql.raw(direction)}`))
  const values = [...columns.map((_, i) => position?.keys[i]), position?.id]
  const isAfter = position
    ? sql`(${sql.join(sortedBy)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(values)})`
    : sql`true`
  const stats = sort === 'rating' ? sql`join script_stats on script_id = id` : sql``
  const keys = sort === 'added' ? sql`` : sql`, ${sql.join(columns.map((column) => sql.ref(column)))}`
  // In one pass, without the rows of authors: the few who are banned are read once. The limit keeps PostgreSQL from joining
  // by a scan of all scripts.
  const { rows } = await sql<FavoritesRow>`with mine as materialized (
      select f.script_id, f.added_at ${keys} from favorites f cross join lateral (
        select author_id, is_public ${keys} from scripts ${stats} where id = f.script_id limit 1) s
      where f.member_id = ${memberId} and (s.author_id = ${memberId}
        or ${isReachable('s')}))
    select (select count(*) from favorites where member_id = ${memberId}) as total,
      (select count(*) from mine) as visible,
      coalesce((select json_agg(p) from (
        select script_id, added_at, json_build_array(${sql.join(columns.map(toKey))}) as keys from mine
        where ${isAfter} order by ${order} limit ${limit + 1} offset ${position ? 0 : (page - 1) * limit}) p), '[]') as page`.execute(
    db,
  )
  const { total, visible, page: favorites } = rows[0] ?? { total: 0, visible: 0, page: [] }
  const shown = favorites.slice(0, limit)
  const last = favorites.length > limit ? shown.at(-1) : undefined
  const cards = await findCardRows(
    db,
    shown.map(({ script_id }) => script_id),
  )
  const byId = new Map(cards.map((row) => [row.id, toCard(row)]))
  return {
    favorites: shown.flatMap(({ script_id, added_at }) => {
      const script = byId.get(script_id)
      return script ? [{ added_at: new Date(added_at).toISOString(), script }] : []
    }),
    pagination: {
      page,
      limit,
      total: visible,
      pages: Math.ceil(visible / limit),
      next_cursor: last ? cursors.encode({ sort, keys: last.keys, id: last.script_id }) : null,
    },
    unavailable_count: total - visible,
  }
}
