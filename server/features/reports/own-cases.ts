// What members read about their own content and their own reports. It names neither other reporters nor moderators.
import { sql } from 'kysely'
import type { ResultOf } from '#contract/operations.ts'
import type { OpenOwnCase, OwnCase, OwnReport } from '#contract/reports.ts'
import type { Database } from '#server/platform/db/database.ts'
import { dangerAt, IS_HIDDEN, SUBJECT, WAITING } from './queue.ts'
import { linkTo, type SubjectLocation } from './subject.ts'

interface OwnRow extends Omit<OwnCase, 'decided_at' | 'subject_link'>, SubjectLocation {
  decided_at: Date | null
}

const MAX_OWN_CASES = 50

/** The newest decisions about a member's own content. */
async function findDecisions(db: Database, memberId: number): Promise<OwnCase[]> {
  const { rows } =
    await sql<OwnRow>`select c.id, c.subject_type, c.subject_id, c.title as subject_title, ${IS_HIDDEN} as is_hidden,
      c.decision, c.decided_at, c.appeal is null as can_appeal, c.appeal, c.appeal_status, c.appeal_decision,
      s.id as script_id, s.title as script_title, p.slug as profile_slug, l.name as collection_name
    from report_cases c ${SUBJECT} where c.author_id = ${memberId} and c.status = 'resolved'
    order by c.decided_at desc, c.id desc limit ${MAX_OWN_CASES}`.execute(db)
  return rows.map(({ script_id, script_title, profile_slug, collection_name, decided_at, ...row }) => ({
    ...row,
    subject_link: linkTo(
      { type: row.subject_type, id: row.subject_id },
      { script_id, script_title, profile_slug, collection_name },
    ),
    decided_at: decided_at?.toISOString() ?? null,
  }))
}

export async function findOwnCases(db: Database, memberId: number): Promise<ResultOf<'GET /api/own-cases'>> {
  const [cases, open, reports] = await Promise.all([
    findDecisions(db, memberId),
    findOpen(db, memberId),
    findReports(db, memberId),
  ])
  if (open.length === 0) return { cases, open, reports, waiting: 0, median_hours: null }
  return { cases, open, reports, ...(await countQueue(db)) }
}

interface ReportRow extends Omit<OwnReport, 'created_at' | 'decided_at' | 'subject_link'> {
  subject_id: number
  script_id: number | null
  profile_slug: string | null
  is_public: boolean
  created_at: Date
  decided_at: Date | null
}

const STATE = sql<OwnReport['state']>`case when c.status in ('open', 'claimed') then 'waiting'
  when c.status = 'ended' then 'closed'
  when c.status = 'resolved' and c.appeal_status is distinct from 'granted' then 'action_taken'
  else 'no_violation' end`
const IS_PUBLIC = sql<boolean>`(not ${IS_HIDDEN} and coalesce(s.is_public, l.is_public, p.id is not null))`

/** Titles are those of the case: what was reported may be private by now, under another name. */
async function findReports(db: Database, memberId: number): Promise<OwnReport[]> {
  const { rows } = await sql<ReportRow>`select o.id, c.subject_type, c.subject_id, c.title as subject_title, o.reason,
      o.text, ${STATE} as state, o.created_at, coalesce(c.appeal_decided_at, c.decided_at) as decided_at,
      s.id as script_id, p.slug as profile_slug, ${IS_PUBLIC} as is_public
    from (select id, case_id, reason, text, created_at from reports where reporter_id = ${memberId}
      order by created_at desc, id desc limit ${MAX_OWN_CASES}) o
    join report_cases c on c.id = o.case_id ${SUBJECT} order by o.created_at desc, o.id desc`.execute(db)
  return rows.map(({ subject_id, script_id, profile_slug, is_public, created_at, decided_at, ...row }) => {
    const { subject_type: type, subject_title: title } = row
    const location = { script_id, script_title: title, profile_slug, collection_name: title }
    return {
      ...row,
      subject_link: is_public ? linkTo({ type, id: subject_id }, location) : null,
      created_at: created_at.toISOString(),
      decided_at: decided_at?.toISOString() ?? null,
    }
  })
}

interface OpenRow extends Omit<OpenOwnCase, 'created_at' | 'subject_link'>, SubjectLocation {
  created_at: Date
}

async function findOpen(db: Database, memberId: number): Promise<OpenOwnCase[]> {
  const { rows: own } = await sql<{ id: number }>`select id from report_cases
    where author_id = ${memberId} and status in ('open', 'claimed') and reason <> 'report'
    order by created_at desc, id desc limit ${MAX_OWN_CASES}`.execute(db)
  if (own.length === 0) return []
  // The queue is read once for all of them.
  const ids = own.map(({ id }) => id)
  const { rows } = await sql<OpenRow>`select c.id, c.subject_type, c.subject_id, c.title as subject_title, c.reason,
      c.version_number, c.findings, c.created_at, q.place, s.id as script_id, s.title as script_title,
      p.slug as profile_slug, l.name as collection_name
    from (select id, row_number() over (order by ${dangerAt(new Date())} desc, id)::int as place
      from report_cases where ${WAITING}) q
    join report_cases c on c.id = q.id ${SUBJECT}
    where q.id = any(${ids}::int[]) order by q.place`.execute(db)
  return rows.map(({ script_id, script_title, profile_slug, collection_name, created_at, ...row }) => ({
    ...row,
    subject_link: linkTo(
      { type: row.subject_type, id: row.subject_id },
      { script_id, script_title, profile_slug, collection_name },
    ),
    created_at: created_at.toISOString(),
  }))
}

async function countQueue(db: Database): Promise<{ waiting: number; median_hours: number | null }> {
  const { rows } = await sql<{ waiting: number; median_hours: number | null }>`select
    (select count(*) from report_cases where ${WAITING}) as waiting,
    (select percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)::double precision)
        / 3600 from report_cases
      where decided_at > now() - interval '30 days' and decided_at is not null) as median_hours`.execute(db)
  const { waiting = 0, median_hours = null } = rows[0] ?? {}
  return { waiting, median_hours }
}
