import { sql } from 'kysely'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { reinstateCodeOf } from '#server/features/copies/withdrawn.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { unhide } from './hide.ts'
import { type CaseAction, caseNotFound } from './lock.ts'
import { notifyAuthor } from './notify.ts'

/** Throws AppError `invalid`, `not_found` and `already_appealed`. */
export function appeal(db: Database, memberId: number, caseId: number, input: string): Promise<void> {
  return db.transaction().execute((trx) => appealInTransaction(trx, memberId, caseId, input))
}

export async function appealInTransaction(
  trx: Transaction,
  memberId: number,
  caseId: number,
  input: string,
): Promise<void> {
  const text = parseText(input, { field: 'text', label: 'Appeal', maxLength: MAX_REASON_LENGTH })
  await lockMember(trx, memberId, { allowMuted: true })
  const written = await sql`update report_cases set appeal = ${text}, appealed_at = now(), appeal_status = 'open'
    where id = ${caseId} and author_id = ${memberId} and status = 'resolved' and appeal is null`.execute(trx)
  if (written.numAffectedRows) return
  const { rows } = await sql`select from report_cases
    where id = ${caseId} and author_id = ${memberId} and status = 'resolved'`.execute(trx)
  if (rows.length === 0) throw caseNotFound()
  throw new AppError('already_appealed', 409, "You've already appealed this decision.")
}

/** Throws AppError `no_appeal`, `already_decided`, and `own_decision` for the moderator who decided, unless an admin. */
export async function decideAppeal(trx: Transaction, action: CaseAction, outcome: 'upheld' | 'granted'): Promise<void> {
  const { reportCase, moderator, decision, messages } = action
  if (reportCase.appeal_status === null) throw new AppError('no_appeal', 409, 'This decision has no appeal.')
  if (reportCase.appeal_status !== 'open') {
    throw new AppError('already_decided', 409, 'This appeal has already been decided.')
  }
  if (reportCase.decided_by === moderator.id && !moderator.isAdmin) {
    throw new AppError('own_decision', 403, 'You made this decision. Another moderator must review the appeal.')
  }
  await sql`update report_cases set appeal_status = ${outcome}, appeal_decision = ${decision},
    appeal_decided_by = ${moderator.id}, appeal_decided_at = now() where id = ${reportCase.id}`.execute(trx)
  await writeAudit(trx, {
    actorId: moderator.id,
    action: outcome === 'granted' ? 'grant_appeal' : 'uphold_decision',
    subjectType: 'report',
    subjectId: reportCase.id,
    memberId: reportCase.author_id,
    before: { appeal_status: 'open' },
    after: { appeal_status: outcome, decision },
  })
  if (outcome === 'upheld') {
    await notifyAuthor(trx, messages.emailMember, reportCase, { type: 'info', title: upheldTitle, message: decision })
    return
  }
  await messages.reinstate(trx, reportCase.id)
  await messages.mutes.lift(trx, moderator.id, reportCase.id)
  // Also that of a script that was deleted since.
  if (reportCase.subject_type === 'script') await reinstateCodeOf(trx, reportCase.subject_id)
  const wasHidden = await unhide(trx, messages, moderator.id, reportCase, decision)
  if (!wasHidden) {
    await notifyAuthor(trx, messages.emailMember, reportCase, {
      type: 'success',
      title: grantedTitle,
      message: decision,
    })
  }
}

const upheldTitle = (noun: string) => `The decision about your ${noun} was upheld`
const grantedTitle = (noun: string) => `Your appeal about your ${noun} was granted`
