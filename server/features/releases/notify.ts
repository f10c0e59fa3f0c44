import { sql } from 'kysely'
import { CAPABILITIES } from '#contract/behavior-names.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { HoldReason } from '#contract/versions.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Transaction } from '#server/platform/db/database.ts'

interface HeldVersion {
  scriptId: number
  authorId: number
  number: number
  version: string
  reasons: readonly HoldReason[]
}

/** One notification per script, about the version that waits now. */
export async function notifyOfHold(
  trx: Transaction,
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

const OTHER_REASONS = {
  opaque: 'more of it cannot be followed than before',
  check_failed: 'it could not be checked',
  less_evidence: 'there is less evidence of who published it than before',
} as const

/** Part of a sentence, such as 'sends messages to a chat or a collector of data (discord.com), line 93'. */
export function describeReasons([first, ...others]: readonly HoldReason[]): string {
  if (!first) return ''
  const what =
    first.id in OTHER_REASONS ? OTHER_REASONS[first.id as keyof typeof OTHER_REASONS] : `it ${describe(first)}`
  return others.length > 0 ? `${what}, and ${others.length} more` : what
}

function describe({ id, host, line }: HoldReason): string {
  const text = CAPABILITIES[id as keyof typeof CAPABILITIES]
  const where = [...(host === null ? [] : [host]), ...(line === null ? [] : [`line ${line}`])].join(', ')
  return text.charAt(0).toLowerCase() + text.slice(1) + (where ? ` (${where})` : '')
}
