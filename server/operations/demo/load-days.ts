import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'

/**
 * The daily statistics of scripts. Over a script's whole life, they add up to its public counts and ratings. Views differ by
 * script and day, but not by run.
 */
export async function loadDays(db: Database): Promise<void> {
  await spreadVisits(db)
  await sql`insert into script_days as known (script_id, day, version_number, ratings, rating_sum)
    select script_id, utc_day(created_at), ${versionOn(sql`script_id`, sql`utc_day(created_at)`)}, count(*), sum(rating)
    from ratings group by 1, 2
    on conflict (script_id, day, version_number) do update set
      ratings = excluded.ratings, rating_sum = excluded.rating_sum`.execute(db)
  await sql`insert into script_referrers (script_id, day, host, views)
    select d.script_id, d.day, h.host, d.views / h.share
    from script_days d cross join (values ('google.com', 4), ('discord.com', 6), ('devforum.roblox.com', 9)) h (host, share)
    where d.views >= h.share`.execute(db)
  await spreadDownloads(db)
  await deleteDueData(db, ['script_days', 'script_referrers'])
}

type Expression = ReturnType<typeof sql>

/** The version that was current at the end of a day. */
const versionOn = (script: Expression, day: Expression) => sql`coalesce((select max(v.number) from script_versions v
  where v.script_id = ${script} and utc_day(v.created_at) <= ${day}), 1)`

/** Rounds the sums up to each day, not the days, so that the days add up to the total. */
async function spreadVisits(db: Database): Promise<void> {
  await sql`with days as (
      select s.id, utc_day(now()) - ago as day, st.view_count as total, st.download_count as downloads,
        (1 + abs(hashint4(s.id * 1009 + ago)) % 100 / 50.0) * (1 - least(ago, 150) / 180.0) as weight
      from scripts s join script_stats st on st.script_id = s.id
      cross join generate_series(0, utc_day(now()) - utc_day(s.created_at)) ago where st.view_count > 0
    ), sums as (
      select *, floor(total * sum(weight) over (partition by id order by day) / sum(weight) over (partition by id)) as until
      from days
    ), steps as (
      select *, lag(until, 1, 0::numeric) over (partition by id order by day) as before from sums
    )
    insert into script_days (script_id, day, version_number, views, downloads)
    select id, day, ${versionOn(sql`id`, sql`day`)}, until - before,
      div(until * downloads, total) - div(before * downloads, total)
    from steps where until > before`.execute(db)
}

/** Moves the downloads in the site's statistics from the day of a script's upload to the days of the script. */
async function spreadDownloads(db: Database): Promise<void> {
  await sql`select recount_daily_stats()`.execute(db)
  await sql`update daily_stats f set downloads = f.downloads - m.downloads
    from (select utc_day(s.created_at) as day, sum(d.downloads) as downloads
      from script_days d join scripts s on s.id = d.script_id group by 1) m
    where f.day = m.day and f.slot = 0`.execute(db)
  await sql`insert into daily_stats as f (day, slot, downloads)
    select day, 0, sum(downloads) from script_days group by day
    on conflict (day, slot) do update set downloads = f.downloads + excluded.downloads`.execute(db)
}
