// What admins and moderators do is written down in the transaction that does it, and never changed afterwards.
import type { Database } from '#server/db/database.ts'

export { listAudit } from './list-audit.ts'

export interface AuditEntry {
  actorId: number
  /** A stable word such as `ban_user`. */
  action: string
  subjectType: 'member' | 'script' | 'rating' | 'giveaway' | 'report' | 'notification'
  subjectId: number
  /** The member concerned, where there is one. */
  memberId?: number | null
  before?: unknown
  after?: unknown
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Notes a deed; call it with the transaction of the deed. */
export async function writeAudit(trx: Database, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
      member_id: entry.memberId ?? null,
      before: toJson(entry.before),
      after: toJson(entry.after),
    })
    .execute()
}
