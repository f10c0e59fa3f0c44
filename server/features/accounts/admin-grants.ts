import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'

export async function isAdminOfSetup(trx: Transaction, discordId: string): Promise<boolean> {
  const { rows } = await sql`select from setup where admin_discord_id = ${discordId}`.execute(trx)
  return rows.length > 0
}

/** Grants the role once per Discord account, so that a demoted admin stays demoted. The member must be locked. */
export async function grantAdminOnce(
  trx: Transaction,
  memberId: number,
  discordId: string,
  action: 'admin_by_setting' | 'admin_by_setup',
): Promise<boolean> {
  const { rows } = await sql`with first_time as (
      insert into admin_grants (discord_id) values (${discordId}) on conflict do nothing returning discord_id)
    update members set is_admin = true from first_time
    where members.id = ${memberId} and not members.is_admin returning members.id`.execute(trx)
  if (rows.length === 0) return false
  await writeAudit(trx, {
    actorId: memberId,
    action,
    subjectType: 'member',
    subjectId: memberId,
    memberId,
    before: { is_admin: false },
    after: { is_admin: true },
  })
  return true
}

/** An account that is listed again later gets the role again. */
export async function deleteUnlistedGrants(db: Database, listed: readonly string[]): Promise<void> {
  await sql`delete from admin_grants where discord_id <> all(${listed}::text[])
    and discord_id not in (select admin_discord_id from setup where admin_discord_id is not null)`.execute(db)
}
