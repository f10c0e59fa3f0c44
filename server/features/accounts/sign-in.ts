import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { upsertMember } from './upsert-member.ts'
import { type Discord, type DiscordUser, SignInError } from './discord.ts'
import {
  createLoginToken,
  hashToken,
  IDLE_TIMEOUT,
  LOGIN_TOKEN_LIFETIME,
  makeToken,
  MAX_SESSION_AGE,
} from './sessions.ts'
import { restoreMute } from './retained-mutes.ts'
import type { FastifyRequest } from 'fastify'
import type { LoginError, SignInBan } from '#contract/accounts.ts'
import { isBanned } from '#server/features/members/standing.ts'

export interface SignInOptions {
  db: Database
  discord: Discord
  secretKey: Buffer
  adminDiscordIds: string[]
  /** Told in the sign-in's transaction that a member has another name now. */
  onRenamed?: ((trx: Database, memberId: number) => Promise<void>) | undefined
}

/** What Discord put into the address to which it sent the browser back; empty where it is missing. */
export interface CallbackParams {
  state: string
  code: string
  error: string
}

export interface SignedIn {
  loginToken: string
  isNew: boolean
}

export const SIGN_IN_LIFETIME = '10 minutes'

// Made again when it is needed, so that it is kept nowhere: the browser lacks the key and the database the cookie.
function makeVerifier(secretKey: Buffer, state: string, browser: string): string {
  return createHmac('sha256', secretKey).update(`sign-in verifier\n${state}\n${browser}`).digest('base64url')
}

/** Begins a sign-in in this browser and gives the address of Discord's page. */
export async function startSignIn({ db, discord, secretKey }: SignInOptions, browser: string): Promise<string> {
  const state = makeToken()
  const row = { state_hash: hashToken(state), browser_hash: hashToken(browser) }
  await db.insertInto('sign_ins').values(row).execute()
  return discord.authorizationUrl(state, makeVerifier(secretKey, state, browser))
}

/** Ends a sign-in with a token for the address; throws SignInError where there is none to give. */
export async function completeSignIn(
  options: SignInOptions,
  browser: string | undefined,
  { state, code, error }: CallbackParams,
): Promise<SignedIn> {
  if (!browser || !(await spendState(options.db, state, browser))) {
    throw new SignInError('state_mismatch', 'this browser has no sign-in with this state')
  }
  if (error === 'access_denied') throw new SignInError('access_denied', 'consent was refused')
  if (error) throw new SignInError('discord_unavailable', 'Discord sent the browser back with an error')
  if (!code) throw new SignInError('bad_code', 'no code came')
  const user = await options.discord.readUser(code, makeVerifier(options.secretKey, state, browser))
  return createLogin(options, browser, user)
}

/** Of several returns with one state the first one gets it. */
async function spendState(db: Database, state: string, browser: string): Promise<boolean> {
  const { rows } = await sql<{ isAlive: boolean }>`delete from sign_ins
    where state_hash = ${hashToken(state)} and browser_hash = ${hashToken(browser)}
    returning begun_at > now() - ${SIGN_IN_LIFETIME}::interval as "isAlive"`.execute(db)
  return rows[0]?.isAlive === true
}

async function createLogin(options: SignInOptions, browser: string, user: DiscordUser): Promise<SignedIn> {
  const { db, secretKey, adminDiscordIds, onRenamed } = options
  const signedIn = await db.transaction().execute(async (trx) => {
    const member = await upsertMember(trx, user, adminDiscordIds.includes(user.id))
    if (member.isNew) await restoreMute(trx, secretKey, member.id, user.id)
    if (member.isRenamed) await onRenamed?.(trx, member.id)
    if (!member.isBanned) return { loginToken: await createLoginToken(trx, member.id, browser), isNew: member.isNew }
    await recordBlockedSignIn(trx, member.id, browser)
    return undefined
  })
  if (!signedIn) throw new SignInError('banned', 'the member is banned')
  return signedIn
}

const MAX_LENGTH = 1000

function readParams(query: Record<string, unknown>): CallbackParams {
  const read = (name: string) => {
    const value = query[name]
    return typeof value === 'string' && value.length <= MAX_LENGTH ? value : ''
  }
  return { state: read('state'), code: read('code'), error: read('error') }
}

/** The start page of this site, and never another address. */
export const failurePath = (code: LoginError) => `/?login_error=${code}`

/** Where to send a browser that comes back from Discord. Never throws. */
export async function handleCallback(
  options: SignInOptions,
  browser: string | undefined,
  { query, log }: FastifyRequest,
): Promise<string> {
  try {
    const { loginToken, isNew } = await completeSignIn(options, browser, readParams(query as Record<string, unknown>))
    return `/?token=${loginToken}${isNew ? '&new_user=true' : ''}`
  } catch (error) {
    if (!(error instanceof SignInError)) {
      log.error({ err: error }, 'a sign-in failed')
      return failurePath('failed')
    }
    if (error.code === 'discord_unavailable') log.warn({ reason: error.message }, 'Discord failed a sign-in')
    return failurePath(error.code)
  }
}

export const BLOCKED_SIGN_IN_LIFETIME = '10 minutes'

/** Notes that a ban kept this member out, for the browser that tried. */
export async function recordBlockedSignIn(trx: Database, memberId: number, browser: string): Promise<void> {
  await sql`insert into refused_sign_ins (browser_hash, member_id) values (${hashToken(browser)}, ${memberId})
    on conflict (browser_hash) do update set member_id = excluded.member_id, refused_at = now()`.execute(trx)
}

/** The ban that kept this browser's member out a moment ago, while it lasts. */
export async function findSignInBan(db: Database, browser: string): Promise<SignInBan | undefined> {
  const { rows } = await sql<{ reason: string | null; endsAt: Date | null }>`
    select s.reason, nullif(m.banned_until, 'infinity') as "endsAt"
    from refused_sign_ins r join members m on m.id = r.member_id
    left join lateral (select reason from sanctions
      where member_id = m.id and kind = 'ban' and lifted_at is null and ends_at > now()
      order by imposed_at desc, id desc limit 1) s on true
    where r.browser_hash = ${hashToken(browser)} and r.refused_at > now() - ${BLOCKED_SIGN_IN_LIFETIME}::interval
      and ${isBanned('m')}`.execute(db)
  const [ban] = rows
  return ban && { reason: ban.reason ?? '', ends_at: ban.endsAt?.toISOString() ?? null }
}

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
