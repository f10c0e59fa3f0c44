import { sql } from 'kysely'
import type { ReportCase } from '#contract/reports.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { findSubject } from './subject.ts'

const MAX_FINDINGS = 20

/** Adds the findings to the open case, if there is one. Once per script: after a decision, moderators know the script. */
export async function openAutomaticCase(
  trx: Transaction,
  scriptId: number,
  findings: NonNullable<ReportCase['findings']>,
): Promise<void> {
  const { rows } = await sql`select from report_cases
    where subject_type = 'script' and subject_id = ${scriptId} and findings is not null`.execute(trx)
  const subject = await findSubject(trx, 'script', scriptId)
  if (rows.length > 0 || !subject) return
  await sql`insert into report_cases (subject_type, subject_id, author_id, title, excerpt, findings)
    values ('script', ${scriptId}, ${subject.authorId}, ${subject.title}, ${subject.excerpt},
      ${JSON.stringify(findings.slice(0, MAX_FINDINGS))})
    on conflict (subject_type, subject_id) where status in ('open', 'claimed')
      do update set findings = excluded.findings`.execute(trx)
}
