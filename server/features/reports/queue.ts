import { plainText } from '@scriptyard/markdown'
import { type RawBuilder, sql } from 'kysely'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import type { ReportCase } from '#contract/reports.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isMuted } from '#server/features/members/standing.ts'
import { caseNotFound, type Moderator } from './lock.ts'
import { linkTo, type SubjectLocation } from './subject.ts'

type Query = QueryOf<'GET /api/reports'>

/** SQL condition: a case waits for a decision. */
export const WAITING = sql`(status in ('open', 'claimed') or appeal_status = 'open')`
const CONDITIONS: Record<Query['status'], RawBuilder<unknown>> = {
  waiting: WAITING,
  open: sql`${WAITING} and status = 'open'`,
  claimed: sql`${WAITING} and status = 'claimed'`,
  appealed: sql`${WAITING} and appeal_status = 'open'`,
  resolved: sql`status = 'resolved'`,
  dismissed: sql`status = 'dismissed'`,
  all: sql`true`,
}
const WAITING_STATUSES: ReadonlySet<Query['status']> = new Set(['waiting', 'open', 'claimed', 'appealed'])

const SINCE = Date.UTC(2026, 0, 1)
const DAYS_MS = 3 * 86_400_000

/** SQL: the order of the queue at a time, as `dangerOf`. An appeal waits since it was sent. */
export const dangerAt = (time: Date): RawBuilder<number> =>
  sql<number>`(weight * ${1 + (time.getTime() - SINCE) / DAYS_MS}::double precision - weighted_since)`

function orderOf({ status, order }: Query, time: Date): RawBuilder<unknown> {
  if (!WAITING_STATUSES.has(status)) return sql`created_at desc, id desc`
  return order === 'oldest' ? sql`created_at, id` : sql`${dangerAt(time)} desc, id`
}

/**
 * Lists cases by status, for a moderator. Cases that wait for a decision come most dangerous or oldest first, closed ones newest
 * first.
 */
export async function listCases(db: Database, caller: Moderator, query: Query): Promise<ResultOf<'GET /api/reports'>> {
  const { status, reason, page, limit } = query
  const time = query.ordered_at === undefined ? new Date() : new Date(query.ordered_at)
  const where = sql`${CONDITIONS[status]} ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`
  const offset = (page - 1) * limit
  const [cases, count] = await Promise.all([
    findCases(
      db,
      caller,
      sql`select id from report_cases where ${where} order by ${orderOf(query, time)} limit ${limit} offset ${offset}`,
    ),
    sql<{ total: number }>`select count(*) as total from report_cases where ${where}`.execute(db),
  ])
  const total = count.rows[0]?.total ?? 0
  const pagination = { page, limit, total, pages: Math.ceil(total / limit) }
  return { cases, ordered_at: time.toISOString(), pagination }
}

/** Throws AppError `not_found`. */
export async function getCase(db: Database, caller: Moderator, id: number): Promise<ReportCase> {
  const [reportCase] = await findCases(db, caller, sql`select ${id}::int as id`)
  if (!reportCase) throw caseNotFound()
  return reportCase
}

type Times = 'created_at' | 'decided_at'

interface Row extends Omit<ReportCase, 'subject_link' | Times>, SubjectLocation {
  created_at: Date
  decided_at: Date | null
}

