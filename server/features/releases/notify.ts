import { sql } from 'kysely'
import { describeReasons } from '#contract/hold-texts.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { HoldReason } from '#contract/versions.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Database } from '#server/platform/db/database.ts'

interface HeldVersion {
  scriptId: number
  authorId: number
  number: number
  version: string
  reasons: readonly HoldReason[]
}

/** One notification per script, about the version that waits now. */
export async function notifyOfHold(
  trx: Database,
  { scriptId, authorId, version, reasons }: HeldVersion,
): Promise<void> {
  const { title } = await trx.selectFrom('scripts').select('title').where('id', '=', scriptId).executeTakeFirstOrThrow()
  const groupKey = `held-${scriptId}`
  await sql`delete from notifications where member_id = ${authorId} and group_key = ${groupKey}`.execute(trx)
  await notify(trx, {
    memberId: authorId,
    kind: 'security',
    type: 'warning',
    title: 'A version waits for you',
    message: `Version ${version} of “${title}” waits: ${describeReasons(reasons)}. Confirm it, change it, or say that it wasn't you.`,
    link: `/scripts/${scriptSlug(title, scriptId)}`,
    groupKey,
  })
}
