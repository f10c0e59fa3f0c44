// Cases that the site opens by itself, and their end when the cause ends. One per thing and reason: what is found again joins it.
import { sql } from 'kysely'
import { type AutomaticReason, severityOf } from '#contract/case-reasons.ts'
import type { CaseFinding } from '#contract/reports.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { reachOf } from './reach.ts'
import { findSubject, type SubjectType } from './subject.ts'

const MAX_FINDINGS = 20
const MAX_EXCERPT = 200
const MAX_DETAIL = 500

interface Opened {
  reason: AutomaticReason
  findings: readonly CaseFinding[]
  /** The version that it is about. Once moderators decided about a version, it gets no second case for the same reason. */
  version?: number
}

/** Opens a case about a script; nothing if the script was deleted. */
export function openCase(trx: Transaction, { scriptId, ...opened }: Opened & { scriptId: number }): Promise<void> {
  return openCaseAbout(trx, { type: 'script', id: scriptId }, opened)
}

/** The same about a member, if there is no script: its publication was rejected. */
export function openCaseAboutMember(
  trx: Transaction,
  { memberId, ...opened }: Opened & { memberId: number },
): Promise<void> {
  return openCaseAbout(trx, { type: 'profile', id: memberId }, opened)
}

async function openCaseAbout(
  trx: Transaction,
  { type, id }: { type: SubjectType; id: number },
  { reason, findings, version }: Opened,
): Promise<void> {
  const subject = await findSubject(trx, type, id)
  if (!subject || findings.length === 0) return
  const stored = findings.slice(0, MAX_FINDINGS).map(({ excerpt, detail, ...finding }) => ({
    ...finding,
    excerpt: excerpt.slice(0, MAX_EXCERPT),
    detail: detail.slice(0, MAX_DETAIL),
  }))
  // One statement, so that equal findings at the same time make one case. Other lines of the same version are added.
  await sql`insert into report_cases as c (subject_type, subject_id, author_id, title, excerpt, reason, version_number,
      severity, reach, found_count, findings)
    select ${type}::text, ${id}::int, ${subject.authorId}::int, ${subject.title}::text, ${subject.excerpt}::text,
      ${reason}::text, ${version ?? null}::int, ${severityOf(reason, findings)}::smallint,
      ${reachOf(sql`${type}::text`, sql`${id}::int`)}, 1, ${JSON.stringify(stored)}::jsonb
    where not exists (select from report_cases d where d.subject_type = ${type} and d.subject_id = ${id}
      and d.reason = ${reason} and d.version_number = ${version ?? null}::int and d.status in ('resolved', 'dismissed'))
    on conflict (subject_type, subject_id, reason) where status in ('open', 'claimed', 'ended') do update set
      status = case c.status when 'ended' then 'open' else c.status end,
      created_at = case c.status when 'ended' then now() else c.created_at end,
      ended_note = null, version_number = excluded.version_number, title = excluded.title, excerpt = excluded.excerpt,
      severity = case c.status when 'ended' then excluded.severity else greatest(c.severity, excluded.severity) end,
      reach = excluded.reach, found_count = c.found_count + 1,
      findings = case when c.status = 'ended' or c.version_number is distinct from excluded.version_number
        then excluded.findings
        else (select jsonb_agg(x.f order by x.n) from (select f, min(n) as n
          from jsonb_array_elements(excluded.findings || c.findings) with ordinality as e (f, n)
          group by f order by min(n) limit ${MAX_FINDINGS}) x) end`.execute(trx)
}

/** Opens a case about a version that is held; nothing if it is not held any more. Call it after it was confirmed, or later. */
export async function openHoldCase(trx: Transaction, scriptId: number, number: number): Promise<void> {
  const { rows } = await sql<{ reason: 'held_version' | 'first_version'; findings: CaseFinding[] }>`select
      case when exists (select from script_versions p where p.script_id = v.script_id
        and p.state in ('published', 'withdrawn')) then 'held_version' else 'first_version' end as reason,
      (select jsonb_agg(jsonb_build_object('id', r ->> 'id', 'host', r ->> 'host', 'line', (r ->> 'line')::int,
          'excerpt', coalesce(left(btrim(split_part(v.content, E'\n', (r ->> 'line')::int)), ${MAX_EXCERPT}), ''),
          'detail', coalesce(r ->> 'detail', '')) order by n)
        from jsonb_array_elements(v.hold_reasons) with ordinality as e (r, n)) as findings
    from script_versions v where v.script_id = ${scriptId} and v.number = ${number} and v.state = 'held'`.execute(trx)
  const [row] = rows
  if (row) await openCase(trx, { scriptId, version: number, ...row })
}
