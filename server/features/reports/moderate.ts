import { sql } from 'kysely'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { type Messages, notifyHidden, setHidden } from './hide.ts'
import { lockCase, lockDecider, type Moderator, requireUndecided } from './lock.ts'
import { type CaseSubject, notifyReporters } from './notify.ts'
import { findSubject, isModeratable } from './subject.ts'

/**
 * Hides a script, a review, a comment or a collection on its page, or shows it again. Hiding resolves the open case, by
 * preference that of members' reports, or creates a resolved one, so that the author can appeal. Throws AppError `invalid`, `not_found` (for moderators also if it
 * is private), `claimed`, and what `lockDecider` and `setHidden` throw.
 */
export function moderate(
  { db, ...messages }: Messages & { db: Database },
  moderatorId: number,
  body: BodyOf<'POST /api/moderation'>,
): Promise<void> {
  const { action, subject_type, subject_id } = body
  const isHidden = action === 'hide'
  const reason = parseText(body.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  return db.transaction().execute(async (trx) => {
    const missing = () => notFound(`This ${subject_type}`)
    const content = await findSubject(trx, subject_type, subject_id)
    if (!content) throw missing()
    const moderator = await lockDecider(trx, moderatorId, content.authorId)
    if (!moderator.isAdmin && !(await isModeratable(trx, subject_type, subject_id))) throw missing()
    const subject = { subject_type, subject_id, author_id: content.authorId, title: content.title }
    if (isHidden) await resolveCase(trx, moderator, { ...subject, excerpt: content.excerpt }, reason)
    const hidden = await setHidden(trx, messages, moderator.id, subject, { isHidden, reason })
    const message = isHidden ? `${reason} You can appeal once.` : reason
    await notifyHidden(trx, messages, subject, { isHidden, message, ...hidden })
  })
}

/** Returns the id of the case, which the author can appeal. Throws AppError `claimed`. */
export async function resolveCase(
  trx: Transaction,
  moderator: Moderator,
  { subject_type, subject_id, author_id, title, excerpt }: CaseSubject & { excerpt: string },
  reason: string,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from report_cases
    where subject_type = ${subject_type} and subject_id = ${subject_id} and status in ('open', 'claimed')
    order by reason = 'report' desc, id limit 1`.execute(trx)
  if (!rows[0]) {
    const { rows: added } = await sql<{ id: number }>`insert into report_cases
        (subject_type, subject_id, author_id, title, excerpt, status, decided_by, decision, decided_at)
      values (${subject_type}, ${subject_id}, ${author_id}, ${title}, ${excerpt}, 'resolved', ${moderator.id}, ${reason},
        now()) returning id`.execute(trx)
    return getId(added)
  }
  const reportCase = await lockCase(trx, rows[0].id)
  requireUndecided(reportCase, moderator)
  await sql`update report_cases set status = 'resolved', decided_by = ${moderator.id}, decided_at = now(),
    decision = ${reason} where id = ${reportCase.id}`.execute(trx)
  await notifyReporters(trx, reportCase.id, { title }, 'Thanks for your report. We took action.')
  return reportCase.id
}

function getId([row]: { id: number }[]): number {
  if (!row) throw new Error('The case was not inserted.')
  return row.id
}
