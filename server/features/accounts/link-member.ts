import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { UserFacingError } from '#server/config/values.ts'
import { findMember } from '#server/features/members/find-member.ts'
import type { PersonKey } from './person-key.ts'

const DISCORD_ID = /^[1-9][0-9]{0,19}$/

/**
 * Gives an imported member a Discord account, whose owner signs in as this member from then on. Throws UserFacingError if
 * the member has one, or if the Discord account has or had an account here: its bans and votes must not be left behind.
 */
export async function linkImportedMember(
  db: Database,
  key: PersonKey,
  { member: name, discordId }: { member: string; discordId: string },
): Promise<{ id: number; username: string }> {
  if (!DISCORD_ID.test(discordId)) throw new UserFacingError('--discord takes a Discord ID, which has digits only.')
  const found = await findMember(db, name)
  if (!found) throw new UserFacingError(`There is no member ${name}.`)
  return db.transaction().execute(async (trx) => {
    const { rows: owners } = await sql<{ username: string }>`select username from members
      where discord_id = ${discordId}`.execute(trx)
    if (owners[0]) {
      throw new UserFacingError(
        `This Discord account already belongs to ${owners[0].username}. Its owner can delete that account first.`,
      )
    }
    const hashes = [key.hash(discordId), ...key.formerHashes(discordId)]
    const { rows: persons } = await sql`select from persons where discord_hash = any(${hashes}::bytea[])`.execute(trx)
    if (persons.length > 0) {
      throw new UserFacingError(
        'This Discord account had an account here, whose votes or sanctions are still stored, so it cannot be linked.',
      )
    }
    const { rows: linked } = await sql<{ id: number; username: string }>`update members set discord_id = ${discordId}
      where id = ${found.id} and discord_id is null returning id, username`.execute(trx)
    const [member] = linked
    if (!member) throw new UserFacingError(`${found.username} has a Discord account already.`)
    await sql`update persons set discord_hash = ${key.hash(discordId)} where id = person_of(${member.id})`.execute(trx)
    return member
  })
}
