import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { findMember } from '#server/features/members/find-member.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { PersonKey } from './person-key.ts'

const DISCORD_ID = /^[1-9][0-9]{0,19}$/
const UNIQUE_VIOLATION = '23505'

const takenError = (owner: string) =>
  new AppError(
    'discord_account_taken',
    409,
    `This Discord account already belongs to ${owner}. Its owner can delete that account first.`,
  )

/**
 * Gives an imported member a Discord account, whose owner signs in as this member from then on. Throws AppError
 * `already_linked` if the member has one, and `discord_account_taken` or `discord_account_known` if the Discord account has or
 * had an account here: its bans and votes must not be left behind.
 */
export async function linkDiscordAccount(
  trx: Transaction,
  key: PersonKey,
  { memberId, discordId }: { memberId: number; discordId: string },
): Promise<void> {
  const hashes = [key.hash(discordId), ...key.formerHashes(discordId)]
  // One statement, so that another link that commits in between is seen in both tables or in neither.
  const { rows } = await sql<{ owner: string | null; isKnown: boolean }>`select
    (select username from members where discord_id = ${discordId} and id <> ${memberId}) as owner,
    exists (select from persons where discord_hash = any(${hashes}::bytea[])
      and member_id is distinct from ${memberId}) as "isKnown"`.execute(trx)
  const [conflict] = rows
  if (conflict?.owner) throw takenError(conflict.owner)
  if (conflict?.isKnown) {
    throw new AppError(
      'discord_account_known',
      409,
      'This Discord account had an account here, whose votes or sanctions are still stored, so it cannot be linked.',
    )
  }
  try {
    const linked = await sql`update members set discord_id = ${discordId}
      where id = ${memberId} and discord_id is null`.execute(trx)
    if (!linked.numAffectedRows) {
      throw new AppError('already_linked', 409, 'This member has a Discord account already.')
    }
    await sql`update persons set discord_hash = ${key.hash(discordId)} where id = person_of(${memberId})`.execute(trx)
  } catch (error) {
    // Another link or the first sign-in of this Discord account was faster.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw takenError('another member')
    throw error
  }
}

/** Links the member with a name or id, for the operator. Throws UserFacingError, also for what `linkDiscordAccount` rejects. */
export async function linkImportedMember(
  db: Database,
  key: PersonKey,
  { member: name, discordId }: { member: string; discordId: string },
): Promise<{ id: number; username: string }> {
  if (!DISCORD_ID.test(discordId)) throw new UserFacingError('--discord takes a Discord ID, which has digits only.')
  const member = await findMember(db, name)
  if (!member) throw new UserFacingError(`There is no member ${name}.`)
  try {
    await db.transaction().execute((trx) => linkDiscordAccount(trx, key, { memberId: member.id, discordId }))
  } catch (error) {
    throw error instanceof AppError ? new UserFacingError(error.message) : error
  }
  return { id: member.id, username: member.username }
}
