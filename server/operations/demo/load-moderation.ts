import { demoCases, demoMute } from '#demo/moderation.ts'
import type { DemoCase } from '#demo/types.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { decisionMutes, muteUser, warnUser } from '#server/features/admin/actions/sanctions.ts'
import { sendNoEmail } from '#server/features/email/outbox.ts'
import { appealInTransaction } from '#server/features/reports/appeal.ts'
import { decideInTransaction } from '#server/features/reports/decide.ts'
import { reportInTransaction } from '#server/features/reports/report.ts'
import { daysAgo, getId } from './load-members.ts'

interface Ids {
  members: Map<string, number>
  scripts: Map<string, number>
}

const SEND_NOTHING = {
  emailMember: sendNoEmail,
  emit: async () => {},
  reinstate: async () => {},
  mutes: decisionMutes,
}

/** Reports, decides and appeals as members do, moves the times back, and mutes a member. */
export async function loadModeration(trx: Transaction, ids: Ids): Promise<void> {
  for (const demoCase of demoCases) await loadCase(trx, ids, demoCase)
  const adminId = getId(ids.members, 'admin')
  const user_id = getId(ids.members, demoMute.member)
  await warnUser(trx, adminId, { user_id, reason: demoMute.warning, duration: 'permanent' })
  await muteUser(trx, adminId, { action: 'mute_user', user_id, reason: demoMute.reason, duration: 'permanent' })
}

async function loadCase(trx: Transaction, { members, scripts }: Ids, demoCase: DemoCase): Promise<void> {
  const { reports, decision, appeal } = demoCase
  const subject = await findSubjectOf(trx, { members, scripts }, demoCase)
  for (const { reporter, reason, text, daysAgo: age } of reports) {
    const reporter_id = getId(members, reporter)
    await reportInTransaction(trx, reporter_id, { ...subject, reason, text })
    await trx
      .updateTable('reports')
      .set({ created_at: daysAgo(age) })
      .where('reporter_id', '=', reporter_id)
      .where('subject_type', '=', subject.subject_type)
      .where('subject_id', '=', subject.subject_id)
      .execute()
  }
  const { id, author_id } = await trx
    .updateTable('report_cases')
    .set({ created_at: daysAgo(Math.max(...reports.map((report) => report.daysAgo))) })
    .where('subject_type', '=', subject.subject_type)
    .where('subject_id', '=', subject.subject_id)
    .returning(['id', 'author_id'])
    .executeTakeFirstOrThrow()
  const change = trx.updateTable('report_cases').where('id', '=', id)
  if (decision) {
    const { action, by, reason } = decision
    await decideInTransaction(trx, SEND_NOTHING, getId(members, by), { id, action, decision: reason })
    await change.set({ decided_at: daysAgo(decision.daysAgo) }).execute()
  }
  if (appeal && author_id !== null) {
    await appealInTransaction(trx, author_id, id, appeal.text)
    await change.set({ appealed_at: daysAgo(appeal.daysAgo) }).execute()
  }
}

async function findSubjectOf(trx: Transaction, { members, scripts }: Ids, { script, reviewBy }: DemoCase) {
  const script_id = getId(scripts, script)
  if (reviewBy === undefined) return { subject_type: 'script' as const, subject_id: script_id }
  const { id } = await trx
    .selectFrom('ratings')
    .select('id')
    .where('script_id', '=', script_id)
    .where('member_id', '=', getId(members, reviewBy))
    .executeTakeFirstOrThrow()
  return { subject_type: 'review' as const, subject_id: id }
}
