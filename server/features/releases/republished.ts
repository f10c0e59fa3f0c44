import { sql } from 'kysely'
import { openCase, openCaseAboutMember } from '#server/features/reports/automatic.ts'
import { describeWithdrawal, WITHDRAWAL_COLUMNS, type WithdrawalRow } from '#server/features/scripts/withdrawals.ts'
import type { Database } from '#server/platform/db/database.ts'

interface Publication {
  personId: number
  /** Undefined for a new script, which will not exist: then the case is about its author. */
  scriptId: number | undefined
}

/**
 * Opens a case if code that moderators withdrew is about to be published again. The publication is rejected and leaves nothing, so
 * the case has a transaction of its own before it. What authors withdrew themselves is no case.
 */
export async function reportWithdrawnCode(
  db: Database,
  sha256: string,
  { personId, scriptId }: Publication,
): Promise<void> {
  const { rows } = await sql<WithdrawalRow>`select ${WITHDRAWAL_COLUMNS} from withdrawals w
    where w.sha256 = ${sha256} and w.withdrawn_as = 'moderators' and w.reinstated_at is null
    order by w.id desc limit 1`.execute(db)
  const [withdrawal] = rows
  if (!withdrawal) return
  const detail = `${withdrawal.is_malicious ? 'Malicious code of' : 'Code of'} ${withdrawal.slug}. ${describeWithdrawal(withdrawal)}`
  const findings = [{ id: 'withdrawn_code' as const, host: null, line: null, excerpt: '', detail }]
  await db.transaction().execute(async (trx) => {
    if (scriptId !== undefined) return openCase(trx, { scriptId, reason: 'withdrawn_code', findings })
    const { rows: members } = await sql<{ id: number }>`select member_id as id from persons
      where id = ${personId} and member_id is not null`.execute(trx)
    const [member] = members
    if (member) await openCaseAboutMember(trx, { memberId: member.id, reason: 'withdrawn_code', findings })
  })
}
