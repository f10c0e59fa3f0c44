import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import type { AdminUser, CountedPage, PersonBan } from '#contract/admin.ts'
import { MAX_COUNTED } from '#contract/limits.ts'
import type { QueryOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isActive, isBanned, isMuted } from '#server/features/members/standing.ts'
import { type AdminOptions, findAdminUsers } from './admin-user.ts'
import { findCountedPage, type Listing, type OrderedScan } from './counted-page.ts'
import { findTotals } from './stats.ts'

export type UserQuery = Pick<
  QueryOf<'GET /api/admin-keys'>,
  'search' | 'status' | 'role' | 'sort' | 'order' | 'page' | 'limit'
>
type Condition = RawBuilder<unknown>

const STATUSES: Record<UserQuery['status'], Condition | undefined> = {
  all: undefined,
  // A member who is banned and muted counts as banned.
  active: sql`${isActive('m')} and ${isMuted('m')} is not true`,
  banned: isBanned('m'),
  muted: sql`${isMuted('m')} and ${isActive('m')}`,
}
const ROLES: Record<UserQuery['role'], Condition | undefined> = {
  all: undefined,
  // The first condition matches the partial index on staff.
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

// Concatenation prevents an index scan in name order: matches of a name search may all be far down in it.
const NAME_WITHOUT_INDEX = { key: sql`lower(m.username) || ''` }

const MAX_ID = 2_147_483_647
/** Shorter texts have no trigram, so only prefixes can be searched for. */
const MIN_TRIGRAM_LENGTH = 3

/** Characters that `search_key` replaces by a letter. It is the folded username, email and display name, each on a line. */
const SPECIAL = /[ -/:-@[-`{-~]/

function partCondition(text: string, { useIndex }: { useIndex: boolean }): Condition {
  const isShort = Array.from(text).length < MIN_TRIGRAM_LENGTH
  const key = sql`search_key(${text})`
  const column = useIndex ? sql`m.search_key` : sql`(m.search_key || '')`
  const byKey = isShort
    ? sql`(${column} like ${key} || '%' or ${column} like E'%\\n' || ${key} || '%')`
    : sql`${column} like '%' || ${key} || '%'`
  if (!SPECIAL.test(text)) return byKey
  const literal = `${isShort ? '' : '%'}${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const columns = [sql`m.username`, sql`m.email`, sql`m.display_name`]
  const matches = columns.map((each) => sql`lower(${each}) like lower(${literal})`)
  return sql`(${byKey} and (${sql.join(matches, sql` or `)}))`
}

function searchCondition(text: string, { useIndex = true } = {}): Condition {
  const alternatives = [partCondition(text, { useIndex })]
  if (/^\d{1,20}$/.test(text)) {
    alternatives.push(sql`m.discord_id = ${text}`)
    if (Number(text) <= MAX_ID) alternatives.push(sql`m.id = ${Number(text)}`)
  }
  return sql`(${sql.join(alternatives, sql` or `)})`
}

/** Share of matches above which reading the table is faster than the trigram index. */
const READ_SHARE = 0.1
/** Matches may be clustered: thousands of neighbors can have none. */
const SCAN_LIMIT = 10_000

function toOrderedScan(from: Condition, conditions: Condition[], keys: OrderedScan['keys']): OrderedScan {
  const where = sql.join(conditions, sql` and `)
  return { where, keys, scanLimit: SCAN_LIMIT, counting: { from, where, share: READ_SHARE } }
}

interface FoundUsers {
  ids: number[]
  pagination: CountedPage
}

async function findUsers(
  { db }: AdminOptions,
  { search, status, role, sort, order }: UserQuery,
  slice: { page: number; limit: number },
): Promise<FoundUsers> {
  const text = search?.trim()
  const requested = [text ? searchCondition(text) : undefined, STATUSES[status], ROLES[role]]
  const conditions = requested.filter((condition) => condition !== undefined)
  const from = sql`members m`
  const keys = [SORTS[sort], { key: sql`m.id` }]
  const orderedScan = text
    ? toOrderedScan(from, [searchCondition(text, { useIndex: false }), ...conditions.slice(1)], keys)
    : undefined
  return findCountedPage(
    db,
    {
      from,
      where: conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`,
      id: sql`m.id`,
      keys: text && sort === 'username' ? [NAME_WITHOUT_INDEX, { key: sql`m.id` }] : keys,
      isDescending: order === 'desc',
      total: conditions.length > 0 ? undefined : (await findTotals(db)).users,
      orderedScan,
    },
    slice,
  )
}

/** One page of users; without `page` and `limit` all of them, up to MAX_COUNTED, as a stream of the same JSON. */
export async function listUsers(
  options: AdminOptions,
  query: UserQuery,
): Promise<{ users: AdminUser[]; pagination: CountedPage } | Readable> {
  const { page = 1, limit = DEFAULT_LIMIT } = query
  const isWhole = query.page === undefined && query.limit === undefined
  const { ids, pagination } = await findUsers(
    options,
    query,
    isWhole ? { page: 1, limit: MAX_COUNTED } : { page, limit },
  )
  if (isWhole) return Readable.from(writeUsers(options, ids, pagination))
  return { users: await findAdminUsers(options, ids), pagination }
}

const DEFAULT_LIMIT = 20
const CHUNK = 500

async function* writeUsers(
  options: AdminOptions,
  ids: readonly number[],
  pagination: CountedPage,
): AsyncGenerator<string> {
  let before = '{"users":['
  for (let i = 0; i < ids.length; i += CHUNK) {
    const users = await findAdminUsers(options, ids.slice(i, i + CHUNK))
    if (users.length === 0) continue
    yield before + users.map((user) => JSON.stringify(user)).join()
    before = ','
  }
  yield `${before === ',' ? '' : before}],"pagination":${JSON.stringify(pagination)}}`
}

const MAX_BANS = 50

interface BanRow extends Omit<PersonBan, 'imposed_at' | 'ends_at'> {
  imposed_at: Date
  ends_at: Date | null
}

/** The newest current bans of persons without an account. */
export async function listPersonBans(db: Database): Promise<PersonBan[]> {
  const { rows } = await sql<BanRow>`select x.person_id, p.former_member_ids as user_ids, x.reason,
      coalesce(nullif(i.display_name, ''), i.username) as imposed_by, x.imposed_at, nullif(x.ends_at, 'infinity') as ends_at
    from sanctions x join persons p on p.id = x.person_id left join members i on i.id = x.imposed_by
    where x.kind = 'ban' and x.member_id is null and x.lifted_at is null and x.ends_at > now()
    order by x.imposed_at desc, x.id desc limit ${MAX_BANS}`.execute(db)
  return rows.map(({ imposed_at, ends_at, ...row }) => ({
    ...row,
    imposed_at: imposed_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
  }))
}
