import { type RawBuilder, sql } from 'kysely'
import type { AdminScript, CountedPage } from '#contract/admin.ts'
import type { QueryOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { prefixQuery } from '#server/features/catalogue/sql-catalogue.ts'
import { searchedWordsOf } from '#server/features/catalogue/words.ts'
import { isBanned } from '#server/features/members/standing.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import type { AdminOptions } from './admin-user.ts'
import { findCountedPage, type OrderedScan } from './counted-page.ts'
import { findTotals } from './stats.ts'

type ScriptQuery = QueryOf<'GET /api/admin-scripts'>
type Condition = RawBuilder<unknown>

const MAX_WORDS = 16

const FLAGS: Record<ScriptQuery['status'] | ScriptQuery['type'], Condition | undefined> = {
  all: undefined,
  featured: sql`s.is_featured`,
  verified: sql`s.is_verified`,
  public: sql`s.is_public`,
  private: sql`not s.is_public`,
}
const SHOWCASED: Record<'true' | 'false', Condition> = {
  true: sql`s.showcase_date is not null`,
  false: sql`s.showcase_date is null`,
}

function parseWords(search: string | undefined): string[] | undefined {
  if (!search?.trim()) return undefined
  const searched = searchedWordsOf(search)
  if (searched.length > MAX_WORDS) throw fieldError('search', `may have at most ${MAX_WORDS} words`)
  return searched.flat()
}

const hasWords = (words: string[]) => sql`d.document @@ ${prefixQuery(words)}::tsquery`

function searchCondition(words: string[]): Condition {
  if (words.length === 0) return sql`false`
  return sql`s.id in (select d.script_id from script_search d where ${hasWords(words)})`
}

/** Share of matches among the newest scripts above which the total probably exceeds MAX_COUNTED. */
const MANY_SHARE = 0.01

/** Without other filters the matches can be counted in `script_search` alone, which has one row per script. */
function toOrderedScan(words: string[], filters: Condition[], keys: OrderedScan['keys']): OrderedScan {
  const matchesWords = sql`coalesce((select ${hasWords(words)} from script_search d where d.script_id = s.id), false)`
  const counting = { from: sql`script_search d`, where: hasWords(words), share: MANY_SHARE }
  return {
    where: sql.join([matchesWords, ...filters], sql` and `),
    keys,
    counting: filters.length === 0 ? counting : undefined,
  }
}

export async function listScripts(
  options: AdminOptions,
  { search, status, type, showcased, page, limit }: ScriptQuery,
): Promise<{ scripts: AdminScript[]; pagination: CountedPage }> {
  const { db } = options
  const words = parseWords(search)
  const requested = [FLAGS[status], FLAGS[type], showcased && SHOWCASED[showcased]]
  const filters = requested.filter((condition) => !!condition)
  const conditions = words ? [searchCondition(words), ...filters] : filters
  const keys = [{ key: showcased === 'true' ? sql`s.showcase_date` : sql`s.created_at` }, { key: sql`s.id` }]
  const { ids, pagination } = await findCountedPage(
    db,
    {
      from: sql`scripts s`,
      where: conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`,
      id: sql`s.id`,
      keys,
      isDescending: true,
      total: conditions.length > 0 ? undefined : (await findTotals(db)).scripts,
      orderedScan: words && words.length > 0 && showcased !== 'true' ? toOrderedScan(words, filters, keys) : undefined,
    },
    { page, limit },
  )
  return { scripts: await findAdminScripts(options, ids), pagination }
}

/** Reads scripts for the portal in the order of the ids. */
export async function findAdminScripts({ db }: AdminOptions, ids: readonly number[]): Promise<AdminScript[]> {
  const [rows, states] = await Promise.all([findCardRows(db, ids), findStates(db, ids)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    const state = states.get(id)
    return row && state ? [{ ...toCard(row), ...state }] : []
  })
}

type State = Pick<AdminScript, 'is_hidden' | 'is_author_banned'>

async function findStates(db: Database, ids: readonly number[]): Promise<Map<number, State>> {
  const { rows } = await sql<State & { id: number }>`select s.id, s.hidden_at is not null as is_hidden,
      coalesce(${isBanned('m')}, false) as is_author_banned
    from scripts s join members m on m.id = s.author_id where s.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
