import { sql } from 'kysely'
import type { BodyOf } from '#contract/operations.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import { parseText } from '#server/http/text.ts'
import { setHidden } from './hide.ts'
import { lockCase, lockModerator, type Moderator, requireUndecided } from './lock.ts'
import { findSubject, type Subject } from './subject.ts'
import { notifyAuthor, notifyReporters } from './notify.ts'

type ModerationBody = BodyOf<'POST /api/moderation'>

/**
 * Hides a script or a review from its page, or shows it again; gives the script whose page changes. Hiding decides the
 * thing's open case, or makes one, so that its author can appeal. Throws AppError `invalid`, `not_found`, `claimed`, and
 * what `lockModerator` and `setHidden` throw.
 */
export function moderate(db: Database, moderatorId: number, given: ModerationBody): Promise<number> {
  const { action, subject_type, subject_id } = given
  const reason = parseText(given.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  return db.transaction().execute(async (trx) => {
    const subject = await findSubject(trx, subject_type, subject_id)
    if (!subject) throw notFound(subject_type === 'script' ? 'This script' : 'This review')
    const moderator = await lockModerator(trx, moderatorId, subject.authorId)
    const isHidden = action === 'hide'
    const thing = { type: subject_type, id: subject_id, authorId: subject.authorId }
    const about = { subject_type, subject_id, author_id: subject.authorId, title: subject.title }
    if (isHidden) await decideCase(trx, moderator, about, subject, reason)
    const scriptId = await setHidden(trx, moderator.id, thing, { isHidden, reason })
    await notifyAuthor(trx, about, {
      type: isHidden ? 'warning' : 'success',
      title: isHidden ? 'was hidden' : 'is shown again',
      message: isHidden ? `${reason} You can appeal once.` : reason,
    })
    return scriptId
  })
}

type About = Parameters<typeof notifyAuthor>[1]

async function decideCase(trx: Database, moderator: Moderator, about: About, { excerpt }: Subject, reason: string) {
  const { subject_type, subject_id, author_id, title } = about
  const { rows } = await sql<{ id: number }>`select id from report_cases
    where subject_type = ${subject_type} and subject_id = ${subject_id} and status in ('open', 'claimed')`.execute(trx)
  if (!rows[0]) {
    await sql`insert into report_cases
        (subject_type, subject_id, author_id, title, excerpt, status, decided_by, decision, decided_at)
      values (${subject_type}, ${subject_id}, ${author_id}, ${title}, ${excerpt}, 'resolved', ${moderator.id}, ${reason},
        now())`.execute(trx)
    return
  }
  const held = await lockCase(trx, rows[0].id)
  requireUndecided(held, moderator)
  await sql`update report_cases set status = 'resolved', decided_by = ${moderator.id}, decided_at = now(),
    decision = ${reason} where id = ${held.id}`.execute(trx)
  await notifyReporters(trx, held.id, about, 'Thank you. We looked at it and acted.')
}
