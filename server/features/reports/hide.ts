import type { Database } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { setCollectionHidden } from '#server/features/collections/collections.ts'
import { hideComment, unhideComment } from '#server/features/comments/moderate.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import { hideReview, unhideReview } from '#server/features/ratings/summary.ts'
import { hideScript, unhideScript } from '#server/features/scripts/visibility.ts'
import { AppError } from '#server/http/errors.ts'
import { type CaseSubject, notifyAuthor } from './notify.ts'

const AUDIT_TYPES = {
  script: 'script',
  review: 'rating',
  comment: 'comment',
  collection: 'collection',
  profile: 'member',
} as const

/** Returns false if the subject is already in this state. Throws AppError `not_hideable` for a profile. */
async function applyHidden(trx: Database, { subject_type, subject_id }: CaseSubject, isHidden: boolean) {
  if (subject_type === 'profile') {
    throw new AppError('not_hideable', 409, "Profiles can't be hidden. Ask an admin to act.")
  }
  if (subject_type === 'script') return (isHidden ? hideScript : unhideScript)(trx, subject_id)
  if (subject_type === 'comment') return (isHidden ? hideComment : unhideComment)(trx, subject_id)
  if (subject_type === 'collection') return setCollectionHidden(trx, subject_id, isHidden)
  return (await (isHidden ? hideReview : unhideReview)(trx, subject_id)) !== undefined
}

/** Writes an audit entry. Throws AppError `already_hidden`, `not_hidden` and `not_hideable`. */
export async function setHidden(
  trx: Database,
  moderatorId: number,
  subject: CaseSubject,
  { isHidden, reason }: { isHidden: boolean; reason: string | null },
): Promise<void> {
  if (!(await applyHidden(trx, subject, isHidden))) {
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
}

export function notifyHidden(
  trx: Database,
  emailMember: EmailMember,
  subject: CaseSubject,
  { isHidden, message }: { isHidden: boolean; message: string },
): Promise<void> {
  return notifyAuthor(trx, emailMember, subject, {
    type: isHidden ? 'warning' : 'success',
    title: (noun) => (isHidden ? `Your ${noun} was hidden` : `Your ${noun} is visible again`),
    message,
  })
}

/** Shows the subject of a case again if it is hidden, and notifies its author. Returns whether it was hidden. */
export async function unhide(
  trx: Database,
  emailMember: EmailMember,
  moderatorId: number,
  subject: CaseSubject,
  reason: string,
): Promise<boolean> {
  if (subject.subject_type === 'profile') return false
  try {
    await setHidden(trx, moderatorId, subject, { isHidden: false, reason: reason || null })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_hidden') return false
    throw error
  }
  const message = reason || 'Everyone can see it again.'
  await notifyHidden(trx, emailMember, subject, { isHidden: false, message })
  return true
}
