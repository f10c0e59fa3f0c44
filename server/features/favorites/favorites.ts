import { type RawBuilder, sql } from 'kysely'
import type { FavoriteList } from '#contract/favorites.ts'
import { type FavoriteSort, MAX_FAVORITES } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { scriptNotFound, visibleTo } from '#server/features/scripts/visibility.ts'
import { AppError } from '#server/http/errors.ts'
import { invalidField } from '#server/http/field-errors.ts'

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
  return db.transaction().execute(async (trx) => {
    // Exclusive, so that concurrent requests cannot pass the limit.
    await lockMember(trx, memberId, { allowMuted: true, exclusive: true })
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
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { allowMuted: true, exclusive: true })
    await sql`delete from favorites where member_id = ${memberId} and script_id = ${scriptId}`.execute(trx)
    return (await findStatus(trx, { memberId, scriptId })) ?? { is_favorite: false, favorite_count: 0 }
  })
}

/** Throws AppError `script_not_found`, also if the member may not see the script. */
export async function getFavoriteStatus(db: Database, key: FavoriteKey): Promise<FavoriteStatus> {
  return requireStatus(db, key)
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
async function lockVisibleScript(trx: Database, { memberId, scriptId }: FavoriteKey): Promise<void> {
  const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
    where s.id = ${scriptId} and ${visibleToMember(memberId)} for key share of s`.execute(trx)
  if (rows.length === 0) throw scriptNotFound()
}

const ORDERS: Record<FavoriteSort, RawBuilder<unknown>> = {
  added: sql`f.added_at desc, f.script_id desc`,
  name: sql`s.title_key, s.id`,
  updated: sql`s.updated_at desc, s.id desc`,
  rating: sql`st.rating_average desc, st.rating_count desc, s.id desc`,
}

interface FavoriteRow {
  script_id: number
  added_at: Date
}

const FROM = sql`favorites f join scripts s on s.id = f.script_id join script_stats st on st.script_id = s.id
  join members m on m.id = s.author_id`

/** A page of a member's favorites that they may still see, and the number of the others. */
export async function listFavorites(
  { db, discordCdnUrl }: { db: Database; discordCdnUrl: string },
  memberId: number,
  { page, limit, sort }: { page: number; limit: number; sort: FavoriteSort },
): Promise<FavoriteList> {
  const [{ rows }, { rows: counts }] = await Promise.all([
    sql<FavoriteRow>`select f.script_id, f.added_at from ${FROM}
      where f.member_id = ${memberId} and ${visibleToMember(memberId)}
      order by ${ORDERS[sort]} limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ total: number; visible: number }>`select count(*) as total,
        count(*) filter (where ${visibleToMember(memberId)}) as visible
      from favorites f join scripts s on s.id = f.script_id join members m on m.id = s.author_id
      where f.member_id = ${memberId}`.execute(db),
  ])
  const cards = await findCardRows(
    db,
    rows.map(({ script_id }) => script_id),
  )
  const byId = new Map(cards.map((row) => [row.id, toCard(row, discordCdnUrl)]))
  const { total = 0, visible = 0 } = counts[0] ?? {}
  return {
    favorites: rows.flatMap(({ script_id, added_at }) => {
      const script = byId.get(script_id)
      return script ? [{ added_at: added_at.toISOString(), script }] : []
    }),
    pagination: { page, limit, total: visible, pages: Math.ceil(visible / limit) },
    unavailable_count: total - visible,
  }
}
