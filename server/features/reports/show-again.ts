import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { setHidden } from './hide.ts'
import type { LockedCase } from './lock.ts'
import { notifyAuthor } from './notify.ts'

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
