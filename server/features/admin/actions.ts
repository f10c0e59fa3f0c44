// Actions of admins on members and scripts. Each runs in one transaction with its audit entry, which checks again that the
// caller is an admin. Admins can't act on themselves, and at least one admin always remains.
import type { AdminActionBody, AdminActionName, AdminUser } from '#contract/admin.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { PersonKey } from '#server/features/accounts/person-key.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { editUser } from './actions/edit-user.ts'
import { changeRole } from './actions/roles.ts'
import { ban, banMember, unban, unbanMember } from './actions/bans.ts'
import { linkMember } from './actions/link-member.ts'
import { muteUser, unmuteUser, warnUser } from './actions/sanctions.ts'
import { deleteScript, flagScript } from './actions/scripts.ts'
import { sendNotification } from './actions/send-notification.ts'
import { type AdminOptions, findAdminUser } from './admin-user.ts'

type Body = AdminActionBody<AdminActionName>
type BulkBody = AdminActionBody<'bulk_action'>
type SingleBody = Exclude<Body, BulkBody>

export interface ActionResult {
  message: string
  user?: AdminUser
  failed?: BulkResult['failed']
}

interface BulkResult {
  done: number[]
  failed: { user_id: number; error: string }[]
}

interface ActionOptions extends AdminOptions {
  personKey: PersonKey
  emailMember: EmailMember
}

/** Performs one action. Throws the AppErrors of the action. */
export async function performAction(options: ActionOptions, adminId: number, body: Body): Promise<ActionResult> {
  const { db } = options
  if (body.action === 'bulk_action') {
    const { done, failed } = await performBulk(db, adminId, body)
    return { message: `Bulk action completed for ${done.length} users`, failed }
  }
  const message = await db.transaction().execute((trx) => performSingle(trx, options, adminId, body))
  if ('script_id' in body || body.action === 'send_notification') return { message }
  if (body.user_id === undefined) return { message }
  const user = await findAdminUser(options, body.user_id)
  return { message, ...(user ? { user } : {}) }
}

async function performSingle(
  trx: Transaction,
  { personKey, emailMember }: ActionOptions,
  adminId: number,
  body: SingleBody,
): Promise<string> {
  switch (body.action) {
    case 'edit_user':
      await editUser(trx, adminId, body)
      return 'User updated successfully'
    case 'ban_user':
      await ban(trx, personKey, adminId, body)
      return 'User banned successfully'
    case 'unban_user':
      await unban(trx, personKey, adminId, body)
      return 'User unbanned successfully'
    case 'warn_user':
      await warnUser(trx, adminId, body)
      return 'Warning issued successfully'
    case 'mute_user':
      await muteUser(trx, adminId, body)
      return 'User muted successfully'
    case 'unmute_user':
      await unmuteUser(trx, adminId, body.user_id)
      return 'User unmuted successfully'
    case 'link_member':
      await linkMember(trx, personKey, adminId, body)
      return 'Discord account linked successfully'
    case 'send_notification':
      await sendNotification(trx, adminId, body)
      return 'Notification sent successfully'
    case 'script_delete':
      await deleteScript(trx, emailMember, adminId, body.script_id)
      return 'Script deleted successfully'
    case 'script_feature':
    case 'script_verify':
      return `Script ${await flagScript(trx, adminId, body)} successfully`
    default:
      await changeRole(trx, adminId, body.user_id, body.action)
      return ROLE_MESSAGES[body.action]
  }
}

const ROLE_MESSAGES = {
  make_admin: 'User made admin successfully',
  remove_admin: 'Admin role removed successfully',
  make_moderator: 'User made moderator successfully',
  remove_moderator: 'Moderator role removed successfully',
}

export function findRoleChange(
  body: Body,
  { failed = [] }: ActionResult,
): { action: string; subject_ids: number[] } | undefined {
  const isBulk = body.action === 'bulk_action'
  const action = isBulk ? body.bulk_action : body.action
  if (!(action in ROLE_MESSAGES)) return undefined
  const ids = isBulk ? body.user_ids : 'user_id' in body && body.user_id ? [body.user_id] : []
  const subject_ids = ids.filter((id) => !failed.some(({ user_id }) => user_id === id))
  return subject_ids.length > 0 ? { action, subject_ids } : undefined
}

/** One transaction per member. Throws AppError `invalid`, and `forbidden` once the caller is no longer an admin. */
async function performBulk(db: Database, adminId: number, body: BulkBody): Promise<BulkResult> {
  const act = parseBulkAction(body)
  const result: BulkResult = { done: [], failed: [] }
  for (const userId of new Set(body.user_ids)) {
    try {
      await db.transaction().execute((trx) => act(trx, adminId, userId))
      result.done.push(userId)
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'forbidden') throw error
      result.failed.push({ user_id: userId, error: error.message })
    }
  }
  return result
}

/** Returns the action for one member. Throws AppError `invalid` for missing fields, before anything is changed. */
function parseBulkAction(body: BulkBody): (trx: Transaction, adminId: number, userId: number) => Promise<void> {
  const { bulk_action: action, duration } = body
  if (action === 'unban') return unbanMember
  if (action !== 'ban' && action !== 'warn') return (trx, adminId, id) => changeRole(trx, adminId, id, action)
  const reason = parseText(body.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  if (action === 'warn') return (trx, adminId, user_id) => warnUser(trx, adminId, { user_id, reason })
  if (duration === undefined) throw fieldError('duration', 'is required')
  return (trx, adminId, userId) => banMember(trx, adminId, userId, { reason, duration })
}
