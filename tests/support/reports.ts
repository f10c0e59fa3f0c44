import type { Insertable } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { ReportCases } from '#server/platform/db/types.generated.ts'

export const RESOLVED = { status: 'resolved', decision: 'Too loud.', decided_at: new Date() }

/** Inserts an open case, by default about a profile. */
export async function makeCase(
  db: Database,
  values: Partial<Insertable<ReportCases>> & { subject_id: number },
): Promise<number> {
  const { id } = await db
    .insertInto('report_cases')
    .values({ subject_type: 'profile', title: 'A thing', ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
