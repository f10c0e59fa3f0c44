import { sql } from 'kysely'
import type { DailyStats } from '#contract/admin.ts'
import type { Database } from '#server/db/database.ts'

export interface Totals {
  users: number
  scripts: number
  downloads: number
}

/** How many there are, from the sums of the days: the same cost at any size. */
export async function findTotals(db: Database): Promise<Totals> {
  const { rows } = await sql<Totals>`select coalesce(sum(sign_ups - departures), 0)::int as users,
    coalesce(sum(uploads - removals), 0)::int as scripts, coalesce(sum(downloads), 0)::float8 as downloads
    from daily_figures`.execute(db)
  return rows[0] ?? { users: 0, scripts: 0, downloads: 0 }
}

/** The last so many UTC days up to today, the oldest first, those without any figure too. */
export async function findDays(db: Database, days: number): Promise<DailyStats[]> {
  const { rows } = await sql<DailyStats>`select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(sum(f.sign_ups), 0)::int as sign_ups, coalesce(sum(f.uploads), 0)::int as uploads,
      coalesce(sum(f.downloads), 0)::float8 as downloads, coalesce(sum(f.ratings), 0)::int as ratings
    from generate_series(utc_day(now()) - ${days - 1}::int, utc_day(now()), interval '1 day') d (day)
    left join daily_figures f on f.day = d.day::date group by d.day order by d.day`.execute(db)
  return rows
}
