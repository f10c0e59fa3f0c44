import type { AdminActionBody } from '#contract/admin.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { readRequiredText, wrongField } from '#server/http/given-text.ts'
import { changeRole } from './roles.ts'
import { banUser, unbanUser, warnUser } from './sanctions.ts'

type BulkInput = AdminActionBody<'bulk_action'>

export interface BulkResult {
  done: number[]
  failed: { user_id: number; error: string }[]
}

/** What is to be done to each. Throws AppError `invalid` for what is missing, before anything is done. */
function readAction(given: BulkInput): (trx: Database, adminId: number, userId: number) => Promise<void> {
  const { bulk_action: action, duration } = given
  if (action === 'unban') return unbanUser
  if (action !== 'ban' && action !== 'warn') return (trx, adminId, id) => changeRole(trx, adminId, id, action)
  const reason = readRequiredText('reason', given.reason, MAX_REASON_LENGTH)
  if (action === 'warn') return (trx, adminId, user_id) => warnUser(trx, adminId, { user_id, reason })
  if (duration === undefined) throw wrongField('duration', 'is required')
  return (trx, adminId, user_id) => banUser(trx, adminId, { user_id, reason, duration })
}

/**
 * Does one thing to many members, each in a transaction of its own: what one refuses does not keep it from the others.
 * Throws AppError `invalid`, and `forbidden` once the caller is no admin.
 */
export async function performBulk(db: Database, adminId: number, given: BulkInput): Promise<BulkResult> {
  const deed = readAction(given)
  const result: BulkResult = { done: [], failed: [] }
  for (const userId of new Set(given.user_ids)) {
    try {
      await db.transaction().execute((trx) => deed(trx, adminId, userId))
      result.done.push(userId)
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'forbidden') throw error
      result.failed.push({ user_id: userId, error: error.message })
    }
  }
  return result
}
