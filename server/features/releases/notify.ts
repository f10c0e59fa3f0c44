import { sql } from 'kysely'
import { describeReasons } from '#contract/hold-texts.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { HoldReason } from '#contract/versions.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { EmailHold } from '#server/features/email/outbox.ts'
import type { Transaction } from '#server/platform/db/database.ts'

interface HeldVersion {
  scriptId: number
  authorId: number
  number: number
  version: string
  reasons: readonly HoldReason[]
}

/** One notification per script, about the version that waits now, and an email. */
export async function notifyOfHold(
  trx: Transaction,
  emailHold: EmailHold | undefined,
  { scriptId, authorId, number, version, reasons }: HeldVersion,
): Promise<void> {
  const { title, current_version } = await trx
    .selectFrom('scripts')
    .select(['title', 'current_version'])
    .where('id', '=', scriptId)
    .executeTakeFirstOrThrow()
  const path = `/scripts/${scriptSlug(title, scriptId)}`
  const why = describeReasons(reasons, { isFirst: current_version === number })
  const groupKey = `held-${scriptId}`
  await sql`delete from notifications where member_id = ${authorId} and group_key = ${groupKey}`.execute(trx)
  await notify(trx, {
    memberId: authorId,
    kind: 'security',
    type: 'warning',
    title: 'A version waits for you',
    message: `Version ${version} of “${title}” waits: ${why}. Confirm it, change it, or say that it wasn't you.`,
    link: `${path}#waiting`,
    groupKey,
  })
  await emailHold?.(trx, { memberId: authorId, scriptId, number, title, version, path, reasons: why })
}
