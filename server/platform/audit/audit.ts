// The audit log of admins and moderators. Entries are written in the transaction of the action and never change.
import { parseDayOrTime } from '@scriptyard/text'
import { type RawBuilder, sql } from 'kysely'
import type { AuditRow } from '#contract/admin.ts'
import type { QueryOf } from '#contract/operations.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'

export interface AuditEntry {
  actorId: number
  action: string
  subjectType:
    | 'member'
    | 'script'
    | 'rating'
    | 'comment'
    | 'collection'
    | 'giveaway'
    | 'report'
    | 'notification'
    | 'person'
    | 'job'
    | 'host'
    | 'game'
    | 'webhook'
    | 'site'
  subjectId: number
  memberId?: number | null
  before?: unknown
  after?: unknown
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export async function writeAudit(trx: Transaction, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
      member_id: entry.memberId ?? null,
      before: toJson(entry.before),
      after: toJson(entry.after),
    })
    .execute()
}

function parseTime(field: string, input: string, clock: string): Date {
  const time = parseDayOrTime(input, clock)
  if (!time) throw fieldError(field, 'must be a day such as 2030-01-31, or a time')
  return time
}

type Query = Omit<QueryOf<'GET /api/audit-log'>, 'limit'> & { limit: number }

function conditionsOf({ actor_id, member_id, action, from, to, before_id }: Query): RawBuilder<unknown>[] {
  return [
    actor_id !== undefined && sql`a.actor_id = ${actor_id}`,
    member_id !== undefined && sql`a.member_id = ${member_id}`,
    action !== undefined && sql`a.action = ${action}`,
    from !== undefined && sql`a.created_at >= ${parseTime('from', from, '00:00:00.000')}`,
    to !== undefined && sql`a.created_at <= ${parseTime('to', to, '23:59:59.999')}`,
    before_id !== undefined && sql`a.id < ${before_id}`,
  ].filter((condition) => condition !== false)
}

/** Current name of the subject. The log stores no names, so that they disappear with the accounts. */
const SUBJECT_NAME = sql`case a.subject_type
  when 'member' then coalesce((select coalesce(nullif(display_name, ''), username) from members where id = a.subject_id), 'Deleted member')
  when 'script' then coalesce((select title from scripts where id = a.subject_id), a.before ->> 'title', 'Deleted script')
  when 'giveaway' then coalesce((select title from giveaways where id = a.subject_id), a.before ->> 'title', 'Deleted giveaway')
  when 'rating' then coalesce((select 'Review of “' || s.title || '”' from ratings r join scripts s on s.id = r.script_id
    where r.id = a.subject_id), 'Deleted review')
  when 'comment' then coalesce((select 'Comment on “' || s.title || '”' from comments r join scripts s on s.id = r.script_id
    where r.id = a.subject_id), 'Deleted comment')
  when 'collection' then coalesce((select name from collections where id = a.subject_id), 'Deleted collection')
  when 'game' then coalesce((select coalesce(name, 'Game ' || game_id) from games where id = a.subject_id), 'Deleted game')
  when 'host' then coalesce(a.before ->> 'host', 'Host')
  when 'job' then coalesce(a.before ->> 'queue', 'Job')
  when 'person' then 'Person without an account'
  when 'report' then coalesce((select title from report_cases where id = a.subject_id), 'Deleted report')
  when 'notification' then coalesce((select title from broadcasts where id = a.subject_id), a.after ->> 'title', 'Deleted notification')
  else a.subject_type end`

interface Row extends Omit<AuditRow, 'created_at'> {
  created_at: Date
}

/** Lists audit entries, newest first. Throws AppError `invalid` for malformed times. */
export async function listAudit(db: Database, query: Query): Promise<AuditRow[]> {
  const conditions = conditionsOf(query)
  const where = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  const { rows } = await sql<Row>`select a.id, a.actor_id,
      coalesce(nullif(m.display_name, ''), m.username, 'Deleted member') as actor_name, a.action, a.subject_type,
      a.subject_id, ${SUBJECT_NAME} as subject_name, a.member_id, a.before, a.after, a.created_at
    from (select * from audit_log a where ${where} order by a.id desc limit ${query.limit}) a
    left join members m on m.id = a.actor_id order by a.id desc`.execute(db)
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}

/** Lists the distinct actions in the log by skipping from one index entry to the next (a loose index scan). */
export async function findActions(db: Database): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`with recursive found (action) as (
      select min(action) from audit_log
      union all
      select (select min(a.action) from audit_log a where a.action > found.action) from found where found.action is not null)
    select action from found where action is not null order by action`.execute(db)
  return rows.map(({ action }) => action)
}
