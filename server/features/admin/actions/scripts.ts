import { scriptSlug } from '#contract/slug.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import type { EmailContent } from '#server/features/email/template.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { type Event, notify } from '#server/features/notifications/notify.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { alreadyError, notError } from './errors.ts'

interface LockedScript {
  id: number
  title: string
  author_id: number
  is_featured: boolean
  is_verified: boolean
}

async function lockScript(trx: Transaction, adminId: number, scriptId: number): Promise<LockedScript> {
  await lockAdmin(trx, adminId)
  const script = await trx
    .selectFrom('scripts')
    .select(['id', 'title', 'author_id', 'is_featured', 'is_verified'])
    .where('id', '=', scriptId)
    .forUpdate()
    .executeTakeFirst()
  if (!script) throw scriptNotFound()
  return script
}

async function notifyAuthor(
  trx: Transaction,
  script: LockedScript,
  event: Pick<Event, 'type' | 'title' | 'message' | 'link'>,
) {
  await notify(trx, { memberId: script.author_id, kind: 'script_status', ...event })
}

const FLAGS = {
  script_feature: { column: 'is_featured', state: 'featured' },
  script_verify: { column: 'is_verified', state: 'verified' },
} as const

/**
 * Toggles the flag without a `value`. Returns the new state, such as 'unfeatured'. Throws AppError `script_not_found`,
 * `forbidden`, and for example `already_featured` if the flag has that value.
 */
export async function flagScript(
  trx: Transaction,
  adminId: number,
  { action, script_id, value }: { action: keyof typeof FLAGS; script_id: number; value?: boolean },
): Promise<string> {
  const { column, state } = FLAGS[action]
  const script = await lockScript(trx, adminId, script_id)
  const newValue = value ?? !script[column]
  if (newValue === script[column])
    throw newValue ? alreadyError(state, `“${script.title}”`) : notError(state, `“${script.title}”`)
  await trx
    .updateTable('scripts')
    .set({ [column]: newValue })
    .where('id', '=', script.id)
    .execute()
  if (newValue) {
    const link = `/scripts/${scriptSlug(script.title, script.id)}`
    const message = `“${script.title}”: It's now ${state}.`
    await notifyAuthor(trx, script, { type: 'success', title: `Your script was ${state}`, message, link })
  }
  await writeAudit(trx, {
    actorId: adminId,
    action: newValue ? action : `un${action}`,
    subjectType: 'script',
    subjectId: script.id,
    memberId: script.author_id,
    before: { [column]: !newValue },
    after: { [column]: newValue },
  })
  return newValue ? state : `un${state}`
}

/** Permanently deletes a script with its versions, ratings and stats. Throws AppError `script_not_found`, `forbidden`. */
export async function deleteScript(
  trx: Transaction,
  emailMember: EmailMember,
  adminId: number,
  scriptId: number,
): Promise<void> {
  const script = await lockScript(trx, adminId, scriptId)
  await trx.deleteFrom('scripts').where('id', '=', script.id).execute()
  const message = `“${script.title}” was removed by an admin.`
  const title = 'Your script was removed'
  await notifyAuthor(trx, script, { type: 'warning', title, message, link: null })
  const content: EmailContent = { subject: title, blocks: [{ type: 'text', text: message }] }
  await emailMember(trx, { memberId: script.author_id, kind: 'decision', content })
  await writeAudit(trx, {
    actorId: adminId,
    action: 'script_delete',
    subjectType: 'script',
    subjectId: script.id,
    memberId: script.author_id,
    before: { title: script.title },
  })
}
