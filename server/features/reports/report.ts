import { sql } from 'kysely'
import { REPORT_SEVERITIES } from '#contract/case-reasons.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { countUse, personOf } from '#server/platform/limits/limits.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { parseOptionalText, parseText } from '#server/platform/http/text.ts'
import { reachOf } from './reach.ts'
import { findSubject, type Subject } from './subject.ts'

type ReportBody = BodyOf<'POST /api/reports'>

/** Prevents the deletion of the author's account. Returns false if it is deleted already. */
async function lockAuthor(trx: Transaction, authorId: number | null): Promise<boolean> {
  if (authorId === null) return true
  const { rows } = await sql`select from members where id = ${authorId} for key share`.execute(trx)
  return rows.length > 0
}

async function requireQuota(trx: Transaction, memberId: number): Promise<void> {
  const retryAfter = await countUse(trx, 'reports', personOf(memberId))
  if (retryAfter > 0)
    throw new AppError('too_many_reports', 429, "You've reached today's report limit.", { retryAfter })
}

/** Returns the id of the open case of members' reports, creating it if needed. Locks the case, so that it cannot be closed. */
async function findOrCreateCase(
  trx: Transaction,
  { subject_type, subject_id, reason }: ReportBody,
  subject: Subject,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into report_cases as c
      (subject_type, subject_id, author_id, title, excerpt, severity, reach)
    values (${subject_type}, ${subject_id}, ${subject.authorId}, ${subject.title}, ${subject.excerpt},
      ${REPORT_SEVERITIES[reason]}, ${reachOf(sql`${subject_type}::text`, sql`${subject_id}::int`)})
    on conflict (subject_type, subject_id, reason) where status in ('open', 'claimed', 'ended')
      do update set severity = greatest(c.severity, excluded.severity) returning id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The case was not stored.')
  return row.id
}

/** Throws AppError `invalid`, `not_found`, `own_thing`, `already_reported`, `too_many_reports`, and `unauthorized`. */
export function reportSubject(db: Database, reporterId: number, body: ReportBody): Promise<void> {
  return db.transaction().execute((trx) => reportInTransaction(trx, reporterId, body))
}

export async function reportInTransaction(trx: Transaction, reporterId: number, body: ReportBody): Promise<void> {
  const { subject_type, subject_id, reason } = body
  const parse = reason === 'other' ? parseText : parseOptionalText
  const text = parse(body.text, { field: 'text', label: 'Details', maxLength: MAX_REASON_LENGTH })
  // Exclusive, so that concurrent reports of one member cannot pass the limit.
  await lockMember(trx, reporterId, { allowMuted: true, exclusive: true })
  const subject = await findSubject(trx, subject_type, subject_id)
  if (subject?.authorId === reporterId) throw new AppError('own_thing', 403, "You can't report your own content.")
  if (!subject?.isVisible || !(await lockAuthor(trx, subject.authorId))) throw notFound('The content')
  await requireQuota(trx, reporterId)
  const case_id = await findOrCreateCase(trx, body, subject)
  const row = { case_id, reporter_id: reporterId, subject_type, subject_id, reason, text }
  const written = await trx
    .insertInto('reports')
    .values(row)
    .onConflict((conflict) => conflict.columns(['reporter_id', 'subject_type', 'subject_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!written) throw new AppError('already_reported', 409, "You've already reported this.")
}
