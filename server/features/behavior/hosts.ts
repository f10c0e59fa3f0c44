import { sql } from 'kysely'
import type { BehaviorHost } from '#contract/behavior-staff.ts'
import { MAX_COUNTED } from '#contract/limits.ts'
import type { BodyOf, QueryOf, ResultOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { lockModerator } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'

const PAGE_SIZE = 50
const NEW_DAYS = 7

interface HostRow extends Omit<BehaviorHost, 'first_seen_at'> {
  first_seen_at: Date | null
}

export async function listHosts(
  db: Database,
  { search = '', new: isNew, page }: QueryOf<'GET /api/behavior-hosts'> & { page: number },
): Promise<ResultOf<'GET /api/behavior-hosts'>> {
  const conditions = [
    sql`c.kind = 'host'`,
    ...(search ? [sql`strpos(c.name, ${search.toLowerCase()}) > 0`] : []),
    ...(isNew ? [sql`h.first_seen_at > now() - ${`${NEW_DAYS} days`}::interval`] : []),
  ]
  const from = sql`from behavior_counts c left join behavior_hosts h on h.host = c.name
    where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<HostRow>`select c.name as host, c.scripts, h.first_seen_at, h.kind ${from}
    order by c.scripts desc, c.name limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total
    from (select ${from} limit ${MAX_COUNTED + 1}) found`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const pages = Math.ceil(Math.min(total, MAX_COUNTED) / PAGE_SIZE)
  return {
    hosts: rows.map(({ first_seen_at, ...host }) => ({ ...host, first_seen_at: first_seen_at?.toISOString() ?? null })),
    pagination: { page, limit: PAGE_SIZE, total, pages, is_exact: total <= MAX_COUNTED },
  }
}

const MESSAGES = { collector: 'Marked as a collector', known: 'Marked as known good' }

/** Marks a host, or removes its mark. A collector gets cases about the scripts that contact it. Throws AppError `forbidden`, and `host_not_found` if no card has the host. */
export async function markHost(
  { db, jobs }: { db: Database; jobs: JobQueue },
  moderatorId: number,
  { host, kind }: BodyOf<'PUT /api/behavior-hosts'>,
): Promise<ResultOf<'PUT /api/behavior-hosts'>> {
  return db.transaction().execute(async (trx) => {
    await lockModerator(trx, moderatorId)
    // A host that was counted before it was recorded.
    await sql`insert into behavior_hosts (host) select name from behavior_counts where kind = 'host' and name = ${host}
      on conflict do nothing`.execute(trx)
    const { rows } = await sql<{ kind: BehaviorHost['kind'] }>`select kind from behavior_hosts where host = ${host}
      for update`.execute(trx)
    const [before] = rows
    if (!before) throw new AppError('host_not_found', 404, 'No script contacts this host any more. Refresh the page.')
    if (before.kind !== kind) {
      await trx
        .updateTable('behavior_hosts')
        .set({ kind, marked_by: kind && moderatorId, marked_at: kind && sql<Date>`now()` })
        .where('host', '=', host)
        .execute()
      await writeAudit(trx, {
        actorId: moderatorId,
        action: 'mark_host',
        subjectType: 'host',
        // Hosts have no numbers. The name is in the entry.
        subjectId: 0,
        before: { host, kind: before.kind },
        after: { host, kind },
      })
      if (kind === 'collector') await jobs.enqueue(trx, 'report-collector', { host })
    }
    return { message: kind ? MESSAGES[kind] : 'Mark removed' }
  })
}
