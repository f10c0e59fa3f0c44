// What a job looks for: held versions that need a case, and cases whose cause has ended.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/db/run-each.ts'
import { publicOrHidden } from '#server/features/scripts/visibility.ts'
import { openHoldCase } from './automatic.ts'

const FIRST_VERSION_WAITS = sql`interval '1 hour'`
const BATCH = 200
const MAX_ENDED = 1000

/** Opens cases about confirmed versions, and about first versions that are held for an hour. */
export async function openHoldCases(db: Database): Promise<void> {
  const { rows } = await sql<{ script_id: number; number: number }>`select v.script_id, v.number from script_versions v
    where v.state = 'held' and (v.confirmed_at is not null or v.state_since < now() - ${FIRST_VERSION_WAITS}
        and not exists (select from script_versions p where p.script_id = v.script_id
          and p.state in ('published', 'withdrawn')))
      and not exists (select from report_cases c where c.subject_type = 'script' and c.subject_id = v.script_id
        and c.reason in ('held_version', 'first_version') and c.version_number = v.number and c.status <> 'ended')
    order by v.state_since limit ${BATCH}`.execute(db)
  await runEach(rows, ({ script_id, number }) =>
    db.transaction().execute((trx) => openHoldCase(trx, script_id, number)),
  )
}

/** SQL: the end of the cause of case `c`, as a sentence; null while it lasts. */
const END = sql<string | null>`case
  when c.subject_type <> 'script' then null
  when s.id is null then 'The script was deleted.'
  when c.reason in ('held_version', 'first_version') then case v.state
    when 'held' then null
    when 'checking' then null
    when 'published' then 'The version became current.'
    when 'discarded' then coalesce(v.discard_reason, 'The version was discarded.')
    when 'withdrawn' then 'The version was withdrawn.'
    when 'private' then 'The script became private.'
    else 'The version was removed.' end
  when not ${publicOrHidden} then 'The script became private.'
  when c.reason = 'broken_update' and s.current_version <> c.version_number then 'Another version is current.'
  when c.reason = 'collector' and b.status <> 'pending' and not exists (select from behavior_hosts h
    where h.host = any(b.hosts) and h.kind = 'collector') then 'The script contacts no collector any more.' end`

/**
 * Ends cases whose cause has ended. A claimed case stays with its moderator and says so, unless that member is no moderator any
 * more. Cases about rejected publications end with a decision only.
 */
export async function endCases(db: Database): Promise<void> {
  await sql`update report_cases c set ended_note = x.note,
      status = case when c.status = 'claimed' and x.has_moderator then 'claimed' else 'ended' end,
      claimed_by = case when c.status = 'claimed' and x.has_moderator then c.claimed_by end
    from (select * from (
        select c.id, c.status, c.ended_note, ${END} as note,
          k.id is not null and (k.is_moderator or k.is_admin) as has_moderator
        from report_cases c left join scripts s on s.id = c.subject_id
          left join script_versions v on v.script_id = c.subject_id and v.number = c.version_number
          left join script_behaviors b on b.script_id = c.subject_id
          left join members k on k.id = c.claimed_by
        where c.status in ('open', 'claimed') and c.reason <> 'report') y
      where y.note is not null
        and (y.ended_note is distinct from y.note or y.status = 'open' or not y.has_moderator)
      order by y.id limit ${MAX_ENDED}) x
    where x.id = c.id and c.status in ('open', 'claimed')`.execute(db)
}
