import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** The channel on which PostgreSQL passes on, at commit, whose streams have news. Migrations speak on it too. */
export const LIVE_CHANNEL = 'live'

/** Whose inbox changed: a member's, or everybody's. */
export async function publishInboxChange(trx: Database, memberId: number | 'all'): Promise<void> {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${`inbox ${memberId}`})`.execute(trx)
}
