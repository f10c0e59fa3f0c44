import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { setCollectionHidden } from '#server/features/collections/collections.ts'
import { hideComment, unhideComment } from '#server/features/comments/moderate.ts'
import { reinstateCodeOf, withdrawCodeOf } from '#server/features/copies/withdrawn.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import { hideReview, unhideReview } from '#server/features/ratings/summary.ts'
import { announceChange } from '#server/features/scripts/change.ts'
import type { FormerScript } from '#server/features/scripts/version-checks.ts'
import { hideScript, unhideScript } from '#server/features/scripts/visibility.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type CaseSubject, notifyAuthor } from './notify.ts'
import { findSubject } from './subject.ts'

const AUDIT_TYPES = {
  script: 'script',
  review: 'rating',
  comment: 'comment',
  collection: 'collection',
  profile: 'member',
} as const

/** Injected, because sanctions are in a higher layer. The members' rows are locked. */
export interface Mutes {
  impose: (trx: Transaction, moderatorId: number, mute: MemberMute) => Promise<void>
  /** Lifts the mute that the decision about a case imposed, if there is one. */
  lift: (trx: Transaction, moderatorId: number, caseId: number) => Promise<void>
}

export interface MemberMute {
  memberId: number
  reason: string
  hours: number
}

/** What a decision sends and does elsewhere. */
export interface Messages {
  emailMember: EmailMember
  emit: Emit
  /** Takes back the withdrawal that a case decided, if there is one. Injected, because releases are in a higher layer. */
  reinstate: (trx: Transaction, caseId: number) => Promise<void>
  mutes: Mutes
}

interface Hidden {
  /** Whether everyone could see the subject before it was hidden. */
  wasPublic: boolean
  /** A script before it was hidden. */
  former?: FormerScript
}

const publicIf = (isChanged: boolean): Hidden | undefined => (isChanged ? { wasPublic: true } : undefined)

/** Returns undefined if the subject is already in this state. Throws AppError `not_hideable` for a profile. */
async function applyHidden(
  trx: Transaction,
  messages: Messages,
  { subject_type, subject_id }: CaseSubject,
  isHidden: boolean,
): Promise<Hidden | undefined> {
  switch (subject_type) {
    case 'profile':
      throw new AppError('not_hideable', 409, "Profiles can't be hidden. Ask an admin to act.")
    case 'script': {
      if (isHidden) {
        const isChanged = await hideScript(trx, subject_id)
        if (isChanged) await withdrawCodeOf(trx, subject_id)
        return publicIf(isChanged)
      }
      await reinstateCodeOf(trx, subject_id)
      const former = await unhideScript(trx, subject_id)
      return former && { wasPublic: true, former }
    }
    case 'comment':
      return isHidden ? hideComment(trx, subject_id) : unhideComment(trx, messages, subject_id)
    case 'collection':
      return publicIf(await setCollectionHidden(trx, subject_id, isHidden))
    case 'review':
      return publicIf((await (isHidden ? hideReview : unhideReview)(trx, subject_id)) !== undefined)
  }
}

/** Writes an audit entry. Throws AppError `already_hidden`, `not_hidden` and `not_hideable`. */
export async function setHidden(
  trx: Transaction,
  messages: Messages,
  moderatorId: number,
  subject: CaseSubject,
  { isHidden, reason }: { isHidden: boolean; reason: string | null },
): Promise<Hidden> {
  const hidden = await applyHidden(trx, messages, subject, isHidden)
  if (!hidden) {
    throw isHidden
      ? new AppError('already_hidden', 409, 'This is already hidden.')
      : new AppError('not_hidden', 409, "This isn't hidden.")
  }
  await writeAudit(trx, {
    actorId: moderatorId,
    action: `${isHidden ? 'hide' : 'unhide'}_${subject.subject_type}`,
    subjectType: AUDIT_TYPES[subject.subject_type],
    subjectId: subject.subject_id,
    memberId: subject.author_id,
    before: { is_hidden: !isHidden },
    after: { is_hidden: isHidden, reason },
  })
  return hidden
}

interface HiddenNotice extends Hidden {
  isHidden: boolean
  /** The moderator's reason; empty if there is none. */
  message: string
}

/**
 * Tells the author what has changed for others: a comment that waited for review never was visible, a private script still is
 * not. Announces what was published while the subject was hidden. Call it last in the transaction.
 */
export async function notifyHidden(
  trx: Transaction,
  messages: Messages,
  subject: CaseSubject,
  { isHidden, wasPublic, former, message }: HiddenNotice,
): Promise<void> {
  const { emailMember } = messages
  if (isHidden) {
    const title = (noun: string) => (wasPublic ? `Your ${noun} was hidden` : `Your ${noun} was not approved`)
    return notifyAuthor(trx, emailMember, subject, { type: 'warning', title, message })
  }
  const isVisible = (await findSubject(trx, subject.subject_type, subject.subject_id))?.isVisible === true
  const [state, sentence] = isVisible
    ? wasPublic
      ? ['is visible again', 'Everyone can see it again.']
      : ['was approved', 'Everyone can see it now.']
    : ['is no longer hidden by moderators', 'Others still do not see it, because it or its script is not public.']
  await notifyAuthor(trx, emailMember, subject, {
    type: 'success',
    title: (noun) => `Your ${noun} ${state}`,
    message: message || sentence,
  })
  if (former) await announceChange(trx, messages, { id: subject.subject_id, former })
}

/** Shows the subject of a case again if it is hidden, and notifies its author. Returns whether it was hidden. */
export async function unhide(
  trx: Transaction,
  messages: Messages,
  moderatorId: number,
  subject: CaseSubject,
  reason: string,
): Promise<boolean> {
  if (subject.subject_type === 'profile') return false
  try {
    const shown = await setHidden(trx, messages, moderatorId, subject, { isHidden: false, reason: reason || null })
    await notifyHidden(trx, messages, subject, { isHidden: false, message: reason, ...shown })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_hidden') return false
    throw error
  }
}
