import { sql } from 'kysely'
import { type CaseReason, HOLD_CASES } from '#contract/case-reasons.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { rejectPending } from '#server/features/comments/moderate.ts'
import { discardWaiting, settleScript } from '#server/features/scripts/version-states.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { parseOptionalText, parseText } from '#server/platform/http/text.ts'
import { decideAppeal } from './appeal.ts'
import { type Messages, notifyHidden, setHidden, unhide } from './hide.ts'
import {
  alreadyDecided,
  type CaseAction,
  findAuthor,
  lockCase,
  type LockedCase,
  lockDecider,
  type Moderator,
  requireUndecided,
} from './lock.ts'
import { notifyAuthor, notifyReporters } from './notify.ts'
import { CAN_MUTE } from './queue.ts'
import { isModeratable } from './subject.ts'

type DecisionBody = BodyOf<'PUT /api/reports'>

const HOLDS: ReadonlySet<CaseReason> = new Set(HOLD_CASES)
/** As long as the column. */
const MAX_DISCARD_REASON = 500

const WITHOUT_REASON: ReadonlySet<DecisionBody['action']> = new Set(['claim', 'release', 'dismiss'])

const ACTIONS: Record<DecisionBody['action'], (trx: Transaction, action: CaseAction) => Promise<void>> = {
  claim,
  release,
  resolve,
  dismiss,
  hide: (trx, action) => changeHidden(trx, action, true),
  unhide: (trx, action) => changeHidden(trx, action, false),
  uphold: (trx, action) => decideAppeal(trx, action, 'upheld'),
  grant: (trx, action) => decideAppeal(trx, action, 'granted'),
}

/**
 * Performs a moderator's action on a case. Throws AppError `invalid`, `not_found`, what `lockDecider`, `setHidden` and
 * `decideAppeal` throw, `cannot_mute`, and `claimed`, `not_claimed` or `already_decided` if another moderator was faster.
 */
export function decide(
  { db, ...messages }: Messages & { db: Database },
  moderatorId: number,
  body: DecisionBody,
): Promise<void> {
  return db.transaction().execute((trx) => decideInTransaction(trx, messages, moderatorId, body))
}

export async function decideInTransaction(
  trx: Transaction,
  messages: Messages,
  moderatorId: number,
  { id, action, decision: reason, mute_hours }: DecisionBody,
): Promise<void> {
  const parse = WITHOUT_REASON.has(action) ? parseOptionalText : parseText
  const decision = parse(reason, { field: 'decision', label: 'Reason', maxLength: MAX_REASON_LENGTH }) ?? ''
  const moderator = await lockDecider(trx, moderatorId, await findAuthor(trx, id))
  const reportCase = await lockCase(trx, id)
  if (mute_hours !== undefined) await requireMutable(trx, reportCase, action)
  await ACTIONS[action](trx, { reportCase, moderator, decision, messages })
  if (mute_hours === undefined || reportCase.author_id === null) return
  const mute = { memberId: reportCase.author_id, reason: decision, hours: mute_hours }
  await messages.mutes.impose(trx, moderator.id, mute)
}

/** Throws AppError `cannot_mute`. */
async function requireMutable(trx: Transaction, { id, status }: LockedCase, action: DecisionBody['action']) {
  const { rows } = await sql<{ can_mute: boolean }>`select ${CAN_MUTE} as can_mute
    from report_cases c left join members a on a.id = c.author_id where c.id = ${id}`.execute(trx)
  const isDecision = (action === 'hide' || action === 'resolve') && status !== 'resolved'
  if (rows[0]?.can_mute && isDecision) return
  throw new AppError('cannot_mute', 409, "This decision can't mute the author. Decide without it, or ask an admin.")
}

type Closing = Omit<CaseAction, 'messages'>

