import { sql } from 'kysely'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { unhide } from './hide.ts'
import { AppError } from '#server/http/errors.ts'
import { parseText } from '#server/http/text.ts'
import { caseNotFound, type CaseAction } from './lock.ts'
import { notifyAuthor } from './notify.ts'

/** Appeals a decision about the caller's own thing, once. Throws AppError `invalid`, `not_found`, `already_appealed`. */
export function appeal(db: Database, memberId: number, caseId: number, given: string): Promise<void> {
  const text = parseText(given, { field: 'text', maxLength: MAX_REASON_LENGTH })
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, memberId, { allowMuted: true })
    const written = await sql`update report_cases set appeal = ${text}, appealed_at = now(), appeal_status = 'open'
      where id = ${caseId} and author_id = ${memberId} and status = 'resolved' and appeal is null`.execute(trx)
    if (written.numAffectedRows) return
    const { rows } = await sql`select 1 from report_cases
      where id = ${caseId} and author_id = ${memberId} and status = 'resolved'`.execute(trx)
    if (rows.length === 0) throw caseNotFound()
    throw new AppError('already_appealed', 409, 'You have appealed this already.')
  })
}

/** Upholds a decision or takes it back. Throws AppError `no_appeal`, `already_decided`, `own_decision`. */
export async function decideAppeal(trx: Database, deed: CaseAction, outcome: 'upheld' | 'granted'): Promise<number[]> {
  const { reportCase, moderator, decision } = deed
  if (reportCase.appeal_status === null) throw new AppError('no_appeal', 409, 'Nobody has appealed this.')
  if (reportCase.appeal_status !== 'open') throw new AppError('already_decided', 409, 'This appeal is decided already.')
  if (reportCase.decided_by === moderator.id && !moderator.isAdmin) {
    throw new AppError('own_decision', 403, 'You decided this. Leave the appeal to somebody else.')
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
    await notifyAuthor(trx, reportCase, { type: 'info', title: 'stays as it was decided', message: decision })
    return []
  }
  const changed = await unhide(trx, moderator.id, reportCase, decision)
  if (changed.length === 0) {
    await notifyAuthor(trx, reportCase, {
      type: 'success',
      title: 'is cleared: your appeal was granted',
      message: decision,
    })
  }
  return changed
}
