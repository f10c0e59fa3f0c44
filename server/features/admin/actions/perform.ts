import { sql } from 'kysely'
import type { AdminActionBody, AdminActionName, AdminUser } from '#contract/admin.ts'
import type { Database } from '#server/db/database.ts'
import { findAdminUser } from '#server/features/admin/admin-user.ts'
import type { AdminOptions } from '#server/features/admin/options.ts'
import { type BulkResult, performBulk } from './bulk.ts'
import { editUser } from './edit-user.ts'
import { changeRole } from './roles.ts'
import { banUser, muteUser, unbanUser, unmuteUser, warnUser } from './sanctions.ts'
import { deleteScript, flagScript } from './scripts.ts'
import { sendNotification } from './send-notification.ts'

type Body = AdminActionBody<AdminActionName>

export interface ActionResult {
  message: string
  user?: AdminUser
  failed?: BulkResult['failed']
}

/** Does what a form of the portal asks, in one transaction with its entry in the audit log. Throws what the deeds throw. */
export async function performAction(options: AdminOptions, adminId: number, body: Body): Promise<ActionResult> {
  const { db, noteChanged } = options
  if (body.action === 'bulk_action') {
    const { done, failed } = await performBulk(db, adminId, body)
    if (body.bulk_action === 'ban' || body.bulk_action === 'unban') noteChanged(await findScriptIds(db, done))
    return { message: `Bulk action completed for ${done.length} users`, failed }
  }
  const message = await db.transaction().execute((trx) => performOne(trx, adminId, body))
  if ('script_id' in body) {
    noteChanged([body.script_id])
    return { message }
  }
  if (body.action === 'send_notification') return { message }
  if (body.action === 'ban_user' || body.action === 'unban_user') noteChanged(await findScriptIds(db, [body.user_id]))
  const user = await findAdminUser(options, body.user_id)
  return { message, ...(user ? { user } : {}) }
}

type One = Exclude<Body, { action: 'bulk_action' }>

/** Gives what the admin is told. */
async function performOne(trx: Database, adminId: number, body: One): Promise<string> {
  switch (body.action) {
    case 'edit_user':
      await editUser(trx, adminId, body)
      return 'User updated successfully'
    case 'ban_user':
      await banUser(trx, adminId, body)
      return 'User banned successfully'
    case 'unban_user':
      await unbanUser(trx, adminId, body.user_id)
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
    case 'send_notification':
      await sendNotification(trx, adminId, body)
      return 'Notification sent successfully'
    case 'script_delete':
      await deleteScript(trx, adminId, body.script_id)
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

async function findScriptIds(db: Database, authorIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from scripts where author_id = any(${authorIds}::int[])`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
