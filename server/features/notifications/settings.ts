import { sql } from 'kysely'
import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/limits.ts'
import type { NotificationSettings } from '#contract/notifications.ts'
import type { Database } from '#server/platform/db/database.ts'
import { lockInbox } from './inbox.ts'

function toSettings(unwanted: readonly string[]): NotificationSettings {
  const settings = NOTIFICATION_KINDS.map((kind) => [kind, !unwanted.includes(kind)])
  return Object.fromEntries(settings) as Record<NotificationKind, boolean>
}

async function findUnwanted(db: Database, memberId: number): Promise<string[]> {
  const row = await db
    .selectFrom('inboxes')
    .select('unwanted_kinds')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.unwanted_kinds ?? []
}

export async function getSettings(db: Database, memberId: number): Promise<NotificationSettings> {
  return toSettings(await findUnwanted(db, memberId))
}

export function changeSettings(
  db: Database,
  memberId: number,
  changes: Partial<NotificationSettings>,
): Promise<NotificationSettings> {
  return db.transaction().execute(async (trx) => {
    await lockInbox(trx, memberId)
    const before = await findUnwanted(trx, memberId)
    const unwanted = NOTIFICATION_KINDS.filter((kind) => !(changes[kind] ?? !before.includes(kind)))
    await sql`update inboxes set unwanted_kinds = ${unwanted}::text[] where member_id = ${memberId}`.execute(trx)
    return toSettings(unwanted)
  })
}
