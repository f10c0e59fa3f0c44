import { type RawBuilder, sql } from 'kysely'
import type { AdminUser, CountedPage } from '#contract/admin.ts'
import type { QueryOf } from '#contract/operations.ts'
import { findCountedPage, type Listing, type Walk } from './counted-page.ts'
import { findTotals } from './stats.ts'
import { type AdminOptions, findAdminUsers } from './admin-user.ts'
import { isActive, isBanned, isMuted } from '#server/features/members/standing.ts'

export type UserQuery = Pick<
  QueryOf<'GET /api/admin-keys'>,
  'search' | 'status' | 'role' | 'sort' | 'order' | 'page' | 'limit'
>
type Condition = RawBuilder<unknown>

const STATUSES: Record<UserQuery['status'], Condition | undefined> = {
  all: undefined,
  // In the order in which the portal says it: who is banned and muted is banned.
  active: sql`${isActive('m')} and ${isMuted('m')} is not true`,
  banned: isBanned('m'),
  muted: sql`${isMuted('m')} and ${isActive('m')}`,
}
const ROLES: Record<UserQuery['role'], Condition | undefined> = {
  all: undefined,
  // The first half is what the index of the few knows.
  admin: sql`(m.is_admin or m.is_moderator) and m.is_admin`,
  moderator: sql`(m.is_admin or m.is_moderator) and not m.is_admin`,
  user: sql`not (m.is_admin or m.is_moderator)`,
}
const SORTS: Record<UserQuery['sort'], Listing['keys'][number]> = {
  created_at: { key: sql`m.created_at` },
  last_seen_at: { key: sql`m.last_seen_at`, isNullable: true },
  username: { key: sql`lower(m.username)` },
  reputation: { key: sql`m.reputation` },
}

// Who is found by a part of their name may all be far down in the order of names: no index is to be walked for them.
const FOUND_BY_NAME = { key: sql`lower(m.username) || ''` }

const MAX_ID = 2_147_483_647
/** Shorter ones have no three letters to be found by inside a word. */
const MIN_TRIGRAM_LENGTH = 3

/** What the database puts a letter for in `search_key`, which is the name, a line's end and the e-mail. */
const SIGN = /[ -/:-@[-`{-~]/

/** With `isWalked` no index serves it. */
function partCondition(text: string, isWalked: boolean): Condition {
  const isShort = Array.from(text).length < MIN_TRIGRAM_LENGTH
  const key = sql`search_key(${text})`
  const kept = isWalked ? sql`(m.search_key || '')` : sql`m.search_key`
  const byKey = isShort
    ? sql`(${kept} like ${key} || '%' or ${kept} like E'%\\n' || ${key} || '%')`
    : sql`${kept} like '%' || ${key} || '%'`
  if (!SIGN.test(text)) return byKey
  const literal = `${isShort ? '' : '%'}${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`(${byKey} and (lower(m.username) like lower(${literal}) or lower(m.email) like lower(${literal})))`
}

/** By a part of name or e-mail (short ones by their beginning), or by an id of ours or Discord's. */
function searchCondition(text: string, isWalked = false): Condition {
  const options = [partCondition(text, isWalked)]
  if (/^\d{1,20}$/.test(text)) {
    options.push(sql`m.discord_id = ${text}`)
    if (Number(text) <= MAX_ID) options.push(sql`m.id = ${Number(text)}`)
  }
  return sql`(${sql.join(options, sql` or `)})`
}

/** From this share of matches on, reading the table until enough are found is quicker than asking the trigrams first. */
const READ_SHARE = 0.1
/** Names that have nothing of it may stand in a row, those of one e-mail provider say. */
const FURTHER = 10_000

function walkAll(from: Condition, conditions: Condition[], keys: Walk['keys']): Walk {
  const where = sql.join(conditions, sql` and `)
  return { where, keys, scanLimit: FURTHER, counting: { from, where, share: READ_SHARE } }
}

/** Members by what the portal asks, and how many there are. */
export async function listUsers(
  options: AdminOptions,
  { search, status, role, sort, order, page, limit }: UserQuery,
): Promise<{ users: AdminUser[]; pagination: CountedPage }> {
  const { db } = options
  const text = search?.trim()
  const given = [text ? searchCondition(text) : undefined, STATUSES[status], ROLES[role]]
  const conditions = given.filter((condition) => condition !== undefined)
  const from = sql`members m`
  const keys = [SORTS[sort], { key: sql`m.id` }]
  const walk = text ? walkAll(from, [searchCondition(text, true), ...conditions.slice(1)], keys) : undefined
  const { ids, pagination } = await findCountedPage(
    db,
    {
      from,
      where: conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`,
      id: sql`m.id`,
      keys: text && sort === 'username' ? [FOUND_BY_NAME, { key: sql`m.id` }] : keys,
      isDescending: order === 'desc',
      total: conditions.length > 0 ? undefined : (await findTotals(db)).users,
      walk,
    },
    { page, limit },
  )
  return { users: await findAdminUsers(options, ids), pagination }
}
