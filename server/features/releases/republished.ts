import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import { forbids } from '#server/features/copies/withdrawn.ts'
import { openCase, openCaseAboutMember } from '#server/features/reports/automatic.ts'
import { describeWithdrawal, WITHDRAWAL_COLUMNS, type WithdrawalRow } from '#server/features/scripts/withdrawals.ts'
import type { Database } from '#server/platform/db/database.ts'
import { formatTime } from '#server/platform/http/text.ts'

interface Publication {
  personId: number
  /** Undefined for a new script, which will not exist: then the case is about its author. */
  scriptId: number | undefined
}

interface FoundRow extends WithdrawalRow {
  script_id: number
  subject: 'version' | 'script'
  /** Null if the script was deleted. */
  title: string | null
}

/**
 * Opens a case if code that moderators withdrew is about to be published again. The publication is rejected and leaves nothing, so
 * the case has a transaction of its own before it. What authors withdrew themselves is no case, and neither are changes of a hidden
 * script.
 */
export async function reportWithdrawnCode(
  db: Database,
  sha256: string,
  { personId, scriptId }: Publication,
): Promise<void> {
  const { rows } = await sql<FoundRow>`select ${WITHDRAWAL_COLUMNS}, w.script_id, w.subject, s.title
    from withdrawals w left join scripts s on s.id = w.script_id
    where ${forbids(sql`${sha256}`, scriptId ?? null)} and w.withdrawn_as = 'moderators'
      and (w.subject = 'version' or w.script_id is distinct from ${scriptId ?? null}::int)
    order by w.subject desc, w.id desc limit 1`.execute(db)
  const [withdrawal] = rows
  if (!withdrawal) return
  const detail = describeCode(withdrawal)
  const findings = [{ id: 'withdrawn_code' as const, host: null, line: null, excerpt: '', detail }]
  await db.transaction().execute(async (trx) => {
    if (scriptId !== undefined) return openCase(trx, { scriptId, reason: 'withdrawn_code', findings })
    const { rows: members } = await sql<{ id: number }>`select member_id as id from persons
      where id = ${personId} and member_id is not null`.execute(trx)
    const [member] = members
    if (member) await openCaseAboutMember(trx, { memberId: member.id, reason: 'withdrawn_code', findings })
  })
}

function describeCode(withdrawal: FoundRow): string {
  const { subject, slug, title, script_id: id, withdrawn_at } = withdrawal
  if (subject === 'script') {
    return `Code of ${scriptSlug(title ?? '', id)}. Moderators hid the script on ${formatTime(withdrawn_at)}.`
  }
  return `${withdrawal.is_malicious ? 'Malicious code of' : 'Code of'} ${slug}. ${describeWithdrawal(withdrawal)}`
}
