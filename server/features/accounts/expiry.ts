import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { LOGIN_TOKEN_LIFETIME } from './login-tokens.ts'
import { IDLE_TIMEOUT, MAX_SESSION_AGE } from './sessions.ts'
import { BLOCKED_SIGN_IN_LIFETIME } from './sign-in-ban.ts'
import { SIGN_IN_LIFETIME } from './sign-in.ts'

/** Takes away what no longer opens anything. Only room is gained: what has expired is refused without it. */
export async function deleteExpired(db: Database): Promise<void> {
  await sql`delete from sessions
    where last_used_at < now() - ${IDLE_TIMEOUT}::interval or created_at < now() - ${MAX_SESSION_AGE}::interval`.execute(
    db,
  )
  await sql`delete from handoffs where created_at < now() - ${LOGIN_TOKEN_LIFETIME}::interval`.execute(db)
  await sql`delete from sign_ins where begun_at < now() - ${SIGN_IN_LIFETIME}::interval`.execute(db)
  await sql`delete from refused_sign_ins where refused_at < now() - ${BLOCKED_SIGN_IN_LIFETIME}::interval`.execute(db)
  await sql`delete from kept_mutes where muted_until <= now()`.execute(db)
}
