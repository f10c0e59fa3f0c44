import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import type { Caller } from '#server/features/authorization/guards.ts'
import { lockMember, requireAnotherAdmin } from './standing.ts'
import type { MembersOptions } from './options.ts'

/** A member with thousands of scripts takes longer than other calls may. */
const STATEMENT_TIMEOUT = '60s'

/**
 * Deletes the caller's account for good, after they typed their username. What is the member's goes with their row, by
 * the foreign keys; ratings, points and entries stay without a name. Gives the scripts that are gone. Throws AppError
 * `invalid`, `last_admin`, and `unauthorized` where the account is gone already or banned.
 */
export async function eraseAccount(
  { db, onErase }: Pick<MembersOptions, 'db' | 'onErase'>,
  caller: Caller,
  typed: string,
): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT)}`.execute(trx)
    const { username } = await lockMember(trx, caller.id, { allowMuted: true, exclusive: true })
    if (typed.trim() !== username) rejectUsername(username)
    if (await isAdmin(trx, caller.id)) await requireAnotherAdmin(trx, caller.id)
    await onErase(trx, caller.id)
    const scriptIds = await lockRows(trx, caller.id)
    await trx.deleteFrom('members').where('id', '=', caller.id).execute()
    return scriptIds
  })
}

/**
 * Takes what others may be writing to, in the order in which they take it, before the member's row is gone for them: who
 * rates a script goes on to tell its author, and each would wait for the other. Gives the scripts.
 */
async function lockRows(trx: Database, memberId: number): Promise<number[]> {
  const scripts = sql`select id from scripts where author_id = ${memberId}`
  const { rows } = await sql<{ id: number }>`${scripts} order by id for update`.execute(trx)
  await sql`select from script_stats where script_id in (${scripts}) order by script_id for update`.execute(trx)
  await sql`select from ratings where member_id = ${memberId} order by id for update`.execute(trx)
  await sql`select from giveaway_entries where member_id = ${memberId} order by id for update`.execute(trx)
  return rows.map(({ id }) => id)
}

function rejectUsername(username: string): never {
  const sentence = `Type your username, ${username}, to delete your account.`
  throw new AppError('invalid', 400, sentence, { fields: { username: sentence } })
}

async function isAdmin(trx: Database, memberId: number): Promise<boolean> {
  const row = await trx.selectFrom('members').select('is_admin').where('id', '=', memberId).executeTakeFirst()
  return row?.is_admin === true
}
