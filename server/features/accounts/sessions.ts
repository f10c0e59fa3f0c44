import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { BackgroundWrites } from '#server/platform/db/background-writes.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { isActive, isMuted } from '#server/features/members/standing.ts'

const TOKEN_BYTES = 32
export const IDLE_TIMEOUT = '7 days'
const ADMIN_IDLE_TIMEOUT = '12 hours'
export const MAX_SESSION_AGE = '30 days'
export const LOGIN_TOKEN_LIFETIME = '60 seconds'
const RECORD_USE_EVERY_MS = 5 * 60_000
/** Sessions of one member, and tokens of one session beside its login token. A new one ends that which was not used for the longest time. */
export const MAX_SESSIONS = 20
const RECENT_SIGN_IN = '10 minutes'

/** Makes a token of 256 random bits, 43 characters in base64url. */
export const makeToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Stores only the token's hash. Tokens with one `signInHash` (the hash of the login token) are one session. */
export async function openSession(
  db: Database,
  memberId: number,
  { signInHash = null, device = '' }: { signInHash?: Buffer | null; device?: string } = {},
): Promise<string> {
  const token = makeToken()
  await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), member_id: memberId, sign_in_hash: signInHash, device })
    .execute()
  await endSurplusSessions(db, memberId)
  return token
}

async function endSurplusSessions(db: Database, memberId: number): Promise<void> {
  await sql`with tokens as (
      select token_hash, coalesce(sign_in_hash, token_hash) as session, browser_hash, last_used_at, created_at
      from sessions where member_id = ${memberId}),
    ranked as (
      select token_hash, row_number() over (partition by session
          order by browser_hash is not null desc, last_used_at desc, created_at desc) as token_rank,
        dense_rank() over (order by last_used desc, created desc, session) as session_rank
      from tokens join (select session, max(last_used_at) as last_used, max(created_at) as created
        from tokens group by session) used using (session))
    delete from sessions using ranked where sessions.token_hash = ranked.token_hash
      and (session_rank > ${MAX_SESSIONS} or token_rank > ${MAX_SESSIONS + 1})`.execute(db)
}

/** Ends the session of a token, with its other tokens, and the login tokens of the member in this browser. */
export async function endSession(db: Database, token: string, browser?: string): Promise<void> {
  const [hash, browserHash] = [hashToken(token), browser ? hashToken(browser) : null]
  await sql`with ended as (delete from sessions where token_hash = ${hash} returning token_hash, sign_in_hash, member_id),
    others as (delete from sessions s using ended
      where s.sign_in_hash = ended.sign_in_hash and s.token_hash <> ended.token_hash)
    delete from login_tokens h using ended where h.token_hash = ended.sign_in_hash
      or (h.member_id = ended.member_id and h.browser_hash = ${browserHash})`.execute(db)
}

/** Deletes all sessions and login tokens of a member. Lock the member first. */
export async function endSessionsOf(db: Database, memberId: number): Promise<void> {
  await db.deleteFrom('login_tokens').where('member_id', '=', memberId).execute()
  await db.deleteFrom('sessions').where('member_id', '=', memberId).execute()
}

/** Ends all sessions of a member but that of this token, and all login tokens. Lock the member first. */
export async function endOtherSessions(trx: Transaction, memberId: number, token: string): Promise<void> {
  await trx.deleteFrom('login_tokens').where('member_id', '=', memberId).execute()
  const hash = hashToken(token)
  await sql`delete from sessions where member_id = ${memberId} and token_hash <> ${hash}
    and (sign_in_hash is null
      or sign_in_hash is distinct from (select sign_in_hash from sessions where token_hash = ${hash}))`.execute(trx)
}

/** SQL condition: the session `s` of the member `m` has not expired, and the member is not banned. */
export const isSessionAlive = sql<boolean>`(s.created_at > now() - ${MAX_SESSION_AGE}::interval
  and s.last_used_at > now() - case when m.is_admin then ${ADMIN_IDLE_TIMEOUT} else ${IDLE_TIMEOUT} end::interval
  and ${isActive('m')})`

interface SessionRow extends Omit<Caller, 'isLoginToken'> {
  isLoginToken: boolean
  isUseStale: boolean
}

