import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { hashToken, makeToken, openSession } from './sessions.ts'

export const LOGIN_TOKEN_LIFETIME = '60 seconds'

/** The token for the address that a sign-in returns to: good once, soon, and in this browser only. */
export async function createLoginToken(trx: Database, memberId: number, browser: string): Promise<string> {
  const token = makeToken()
  await trx
    .insertInto('handoffs')
    .values({ token_hash: hashToken(token), browser_hash: hashToken(browser), member_id: memberId })
    .execute()
  return token
}

/** Spends an address's token; gives the member and their lasting token, or undefined where it opens nothing. */
export async function redeemLoginToken(
  db: Database,
  token: string,
  browser: string,
): Promise<{ memberId: number; sessionToken: string } | undefined> {
  return db.transaction().execute(async (trx) => {
    const memberId = await lockTokenOwner(trx, token, browser)
    if (memberId === undefined) return undefined
    const spent = await trx.deleteFrom('handoffs').where('token_hash', '=', hashToken(token)).executeTakeFirst()
    if (spent.numDeletedRows === 0n) return undefined
    await sql`update members set last_seen_at = now() where id = ${memberId}`.execute(trx)
    return { memberId, sessionToken: await openSession(trx, memberId) }
  })
}

// The member first, as a ban does it: a ban that commits first is seen, one that comes later finds the session.
async function lockTokenOwner(trx: Database, token: string, browser: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select m.id from handoffs h join members m on m.id = h.member_id
    where h.token_hash = ${hashToken(token)} and h.browser_hash = ${hashToken(browser)}
      and h.created_at > now() - ${LOGIN_TOKEN_LIFETIME}::interval
      and (m.banned_until is null or m.banned_until <= now())
    for no key update of m`.execute(trx)
  return rows[0]?.id
}
