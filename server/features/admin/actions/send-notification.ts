import { MAX_NOTIFICATION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import type { AdminActionBody } from '#contract/admin.ts'
import type { Database } from '#server/db/database.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { sendToAll, sendToMember } from '#server/features/notifications/notify.ts'
import { AppError } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-errors.ts'
import { parseOptionalText } from '#server/http/text.ts'
import { userNotFoundError } from './errors.ts'

const REQUIRED = 'Title and message are required'

function readMessage({ title, message, type = 'info' }: AdminActionBody<'send_notification'>) {
  const letter = {
    title: parseOptionalText(title, { field: 'title', maxLength: MAX_TITLE_LENGTH }),
    message: parseOptionalText(message, { field: 'message', maxLength: MAX_NOTIFICATION_LENGTH }),
  }
  const missing = Object.entries(letter).filter(([, text]) => text === null)
  if (letter.title !== null && letter.message !== null) return { title: letter.title, message: letter.message, type }
  const fields = Object.fromEntries(missing.map(([name]) => [name, REQUIRED]))
  throw new AppError('invalid', 400, REQUIRED, { fields })
}

/** Sends to all, or else to the member that is named. Throws AppError `invalid`, `user_not_found`, `forbidden`. */
export async function sendNotification(
  trx: Database,
  adminId: number,
  given: AdminActionBody<'send_notification'>,
): Promise<void> {
  const letter = { ...readMessage(given), sentBy: adminId }
  const { title, message, type } = letter
  const after = { title, message, type }
  const deed = { actorId: adminId, action: 'send_notification', after }
  await lockAdmin(trx, adminId)
  if (given.send_to_all === true) {
    const subjectId = await sendToAll(trx, letter)
    await writeAudit(trx, { ...deed, subjectType: 'notification', subjectId })
    return
  }
  const memberId = given.user_id ?? null
  if (memberId === null) throw fieldError('user_id', 'is required unless it is sent to all')
  const member = await trx
    .selectFrom('members')
    .select('id')
    .where('id', '=', memberId)
    .forKeyShare()
    .executeTakeFirst()
  if (!member) throw userNotFoundError()
  await sendToMember(trx, memberId, letter)
  await writeAudit(trx, { ...deed, subjectType: 'member', subjectId: memberId, memberId })
}
