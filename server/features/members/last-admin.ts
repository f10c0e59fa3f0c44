import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'

const ADMINS_LOCK = 7_301_149

/**
 * Throws AppError `last_admin` unless there is another admin who can sign in. To be called in the transaction that takes
 * an admin away, after the members' rows are held: such transactions then come one after the other.
 */
export async function requireAnotherAdmin(trx: Database, adminId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`.execute(trx)
  const { rows } = await sql`select 1 from members where is_admin and id <> ${adminId}
    and (banned_until is null or banned_until <= now()) limit 1`.execute(trx)
  if (rows.length > 0) return
  throw new AppError('last_admin', 409, 'This is the last admin. Make somebody else an admin first.')
}