/** Finds the member of a session token and records the last use, at most every five minutes. */
export class Sessions {
  readonly #db: Database
  readonly #writes: BackgroundWrites

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#writes = new BackgroundWrites(log, 'session use not recorded')
  }

  /** `browser` is the secret of the browser's cookie, without which a login token opens nothing. */
  async findCaller(token: string, browser: string | undefined): Promise<Caller | undefined> {
    const hash = hashToken(token)
    const { rows } =
      await sql<SessionRow>`select m.id, (select id from persons where member_id = m.id) as "personId", m.username, m.slug,
        m.is_admin as "isAdmin", m.is_moderator as "isModerator",
        coalesce(${isMuted('m')}, false) as "isMuted",
        case when ${isMuted('m')} then nullif(m.muted_until, 'infinity') end as "mutedUntil",
        s.created_at > now() - ${RECENT_SIGN_IN}::interval as "hasRecentSignIn",
        s.browser_hash is not null as "isLoginToken", ${hasStaleUse} as "isUseStale"
      from sessions s join members m on m.id = s.member_id
      where s.token_hash = ${hash} and (s.browser_hash is null or s.browser_hash = ${browser ? hashToken(browser) : null})
        and ${isSessionAlive}`.execute(this.#db)
    const [row] = rows
    if (!row) return undefined
    const { isUseStale, isLoginToken, ...caller } = row
    if (isUseStale) this.#writes.add(recordUse(this.#db, hash))
    return isLoginToken ? { ...caller, isLoginToken: true } : caller
  }

  async close(): Promise<void> {
    await this.#writes.close()
  }
}

const hasStaleUse = sql<boolean>`(s.last_used_at < now() - ${RECORD_USE_EVERY_MS / 1000} * interval '1 second')`

// The second condition lets only the first of concurrent requests write. Locks the member before the session, in the same
// order as a ban and as ending sessions.
async function recordUse(db: Database, hash: Buffer): Promise<void> {
  await sql`with owner as (
      select m.id from members m join sessions s on s.member_id = m.id
      where s.token_hash = ${hash} and ${hasStaleUse} for no key update of m),
    used as (
      update sessions s set last_used_at = now() from owner
      where s.token_hash = ${hash} and ${hasStaleUse} returning s.member_id)
    update members set last_seen_at = now() from used where members.id = used.member_id`.execute(db)
}

/** Whether a session of a login token is alive in this browser. */
export async function hasSession(db: Database, browser: string): Promise<boolean> {
  const { rows } = await sql`select from sessions s join members m on m.id = s.member_id
    where s.browser_hash = ${hashToken(browser)} and ${isSessionAlive} limit 1`.execute(db)
  return rows.length > 0
}

/** Creates the token in the URL that a sign-in returns to. It must be redeemed within a minute, in the same browser. */
export async function createLoginToken(trx: Transaction, memberId: number, browser: string): Promise<string> {
  const token = makeToken()
  await trx
    .insertInto('login_tokens')
    .values({ token_hash: hashToken(token), browser_hash: hashToken(browser), member_id: memberId })
    .execute()
  return token
}

export interface RedeemedLogin {
  memberId: number
  sessionToken: string
  /** False if the login token was redeemed before. */
  isFirst: boolean
}

/**
 * Opens the session of a login token and returns a session token of it. As the response may be lost, further calls within a
 * minute return another one. Earlier ones stay valid, because requests may arrive in any order. The login token itself
 * stays valid in this browser as long as the session. Undefined if it is not valid in this browser, or its session has
 * ended. `onSignIn` runs in the first call's transaction.
 */
export async function redeemLoginToken(
  db: Database,
  token: string,
  browser: string,
  device: string,
  onSignIn: (trx: Transaction, memberId: number) => Promise<void> = async () => {},
): Promise<RedeemedLogin | undefined> {
  const signInHash = hashToken(token)
  return db.transaction().execute(async (trx) => {
    const memberId = await lockTokenOwner(trx, signInHash, browser)
    if (memberId === undefined) return undefined
    await sql`update members set last_seen_at = now() where id = ${memberId}`.execute(trx)
    const isFirst = await addLoginToken(trx, { memberId, signInHash, browser, device })
    const sessionToken = await openSession(trx, memberId, { signInHash, device })
    if (isFirst) await onSignIn(trx, memberId)
    return { memberId, sessionToken, isFirst }
  })
}

/** Adds the login token to the tokens of its session. False if it is there. */
async function addLoginToken(
  trx: Transaction,
  login: { memberId: number; signInHash: Buffer; browser: string; device: string },
): Promise<boolean> {
  const { memberId, signInHash, browser, device } = login
  const { rows } = await sql`insert into sessions (token_hash, sign_in_hash, browser_hash, member_id, device)
    values (${signInHash}, ${signInHash}, ${hashToken(browser)}, ${memberId}, ${device})
    on conflict do nothing returning id`.execute(trx)
  return rows.length > 0
}

// Locks the member first, as a ban does: a ban that commits first is seen, a later one finds the session.
async function lockTokenOwner(trx: Transaction, tokenHash: Buffer, browser: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select m.id from login_tokens h join members m on m.id = h.member_id
    where h.token_hash = ${tokenHash} and h.browser_hash = ${hashToken(browser)}
      and h.created_at > now() - ${LOGIN_TOKEN_LIFETIME}::interval
      and ${isActive('m')} for no key update of m`.execute(trx)
  return rows[0]?.id
}