const MAX_REPORTS = 50
const MAX_EARLIER_CASES = 5
const nameOf = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(`${alias}.display_name`)}, ''), ${sql.ref(`${alias}.username`)})`

/** SQL: what case `c` is about, and what shows it. */
export const SUBJECT = sql`left join ratings r on c.subject_type = 'review' and r.id = c.subject_id
  left join comments w on c.subject_type = 'comment' and w.id = c.subject_id
  left join scripts s on s.id = case c.subject_type when 'script' then c.subject_id when 'review' then r.script_id
    when 'comment' then w.script_id end
  left join members p on c.subject_type = 'profile' and p.id = c.subject_id
  left join collections l on c.subject_type = 'collection' and l.id = c.subject_id`
export const IS_HIDDEN = sql`case c.subject_type when 'script' then s.hidden_at when 'review' then r.hidden_at
  when 'comment' then w.hidden_at when 'collection' then l.hidden_at end is not null`

/** A timestamp in JSON, as Date.toISOString writes it. */
const jsonTime = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The code of the error that a moderator would get for a decision. The same rules as in `lockDecider` and `decideAppeal`. */
const cannotDecide = ({ id, isAdmin }: Moderator) => sql`case
  when c.author_id = ${id} then 'own_thing'
  when ${isAdmin} then null
  when a.is_admin or a.is_moderator then 'protected_author'
  when c.appeal_status = 'open' and c.decided_by = ${id} then 'own_decision' end`

/** SQL: whether a decision about case `c` may mute its author, member `a`. */
export const CAN_MUTE = sql<boolean>`(a.id is not null and not coalesce(${isMuted('a')}, false)
  and (c.subject_type in ('comment', 'review')
    or exists (select from reports e where e.case_id = c.id and e.reason = 'spam')
      and exists (select from report_cases f where f.author_id = c.author_id and f.status = 'resolved' and f.id <> c.id)))`

/** SQL: the version that case `c` is about, and the published one before it. */
const COMPARE = sql`(select json_build_object('from', max(o.number), 'to', v.number)
  from script_versions v join script_versions o on o.script_id = v.script_id and o.number < v.number
    and o.state = 'published'
  where c.subject_type = 'script' and v.script_id = c.subject_id
    and v.number = coalesce(c.version_number, s.current_version) and v.state in ('held', 'published')
  group by v.number)`

/** Descriptions and bios are Markdown; reviews and comments are shown as written, collections are plain text. */
const MARKDOWN_SUBJECTS: ReadonlySet<string> = new Set<ReportCase['subject_type']>(['script', 'profile'])

const EARLIER = sql`from report_cases f where f.author_id = c.author_id and f.decided_at is not null and f.id <> c.id`

/** Reads cases as a moderator sees them. `ids` is a query for case ids in order. */
async function findCases(db: Database, caller: Moderator, ids: RawBuilder<unknown>): Promise<ReportCase[]> {
  const { rows } = await sql<Row>`select c.id, c.subject_type, c.subject_id, c.title as subject_title,
      c.excerpt as subject_excerpt, c.author_id, coalesce(${nameOf('a')}, 'Deleted member') as author_name, c.status,
      ${IS_HIDDEN} as is_hidden, ${nameOf('k')} as claimed_by, ${nameOf('d')} as decided_by, c.decision, c.decided_at,
      c.appeal, c.appeal_status, c.appeal_decision, c.created_at, c.findings, c.reason, c.version_number, c.severity,
      c.reach, c.found_count, c.ended_note, (select json_build_object('number', v.number, 'version', v.version)
        from script_versions v where c.subject_type = 'script' and v.script_id = c.subject_id
          and v.number = c.version_number and v.state = 'held') as held_version,
      s.id as script_id, s.title as script_title, p.slug as profile_slug, l.name as collection_name,
      ${cannotDecide(caller)} as cannot_decide, ${CAN_MUTE} as can_mute, ${COMPARE} as compare, (select count(*) ${EARLIER}) as earlier_case_count,
      coalesce((select json_agg(json_build_object('id', x.id, 'subject_type', x.subject_type, 'subject_title', x.title,
          'status', x.status, 'decision', x.decision, 'decided_at', ${jsonTime(sql`x.decided_at`)})
          order by x.decided_at desc, x.id desc)
        from (select f.* ${EARLIER} order by f.decided_at desc, f.id desc limit ${MAX_EARLIER_CASES}) x), '[]')
        as earlier_cases,
      (select count(*) from reports where case_id = c.id) as report_count,
      coalesce((select json_agg(json_build_object('reporter_name', x.name, 'reason', x.reason, 'text', x.text,
          'created_at', ${jsonTime(sql`x.created_at`)}) order by x.created_at, x.id)
        from (select e.*, coalesce(${nameOf('o')}, 'Deleted member') as name from reports e
          left join members o on o.id = e.reporter_id where e.case_id = c.id
          order by e.created_at, e.id limit ${MAX_REPORTS}) x), '[]') as reports
    from (select id, row_number() over () as position from (${ids}) found) requested
    join report_cases c on c.id = requested.id ${SUBJECT}
    left join members a on a.id = c.author_id left join members k on k.id = c.claimed_by
    left join members d on d.id = c.decided_by
    order by requested.position`.execute(db)
  return rows.map(({ script_id, script_title, profile_slug, collection_name, created_at, decided_at, ...row }) => ({
    ...row,
    subject_excerpt: MARKDOWN_SUBJECTS.has(row.subject_type) ? plainText(row.subject_excerpt) : row.subject_excerpt,
    subject_link: linkTo(
      { type: row.subject_type, id: row.subject_id },
      { script_id, script_title, profile_slug, collection_name },
    ),
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  }))
}
