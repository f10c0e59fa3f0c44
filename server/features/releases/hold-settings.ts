import type { HoldSettings } from '#contract/versions.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { Database } from '#server/platform/db/database.ts'

/** Read from the database for each decision, so a change applies at once and in every process. */
export async function getHoldSettings(db: Database, defaultHours: number): Promise<HoldSettings> {
  const row = await db.selectFrom('hold_settings').select('hold_hours').executeTakeFirst()
  const chosen = row?.hold_hours ?? null
  return { hold_hours: chosen ?? defaultHours, is_default: chosen === null, default_hold_hours: defaultHours }
}

/** Null restores the default. Versions that are confirmed already keep their time. */
export async function changeHoldHours(
  db: Database,
  adminId: number,
  hours: number | null,
  defaultHours: number,
): Promise<HoldSettings> {
  return db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const before = await getHoldSettings(trx, defaultHours)
    await trx
      .insertInto('hold_settings')
      .values({ hold_hours: hours })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ hold_hours: hours }))
      .execute()
    const after = await getHoldSettings(trx, defaultHours)
    if (before.hold_hours !== after.hold_hours || before.is_default !== after.is_default) {
      await writeAudit(trx, {
        actorId: adminId,
        action: 'change_hold_hours',
        subjectType: 'site',
        subjectId: 0,
        before: { hold_hours: before.hold_hours },
        after: { hold_hours: after.hold_hours },
      })
    }
    return after
  })
}
