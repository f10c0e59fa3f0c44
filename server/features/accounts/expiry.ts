import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { HANDOFF_LIFETIME } from './handoffs.ts'
import { IDLE, LONGEST } from './sessions.ts'
import { REFUSAL_LIFETIME } from './sign-in-ban.ts'
import { SIGN_IN_LIFETIME } from './sign-in.ts'

/** Takes away what no longer opens anything. Only room is gained: what has expired is refused without it. */
export async function removeExpired(db: Database): Promise<void> {
  await sql`delete from sessions
    where last_used_at < now() - ${IDLE}::interval or created_at < now() - ${LONGEST}::interval`.execute(db)
  await sql`delete from handoffs where created_at < now() - ${HANDOFF_LIFETIME}::interval`.execute(db)
  await sql`delete from sign_ins where begun_at < now() - ${SIGN_IN_LIFETIME}::interval`.execute(db)
  await sql`delete from refused_sign_ins where refused_at < now() - ${REFUSAL_LIFETIME}::interval`.execute(db)
  await sql`delete from kept_mutes where muted_until <= now()`.execute(db)
}
