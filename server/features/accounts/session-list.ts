import { sql } from 'kysely'
import type { SessionInfo } from '#contract/accounts.ts'
import type { Database } from '#server/platform/db/database.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notFound } from '#server/platform/http/errors.ts'
import { endSessionsOf, hashToken, isSessionAlive } from './sessions.ts'

interface SessionRow {
  id: string
  device: string
  created_at: Date
  last_used_at: Date
  is_current: boolean
}

/** A member's sessions, latest use first. Tokens of one sign-in are one session. `token` is the one in use. */
export async function listSessions(db: Database, memberId: number, token: string): Promise<SessionInfo[]> {
  const { rows } = await sql<SessionRow>`select min(s.id::text) as id, max(s.device) as device,
      min(s.created_at) as created_at, max(s.last_used_at) as last_used_at,
      bool_or(s.token_hash = ${hashToken(token)}) as is_current
    from sessions s join members m on m.id = s.member_id
    where s.member_id = ${memberId} and ${isSessionAlive}
    group by coalesce(s.sign_in_hash, s.token_hash)
    order by is_current desc, last_used_at desc, id`.execute(db)
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }))
}

/** Locks the member as a sign-in does, so that it creates no token of the session. Throws AppError `not_found`. */
export async function endOwnSession(db: Database, memberId: number, id: string): Promise<void> {
  await transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql`with target as (
        select token_hash, sign_in_hash from sessions where id = ${id} and member_id = ${memberId}),
      ended_logins as (delete from login_tokens using target where login_tokens.token_hash = target.sign_in_hash)
      delete from sessions s using target
      where s.token_hash = target.token_hash or s.sign_in_hash = target.sign_in_hash
      returning s.id`.execute(trx)
    if (rows.length === 0) throw notFound('This session')
  })
}

export async function endAllSessions(db: Database, memberId: number): Promise<void> {
  await transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await endSessionsOf(trx, memberId)
  })
}
