// Members sign in with Discord only (OAuth 2 with PKCE). The database knows tokens only by their SHA-256.
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { LoginError, SignInBan } from '#contract/accounts.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isActive, isBanned } from '#server/features/members/standing.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { grantAdminOnce, isAdminOfSetup } from './admin-grants.ts'
import { type Discord, type DiscordUser, SignInError } from './discord.ts'
import type { PersonKey } from './person-key.ts'
import { createLoginToken, hashToken, hasSession, LOGIN_TOKEN_LIFETIME, makeToken } from './sessions.ts'
import { upsertMember } from './upsert-member.ts'

export const SIGN_IN_LIFETIME = '10 minutes'
export const BLOCKED_SIGN_IN_LIFETIME = '10 minutes'
const MAX_PARAM_LENGTH = 1000
/** How long a callback waits for Discord at most, about. */
const CALLBACK_TIMEOUT = '10 seconds'
const REPEAT_TRIES = 16
const REPEAT_DELAY_MS = 250
/** Errors of a sign-in that was completed before. */
const REPEATED: ReadonlySet<LoginError> = new Set(['bad_code', 'state_mismatch'])

export interface SignInOptions {
  db: Database
  discord: Discord
  secretKey: Buffer
  personKey: PersonKey
  adminDiscordIds: string[]
  securityLog: SecurityLog
  /** Called in the sign-in's transaction if the member's username has changed. */
  onRenamed?: ((trx: Transaction, memberId: number) => Promise<void>) | undefined
}

interface CallbackParams {
  state: string
  code: string
  error: string
}

interface SignInKey {
  browser: string
  state: string
}

interface UsedSignIn {
  /** Whether another callback of this sign-in may still be waiting for Discord. */
  isUnderWay: boolean
}

interface Login {
  memberId: number
  loginToken: string
  isNew: boolean
  newAdmin: 'admin_by_setting' | 'admin_by_setup' | undefined
}

/** Starts a sign-in in this browser and returns the URL of Discord's consent page. */
export async function startSignIn({ db, discord, secretKey }: SignInOptions, browser: string): Promise<string> {
  const state = makeToken()
  const row = { state_hash: hashToken(state), browser_hash: hashToken(browser) }
  await db.insertInto('sign_ins').values(row).execute()
  return discord.createAuthorizationUrl(state, deriveVerifier(secretKey, state, browser))
}

export const failurePath = (code: LoginError) => `/?login_error=${code}`

/** Handles Discord's redirect and returns the path to send the browser to. Never throws. */
export async function handleCallback(
  options: SignInOptions,
  browser: string | undefined,
  request: FastifyRequest,
): Promise<string> {
  const { query, log } = request
  const { securityLog } = options
  try {
    const login = await completeSignIn(options, browser, readParams(query as Record<string, unknown>))
    const { memberId, loginToken, isNew, newAdmin } = login
    if (newAdmin) securityLog.record(request, newAdmin, { member_id: memberId })
    return `/?token=${loginToken}${isNew ? '&new_user=true' : ''}`
  } catch (error) {
    if (!(error instanceof SignInError)) {
      log.error({ err: error }, 'sign-in failed')
      return failurePath('failed')
    }
    if (browser && REPEATED.has(error.code) && (await hasSession(options.db, browser).catch(() => false))) {
      return '/'
    }
    securityLog.count(request, 'sign_in_rejected', { reason: error.code, member_id: error.memberId })
    if (error.code === 'discord_unavailable') log.warn({ reason: error.message }, 'Discord request failed')
    return failurePath(error.code)
  }
}

function readParams(query: Record<string, unknown>): CallbackParams {
  const read = (name: string) => {
    const value = query[name]
    return typeof value === 'string' && value.length <= MAX_PARAM_LENGTH ? value : ''
  }
  return { state: read('state'), code: read('code'), error: read('error') }
}

// Derived instead of stored: the browser does not know the key, the database does not know the cookie.
function deriveVerifier(secretKey: Buffer, state: string, browser: string): string {
  return createHmac('sha256', secretKey).update(`sign-in verifier\n${state}\n${browser}`).digest('base64url')
}

/** Throws SignInError. */
async function completeSignIn(
  options: SignInOptions,
  browser: string | undefined,
  { state, code, error }: CallbackParams,
): Promise<Login> {
  const { db, discord, secretKey } = options
  const signIn = browser ? await claimSignIn(db, state, browser) : undefined
  if (!browser || !signIn) throw new SignInError('state_mismatch', 'no sign-in of this browser has this state')
  if (error === 'access_denied') throw new SignInError('access_denied', 'consent denied')
  if (error) throw new SignInError('discord_unavailable', 'callback with an error')
  if (!code) throw new SignInError('bad_code', 'callback without a code')
  try {
    const user = await discord.readUser(code, deriveVerifier(secretKey, state, browser))
    return await createLogin(options, { browser, state }, user)
  } catch (failure) {
    const isRepeated = failure instanceof SignInError && failure.code === 'bad_code'
    const login = isRepeated ? await repeatLogin(db, { browser, state }, signIn) : undefined
    if (login) return login
    throw failure
  }
}

