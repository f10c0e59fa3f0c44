import type { BodyOf } from '#contract/operations.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from 'kysely'
import { writeAudit } from '#server/features/audit/audit.ts'
import { setHidden, unhide } from './hide.ts'
import { AppError } from '#server/http/errors.ts'
import { parseOptionalText, parseText } from '#server/http/text.ts'
import { decideAppeal } from './appeal.ts'
import { alreadyDecided, type CaseAction, findAuthor, lockCase, lockModerator, requireUndecided } from './lock.ts'
import { notifyAuthor, notifyReporters } from './notify.ts'

type DecisionBody = BodyOf<'PUT /api/reports'>

const WITHOUT_REASON: ReadonlySet<DecisionBody['action']> = new Set(['claim', 'release', 'dismiss'])

const ACTIONS: Record<DecisionBody['action'], (trx: Database, deed: CaseAction) => Promise<number[]>> = {
  claim,
  release,
  resolve: resolveCase,
  dismiss: dismissCase,
  hide: (trx, deed) => hideOfCase(trx, deed, true),
  unhide: (trx, deed) => hideOfCase(trx, deed, false),
  uphold: (trx, deed) => decideAppeal(trx, deed, 'upheld'),
  grant: (trx, deed) => decideAppeal(trx, deed, 'granted'),
}

/**
 * Does what a moderator decides about a case; gives the scripts whose pages changed. Throws AppError `invalid`,
 * `not_found`, what `lockModerator` and `setHidden` throw, and 409 for what somebody else has decided meanwhile.
 */
export function decide(
  db: Database,
  moderatorId: number,
  { id, action, decision: given }: DecisionBody,
): Promise<number[]> {
  const read = WITHOUT_REASON.has(action) ? parseOptionalText : parseText
  const decision = read(given, { field: 'decision', maxLength: MAX_REASON_LENGTH }) ?? ''
  return db.transaction().execute(async (trx) => {
    const moderator = await lockModerator(trx, moderatorId, await findAuthor(trx, id))
    return ACTIONS[action](trx, { reportCase: await lockCase(trx, id), moderator, decision })
  })
}

async function recordAction(
  trx: Database,
  { reportCase, moderator }: CaseAction,
  action: string,
  after: object,
): Promise<void> {
  await writeAudit(trx, {
    actorId: moderator.id,
    action,
    subjectType: 'report',
    subjectId: reportCase.id,
    memberId: reportCase.author_id,
    before: { status: reportCase.status },
    after,
  })
}

async function claim(trx: Database, deed: CaseAction): Promise<number[]> {
  const { reportCase, moderator } = deed
  if (reportCase.claimed_by === moderator.id && reportCase.status === 'claimed') {
    throw new AppError('claimed', 409, 'You have claimed this already.')
  }
  requireUndecided(reportCase, moderator)
  await sql`update report_cases set status = 'claimed', claimed_by = ${moderator.id} where id = ${reportCase.id}`.execute(
    trx,
  )
  await recordAction(trx, deed, 'claim_report', { status: 'claimed' })
  return []
}

async function release(trx: Database, deed: CaseAction): Promise<number[]> {
  const { reportCase, moderator } = deed
  if (!moderator.isAdmin) requireUndecided(reportCase, moderator)
  if (reportCase.status === 'open') throw new AppError('not_claimed', 409, 'Nobody has claimed this.')
  if (reportCase.status !== 'claimed') throw alreadyDecided(reportCase)
  await sql`update report_cases set status = 'open', claimed_by = null where id = ${reportCase.id}`.execute(trx)
  await recordAction(trx, deed, 'release_report', { status: 'open' })
  return []
}

async function close(trx: Database, deed: CaseAction, status: 'resolved' | 'dismissed'): Promise<void> {
  const { reportCase, moderator, decision } = deed
  requireUndecided(reportCase, moderator)
  await sql`update report_cases set status = ${status}, decided_by = ${moderator.id}, decided_at = now(),
    decision = ${decision || null} where id = ${reportCase.id}`.execute(trx)
}

async function resolveCase(trx: Database, deed: CaseAction): Promise<number[]> {
  const { reportCase, decision } = deed
  await close(trx, deed, 'resolved')
  await recordAction(trx, deed, 'resolve_report', { status: 'resolved', decision })
  const message = `${decision} You can appeal once.`
  await notifyAuthor(trx, reportCase, { type: 'warning', title: 'was reported, and we decided', message })
  await notifyReporters(trx, reportCase.id, reportCase, 'Thank you. We looked at it and acted.')
  return []
}

/** Nothing was wrong: what was hidden for the time being is shown again. */
async function dismissCase(trx: Database, deed: CaseAction): Promise<number[]> {
  const { reportCase, moderator, decision } = deed
  await close(trx, deed, 'dismissed')
  await recordAction(trx, deed, 'dismiss_report', { status: 'dismissed', decision: decision || null })
  await notifyReporters(
    trx,
    reportCase.id,
    reportCase,
    'Thank you. We looked at it and found nothing against the rules.',
  )
  return unhide(trx, moderator.id, reportCase, decision)
}

async function hideOfCase(trx: Database, deed: CaseAction, isHidden: boolean): Promise<number[]> {
  const { reportCase, moderator, decision } = deed
  if (reportCase.status === 'dismissed') throw alreadyDecided(reportCase)
  if (reportCase.status !== 'resolved') requireUndecided(reportCase, moderator)
  const thing = { type: reportCase.subject_type, id: reportCase.subject_id, authorId: reportCase.author_id }
  const scriptId = await setHidden(trx, moderator.id, thing, { isHidden, reason: decision })
  await notifyAuthor(trx, reportCase, {
    type: isHidden ? 'warning' : 'success',
    title: isHidden ? 'was hidden' : 'is shown again',
    message: decision,
  })
  return [scriptId]
}