async function recordAction(trx: Transaction, { reportCase, moderator }: Closing, action: string, after: object) {
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

async function claim(trx: Transaction, action: CaseAction): Promise<void> {
  const { reportCase, moderator } = action
  if (reportCase.claimed_by === moderator.id && reportCase.status === 'claimed') {
    throw new AppError('claimed', 409, "You've already claimed this report.")
  }
  requireUndecided(reportCase, moderator)
  await sql`update report_cases set status = 'claimed', claimed_by = ${moderator.id}
    where id = ${reportCase.id}`.execute(trx)
  await recordAction(trx, action, 'claim_report', { status: 'claimed' })
}

async function release(trx: Transaction, action: CaseAction): Promise<void> {
  const { reportCase, moderator } = action
  if (!moderator.isAdmin) requireUndecided(reportCase, moderator)
  if (reportCase.status === 'open') throw new AppError('not_claimed', 409, "This report isn't claimed.")
  if (reportCase.status !== 'claimed') throw alreadyDecided(reportCase)
  await sql`update report_cases set status = 'open', claimed_by = null where id = ${reportCase.id}`.execute(trx)
  await recordAction(trx, action, 'release_report', { status: 'open' })
}

async function close(trx: Transaction, action: Closing, status: 'resolved' | 'dismissed'): Promise<void> {
  const { reportCase, moderator, decision } = action
  requireUndecided(reportCase, moderator)
  await sql`update report_cases set status = ${status}, decided_by = ${moderator.id}, decided_at = now(),
    decision = ${decision || null} where id = ${reportCase.id}`.execute(trx)
}

/** Confirms the reports without hiding the subject. A version that waits is discarded, because otherwise it would become current. */
async function resolve(trx: Transaction, action: CaseAction): Promise<void> {
  const { reportCase, decision, messages } = action
  await close(trx, action, 'resolved')
  if (reportCase.subject_type === 'comment') await rejectPending(trx, reportCase.subject_id)
  await discardHeld(trx, reportCase, decision)
  await recordAction(trx, action, 'resolve_report', { status: 'resolved', decision })
  await notifyAuthor(trx, messages.emailMember, reportCase, {
    type: 'warning',
    title: (noun) => `A moderator made a decision about your ${noun}`,
    message: `${decision} You can appeal once.`,
  })
  await notifyReporters(
    trx,
    reportCase.id,
    reportCase,
    'Thanks for your report. We agreed with it and told the author why.',
  )
}

/** Closes a case without consequences: a subject that was hidden while the case was open is shown again. */
async function dismiss(trx: Transaction, action: CaseAction): Promise<void> {
  const { reportCase, moderator, decision, messages } = action
  await close(trx, action, 'dismissed')
  await recordAction(trx, action, 'dismiss_report', { status: 'dismissed', decision: decision || null })
  await notifyReporters(trx, reportCase.id, reportCase, 'Thanks for your report. We found no rule violation.')
  // What another decision has hidden stays hidden.
  if (reportCase.reason === 'report' && !(await hasOtherDecision(trx, reportCase))) {
    await unhide(trx, messages, moderator.id, reportCase, decision)
  }
}

async function hasOtherDecision(trx: Transaction, { id, subject_type, subject_id }: LockedCase): Promise<boolean> {
  const { rows } = await sql`select from report_cases o join report_cases c on c.id = ${id}
    where o.subject_type = ${subject_type} and o.subject_id = ${subject_id} and o.id <> ${id}
      and o.status = 'resolved' and o.decided_at > c.created_at`.execute(trx)
  return rows.length > 0
}

async function discardHeld(trx: Transaction, reportCase: LockedCase, decision: string): Promise<void> {
  const { reason, subject_id: id, version_number: number } = reportCase
  if (!HOLDS.has(reason) || number === null) return
  await sql`select from scripts where id = ${id} for no key update`.execute(trx)
  const { rows } = await sql`select from script_versions
    where script_id = ${id} and number = ${number} and state = 'held'`.execute(trx)
  if (rows.length === 0) return
  await discardWaiting(trx, id, `Discarded by moderators: ${decision}`.slice(0, MAX_DISCARD_REASON))
  await settleScript(trx, id)
}

async function changeHidden(trx: Transaction, action: CaseAction, isHidden: boolean): Promise<void> {
  const { reportCase, moderator, decision, messages } = action
  if (reportCase.status === 'dismissed') throw alreadyDecided(reportCase)
  const isUndecided = reportCase.status !== 'resolved'
  if (isUndecided) requireUndecided(reportCase, moderator)
  const { subject_type, subject_id } = reportCase
  if (isHidden && !moderator.isAdmin && !(await isModeratable(trx, subject_type, subject_id))) {
    throw new AppError('not_found', 404, `This ${subject_type} is no longer public.`)
  }
  const hidden = await setHidden(trx, messages, moderator.id, reportCase, { isHidden, reason: decision })
  if (!isHidden || !isUndecided) {
    return notifyHidden(trx, messages, reportCase, { isHidden, message: decision, ...hidden })
  }
  // Hiding is the decision: the author can appeal at once.
  await close(trx, action, 'resolved')
  await recordAction(trx, action, 'resolve_report', { status: 'resolved', decision })
  await notifyHidden(trx, messages, reportCase, { isHidden, message: `${decision} You can appeal once.`, ...hidden })
  await notifyReporters(trx, reportCase.id, reportCase, 'Thanks for your report. We took action.')
}

/**
 * Closes the case about a version that this moderator has just released, if there is one. Throws AppError `claimed` if another
 * moderator has it.
 */
export async function closeHoldCase(
  trx: Transaction,
  moderator: Moderator,
  { scriptId, number, decision }: { scriptId: number; number: number; decision: string },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from report_cases where subject_type = 'script'
    and subject_id = ${scriptId} and reason in ('held_version', 'first_version') and version_number = ${number}
    and status in ('open', 'claimed')`.execute(trx)
  const [openCase] = rows
  if (!openCase) return
  const reportCase = await lockCase(trx, openCase.id)
  if (reportCase.status === 'ended') return
  const action = { reportCase, moderator, decision: decision.slice(0, MAX_REASON_LENGTH) }
  await close(trx, action, 'dismissed')
  await recordAction(trx, action, 'dismiss_report', { status: 'dismissed', decision: action.decision })
}