/**
 * Claims a sign-in, which may happen again: Discord may redirect twice, with two codes, and browsers repeat a redirect whose
 * response was lost. Each code is valid once, and only together with this sign-in.
 */
async function claimSignIn(db: Database, state: string, browser: string): Promise<UsedSignIn | undefined> {
  const { rows } = await sql<UsedSignIn>`with found as (
      select state_hash, used_at from sign_ins where state_hash = ${hashToken(state)} and browser_hash = ${hashToken(browser)}
        and started_at > now() - ${SIGN_IN_LIFETIME}::interval for update)
    update sign_ins s set used_at = now() from found where s.state_hash = found.state_hash
    returning coalesce(found.used_at > now() - ${CALLBACK_TIMEOUT}::interval, false) as "isUnderWay"`.execute(db)
  return rows[0]
}

/** A new login token for the member whom this sign-in has just signed in, unless they have signed out since. */
async function repeatLogin(
  db: Database,
  key: SignInKey,
  { isUnderWay }: UsedSignIn,
  tries = REPEAT_TRIES,
): Promise<Login | undefined> {
  const login = await db.transaction().execute(async (trx) => {
    const memberId = await lockRecentLogin(trx, key)
    return memberId === undefined ? undefined : { memberId, loginToken: await recordLogin(trx, memberId, key) }
  })
  if (login) return { ...login, isNew: false, newAdmin: undefined }
  if (!isUnderWay || tries === 0) return undefined
  // The request with the same code is still waiting for Discord.
  await setTimeout(REPEAT_DELAY_MS)
  return repeatLogin(db, key, { isUnderWay }, tries - 1)
}

async function lockRecentLogin(trx: Transaction, { browser, state }: SignInKey): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select m.id from sign_ins s join login_tokens h on h.token_hash = s.login_hash
      join members m on m.id = h.member_id
    where s.state_hash = ${hashToken(state)} and s.browser_hash = ${hashToken(browser)}
      and h.created_at > now() - ${LOGIN_TOKEN_LIFETIME}::interval and ${isActive('m')}
    for no key update of m`.execute(trx)
  return rows[0]?.id
}

async function recordLogin(trx: Transaction, memberId: number, { browser, state }: SignInKey): Promise<string> {
  const loginToken = await createLoginToken(trx, memberId, browser)
  await sql`update sign_ins set login_hash = ${hashToken(loginToken)} where state_hash = ${hashToken(state)}`.execute(
    trx,
  )
  return loginToken
}

async function createLogin(options: SignInOptions, key: SignInKey, user: DiscordUser): Promise<Login> {
  const { db, personKey, adminDiscordIds, onRenamed } = options
  const login = await db.transaction().execute(async (trx) => {
    const member = await upsertMember(trx, user, personKey)
    if (member.isRenamed) await onRenamed?.(trx, member.id)
    if (member.isBanned) {
      await recordBlockedSignIn(trx, member.id, key.browser)
      return { memberId: member.id, loginToken: undefined }
    }
    const newAdmin = await grantAdmin(trx, member.id, user.id, adminDiscordIds)
    const loginToken = await recordLogin(trx, member.id, key)
    return { memberId: member.id, loginToken, isNew: member.isNew, newAdmin }
  })
  if (login.loginToken === undefined) throw new SignInError('banned', 'member banned', login.memberId)
  return login
}

async function grantAdmin(
  trx: Transaction,
  memberId: number,
  discordId: string,
  listed: readonly string[],
): Promise<Login['newAdmin']> {
  const reason = listed.includes(discordId) ? 'admin_by_setting' : 'admin_by_setup'
  if (reason === 'admin_by_setup' && !(await isAdminOfSetup(trx, discordId))) return undefined
  return (await grantAdminOnce(trx, memberId, discordId, reason)) ? reason : undefined
}

async function recordBlockedSignIn(trx: Transaction, memberId: number, browser: string): Promise<void> {
  await sql`insert into rejected_sign_ins (browser_hash, member_id) values (${hashToken(browser)}, ${memberId})
    on conflict (browser_hash) do update set member_id = excluded.member_id, rejected_at = now()`.execute(trx)
}

export async function findSignInBan(db: Database, browser: string): Promise<SignInBan | undefined> {
  const { rows } = await sql<{ reason: string | null; endsAt: Date | null }>`
    select s.reason, nullif(m.banned_until, 'infinity') as "endsAt"
    from rejected_sign_ins r join members m on m.id = r.member_id
    left join lateral (select reason from sanctions
      where member_id = m.id and kind = 'ban' and lifted_at is null and ends_at > now()
      order by imposed_at desc, id desc limit 1) s on true
    where r.browser_hash = ${hashToken(browser)} and r.rejected_at > now() - ${BLOCKED_SIGN_IN_LIFETIME}::interval
      and ${isBanned('m')}`.execute(db)
  const [ban] = rows
  return ban && { reason: ban.reason ?? '', ends_at: ban.endsAt?.toISOString() ?? null }
}
