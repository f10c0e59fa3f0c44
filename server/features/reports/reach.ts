import { type RawBuilder, sql } from 'kysely'
import { REACH_DAYS } from '#contract/case-reasons.ts'
import type { Database } from '#server/platform/db/database.ts'

const DAYS = sql.lit(REACH_DAYS)

/** SQL: views and downloads of 30 days of the script that a case is about or belongs to; 0 for others. */
export const reachOf = (type: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select least(coalesce(sum(d.views::bigint + d.downloads), 0), 2147483647)::int from script_days d
    where d.day > (now() at time zone 'UTC')::date - ${DAYS} and d.script_id = case ${type} when 'script' then ${id}
      when 'review' then (select script_id from ratings where ratings.id = ${id})
      when 'comment' then (select script_id from comments where comments.id = ${id}) end)`

const BATCH = 1000

/** Of the cases that wait. */
export async function refreshReach(db: Database): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number }>`select id from report_cases
      where id > ${last} and (status in ('open', 'claimed') or appeal_status = 'open')
      order by id limit ${BATCH}`.execute(db)
    const ids = rows.map(({ id }) => id)
    await sql`update report_cases c set reach = r.reach
      from (select w.id, ${reachOf(sql`w.subject_type`, sql`w.subject_id`)} as reach from report_cases w
        where w.id = any(${ids}::int[])) r
      where r.id = c.id and r.reach <> c.reach`.execute(db)
    if (rows.length < BATCH) return
    last = ids.at(-1) ?? last
  }
}
