import { sql } from 'kysely'
import type { ScriptInsights } from '#contract/insights.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { rejectNonAuthor } from './visibility.ts'

export const STORED_DAYS = 400
const MAX_SCRIPTS = 100
const MAX_REFERRERS = 20
const MAX_VERSIONS = 20

export interface InsightsQuery {
  authorId: number
  /** One script of the author; by default their most downloaded ones. */
  scriptId?: number | undefined
  /** Number of UTC days including today. */
  days: number
}

/** Throws AppError `script_not_found`, and `not_the_author` for scripts of others. */
export async function getInsights(db: Database, { authorId, scriptId, days }: InsightsQuery): Promise<ScriptInsights> {
  const { rows: selected } = await sql<{
    id: number
  }>`select s.id from scripts s join script_stats st on st.script_id = s.id
    where s.author_id = ${authorId} and (${scriptId ?? null}::int is null or s.id = ${scriptId ?? null}::int)
    order by st.download_count desc, s.id limit ${MAX_SCRIPTS}`.execute(db)
  if (scriptId !== undefined && selected.length === 0)
    await rejectNonAuthor(db, scriptId, { id: authorId, isAdmin: false })
  const period: Period = { ids: selected.map(({ id }) => id), days }
  const [perDay, scripts, versions, referrers] = await Promise.all([
    sumDays(db, period),
    sumScripts(db, period),
    scriptId === undefined ? [] : sumVersions(db, period),
    sumReferrers(db, period),
  ])
  return { days: perDay, scripts, versions, referrers }
}

interface Period {
  ids: number[]
  days: number
}

const firstDay = (days: number) => sql`utc_day(now()) - ${days - 1}::int`

const sums = sql`coalesce(sum(d.views), 0)::int as views, coalesce(sum(d.downloads), 0)::int as downloads,
  coalesce(sum(d.ratings), 0)::int as ratings, coalesce(sum(d.rating_sum), 0)::int as rating_sum`

const isSelected = ({ ids, days }: Period) => sql`d.script_id = any(${ids}::int[]) and d.day >= ${firstDay(days)}`

interface Sums {
  views: number
  downloads: number
  ratings: number
  rating_sum: number
}

const withAverage = <R extends Sums>({ rating_sum, ...row }: R) => ({
  ...row,
  average_rating: row.ratings > 0 ? rating_sum / row.ratings : null,
})

async function sumDays(db: Database, period: Period): Promise<ScriptInsights['days']> {
  const { rows } = await sql<Sums & { day: string }>`with d as materialized (
      select d.* from script_days d where ${isSelected(period)})
    select to_char(g.day, 'YYYY-MM-DD') as day, ${sums}
    from generate_series(${firstDay(period.days)}, utc_day(now()), interval '1 day') g (day)
    left join d on d.day = g.day::date group by g.day order by g.day`.execute(db)
  return rows.map(withAverage)
}

async function sumScripts(db: Database, period: Period): Promise<ScriptInsights['scripts']> {
  const { rows } = await sql<
    Sums & { id: number; title: string; is_public: boolean }
  >`select s.id, s.title, s.is_public, ${sums}
    from scripts s left join script_days d on d.script_id = s.id and d.day >= ${firstDay(period.days)}
    where s.id = any(${period.ids}::int[]) group by s.id order by downloads desc, views desc, s.id`.execute(db)
  return rows.map((row) => withAverage({ ...row, slug: scriptSlug(row.title, row.id) }))
}

async function sumVersions(db: Database, period: Period): Promise<ScriptInsights['versions']> {
  const { rows } = await sql<Sums & { number: number; version: string | null }>`select d.version_number as number,
      max(v.version) as version, ${sums}
    from script_days d
    left join script_versions v on v.script_id = d.script_id and v.number = d.version_number
    where ${isSelected(period)} group by d.version_number order by d.version_number desc limit ${MAX_VERSIONS}`.execute(
    db,
  )
  return rows.map(({ version, ...row }) => withAverage({ ...row, version: version ?? '' }))
}

async function sumReferrers(db: Database, period: Period): Promise<ScriptInsights['referrers']> {
  const { rows } = await sql<{ host: string; views: number }>`select d.host, sum(d.views)::int as views
    from script_referrers d where ${isSelected(period)}
    group by d.host order by views desc, d.host limit ${MAX_REFERRERS}`.execute(db)
  return rows
}

/** Counts a member's first rating of a script today. Call it after locking the script's stats, as counting visits does. */
export async function countRating(trx: Transaction, scriptId: number, stars: number): Promise<void> {
  await sql`insert into script_days as known (script_id, day, version_number, ratings, rating_sum)
    select id, utc_day(now()), current_version, 1, ${stars}::int from scripts where id = ${scriptId}
    on conflict (script_id, day, version_number) do update set
      ratings = known.ratings + 1, rating_sum = known.rating_sum + excluded.rating_sum`.execute(trx)
}
