import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** Takes a script out of sight for all but its author and those who moderate. Gives false where it is so already. */
export async function hideScript(trx: Database, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update scripts set hidden_at = now(), was_public = is_public, is_public = false
    where id = ${id} and hidden_at is null`.execute(trx)
  return numAffectedRows === 1n
}

/** Makes a hidden script again what it was. Gives false where it is not hidden. */
export async function unhideScript(trx: Database, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update scripts set hidden_at = null, is_public = was_public, was_public = null
    where id = ${id} and hidden_at is not null`.execute(trx)
  return numAffectedRows === 1n
}
