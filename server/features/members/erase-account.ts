import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { lockMember, requireAnotherAdmin } from './standing.ts'

/** Longer than for other requests: a member may have thousands of scripts. */
const STATEMENT_TIMEOUT = '60s'

export interface EraseOptions {
  db: Database
  /** Called in the transaction while the member still exists. */
  onErase: (trx: Transaction, memberId: number) => Promise<void>
}

/**
 * Ratings, points, reports, sanctions and entries of drawn giveaways stay with the person, without a name. Throws AppError
 * `invalid` unless `confirmation` is the username, `last_admin`, and `unauthorized` if the account is banned or deleted.
 */
export async function eraseAccount({ db, onErase }: EraseOptions, caller: Caller, confirmation: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT)}`.execute(trx)
    const { username } = await lockMember(trx, caller.id, { allowMuted: true, exclusive: true })
    if (confirmation.trim() !== username) {
      throw invalidField('username', `Type your username, ${username}, to delete your account.`)
    }
    if (await isAdmin(trx, caller.id)) await requireAnotherAdmin(trx, caller.id)
    await onErase(trx, caller.id)
    await lockRows(trx, caller.id)
    await trx.deleteFrom('members').where('id', '=', caller.id).execute()
  })
}

/** Locks in the order of other writers: a rating, which locks the script and then notifies, would deadlock otherwise. */
async function lockRows(trx: Transaction, memberId: number): Promise<void> {
  const scripts = sql`select id from scripts where author_id = ${memberId}`
  await sql`${scripts} order by id for update`.execute(trx)
  await sql`select from script_stats where script_id in (${scripts}
      union select script_id from favorites where member_id = ${memberId})
    order by script_id for update`.execute(trx)
  await sql`select from script_behaviors where script_id in (${scripts}) order by script_id for update`.execute(trx)
  await sql`select from follower_counts where member_id = ${memberId}
    or member_id in (select author_id from follows where follower_id = ${memberId})
    order by member_id for update`.execute(trx)
  await sql`select from reputation_ledger where giver_id = ${memberId} or receiver_id = ${memberId}
    order by id for update`.execute(trx)
  const helpful = sql`select rating_id from rating_votes where member_id = ${memberId}`
  await sql`select from ratings where member_id = ${memberId} or id in (${helpful}) order by id for update`.execute(trx)
  const voted = sql`select comment_id from comment_votes where member_id = ${memberId}`
  await sql`select from comments where author_id = ${memberId} or id in (${voted}) order by id for update`.execute(trx)
  await sql`select from giveaway_entries where member_id = ${memberId} order by id for update`.execute(trx)
}

async function isAdmin(trx: Transaction, memberId: number): Promise<boolean> {
  const row = await trx.selectFrom('members').select('is_admin').where('id', '=', memberId).executeTakeFirst()
  return row?.is_admin === true
}
