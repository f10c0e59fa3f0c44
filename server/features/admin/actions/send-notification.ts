import type { AdminActionBody } from '#contract/admin.ts'
import { MAX_NOTIFICATION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { sendToAll, sendToMember } from '#server/features/notifications/notify.ts'
import { FieldErrors, invalidField } from '#server/platform/http/field-errors.ts'
import { parseOptionalLine, parseOptionalText } from '#server/platform/http/text.ts'
import { userNotFoundError } from './errors.ts'

const REQUIRED = 'Title and message are required'

function parseMessage({ title, message, type = 'info' }: AdminActionBody<'send_notification'>) {
  const texts = {
    title: parseOptionalLine(title, { field: 'title', maxLength: MAX_TITLE_LENGTH }),
    message: parseOptionalText(message, { field: 'message', maxLength: MAX_NOTIFICATION_LENGTH }),
  }
  const errors = new FieldErrors()
  for (const [name, text] of Object.entries(texts)) if (text === null) errors.add(name, REQUIRED)
  errors.throwIfAny()
  return { title: texts.title ?? '', message: texts.message ?? '', type }
}

/** Sends a notification to all members or to one. Throws AppError `invalid`, `user_not_found`, `forbidden`. */
export async function sendNotification(
  trx: Transaction,
  adminId: number,
  body: AdminActionBody<'send_notification'>,
): Promise<void> {
  const content = parseMessage(body)
  const message = { ...content, sentBy: adminId }
  const entry = { actorId: adminId, action: 'send_notification', after: content }
  await lockAdmin(trx, adminId)
  if (body.send_to_all === true) {
    const subjectId = await sendToAll(trx, message)
    await writeAudit(trx, { ...entry, subjectType: 'notification', subjectId })
    return
  }
  const memberId = body.user_id ?? null
  if (memberId === null) throw invalidField('user_id', 'Choose a recipient, or send to all users.')
  const member = await trx
    .selectFrom('members')
    .select('id')
    .where('id', '=', memberId)
    .forKeyShare()
    .executeTakeFirst()
  if (!member) throw userNotFoundError()
  await sendToMember(trx, memberId, message)
  await writeAudit(trx, { ...entry, subjectType: 'member', subjectId: memberId, memberId })
}
