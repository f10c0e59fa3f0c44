import type { Database } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { hideReview, unhideReview } from '#server/features/ratings/summary.ts'
import { hideScript, unhideScript } from '#server/features/scripts/visibility.ts'
import { AppError } from '#server/http/errors.ts'
import type { SubjectType } from './subject.ts'
import type { LockedCase } from './lock.ts'
import { notifyAuthor } from './notify.ts'

interface HideTarget {
  type: SubjectType
  id: number
  authorId: number | null
}

/** Gives the script whose page changes; undefined where there was nothing to do. */
async function applyHidden(trx: Database, { type, id }: HideTarget, isHidden: boolean): Promise<number | undefined> {
  if (type === 'profile') throw new AppError('not_hideable', 409, 'A profile cannot be hidden. Ask an admin to act.')
  if (type === 'review') return (isHidden ? hideReview : unhideReview)(trx, id)
  return (await (isHidden ? hideScript : unhideScript)(trx, id)) ? id : undefined
}

/**
 * Hides a thing or shows it again, and writes it down; gives the script whose page changes. Throws AppError
 * `already_hidden`, `not_hidden`, `not_hideable`.
 */
export async function setHidden(
  trx: Database,
  moderatorId: number,
  thing: HideTarget,
  { isHidden, reason }: { isHidden: boolean; reason: string | null },
): Promise<number> {
  const scriptId = await applyHidden(trx, thing, isHidden)
  if (scriptId === undefined) {
    throw isHidden
      ? new AppError('already_hidden', 409, 'This is hidden already.')
      : new AppError('not_hidden', 409, 'This is not hidden.')
  }
  await writeAudit(trx, {
    actorId: moderatorId,
    action: `${isHidden ? 'hide' : 'unhide'}_${thing.type}`,
    subjectType: thing.type === 'review' ? 'rating' : 'script',
    subjectId: thing.id,
    memberId: thing.authorId,
    before: { is_hidden: !isHidden },
    after: { is_hidden: isHidden, reason },
  })
  return scriptId
}

/** Shows a case's thing again if it is hidden, and tells its author. */
export async function unhide(trx: Database, moderatorId: number, held: LockedCase, reason: string): Promise<number[]> {
  const thing = { type: held.subject_type, id: held.subject_id, authorId: held.author_id }
  if (thing.type === 'profile') return []
  try {
    const scriptId = await setHidden(trx, moderatorId, thing, { isHidden: false, reason: reason || null })
    await notifyAuthor(trx, held, { type: 'success', title: 'is shown again', message: reason || 'It is back.' })
    return [scriptId]
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_hidden') return []
    throw error
  }
}
