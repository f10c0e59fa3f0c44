import type { Insertable } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { ReportCases } from '#server/db/types.generated.ts'

/** A case that somebody has decided. */
export const RESOLVED = { status: 'resolved', decision: 'Too loud.', decided_at: new Date() }

/** A case about a profile, unless told, that nobody has decided. */
export async function makeCase(
  db: Database,
  given: Partial<Insertable<ReportCases>> & { subject_id: number },
): Promise<number> {
  const { id } = await db
    .insertInto('report_cases')
    .values({ subject_type: 'profile', title: 'A thing', ...given })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
