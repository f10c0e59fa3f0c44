import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { ResultOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isListed } from '#server/features/members/public-content.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'

const MAX_AGE_MS = 60_000

interface CountRow {
  kind: 'capability' | 'status'
  name: string
  scripts: number
  counted_at: Date
}

/** Reads the counts. A job refreshes old ones, so that nothing is counted while nobody reads them. */
export async function getCounts(db: Database, jobs: JobQueue): Promise<ResultOf<'GET /api/behavior-stats'>> {
  const { rows } = await sql<CountRow>`select kind, name, scripts, counted_at from behavior_counts
    where kind in ('capability', 'status') order by scripts desc, name`.execute(db)
  const countedAt = rows[0]?.counted_at
  if (!countedAt || Date.now() - countedAt.getTime() > MAX_AGE_MS) {
    await jobs.enqueue(db, 'count-behavior', {}, { key: 'all' })
  }
  const statuses = new Map(rows.filter(({ kind }) => kind === 'status').map(({ name, scripts }) => [name, scripts]))
  const count = (status: string) => statuses.get(status) ?? 0
  return {
    counted_at: countedAt?.toISOString() ?? null,
    scripts: count('listed'),
    statuses: {
      ready: count('ready'),
      pending: count('pending'),
      failed: count('failed'),
      outdated: count('outdated'),
    },
    capabilities: rows
      .filter(({ kind }) => kind === 'capability')
      .map(({ name, scripts }) => ({ id: name as CapabilityId, scripts })),
  }
}

/** Counts all listed scripts in one statement: seconds for a million scripts. */
export async function countBehavior(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '5min'`.execute(trx)
    await sql`with listed as materialized (
        select b.status, b.analyzer_version, b.capabilities, b.hosts
        from scripts s left join script_behaviors b on b.script_id = s.id where ${isListed('s')}
      ), counted (kind, name, scripts) as (
        select 'capability', name, count(*) from listed, unnest(capabilities) name where status = 'ready' group by name
        union all
        select 'host', name, count(*) from listed, unnest(hosts) name where status = 'ready' group by name
        union all
        select 'status', status, count(*) from listed where status is not null group by status
        union all
        select 'status', 'outdated', count(*) from listed where analyzer_version < ${ANALYZER_VERSION}
        union all
        select 'status', 'listed', count(*) from listed
      )
      insert into behavior_counts (kind, name, scripts) select kind, name, scripts from counted order by kind, name
      on conflict (kind, name) do update set scripts = excluded.scripts, counted_at = excluded.counted_at`.execute(trx)
    await sql`delete from behavior_counts where counted_at < now()`.execute(trx)
  })
}
