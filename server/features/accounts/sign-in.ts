import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { upsertMember } from './upsert-member.ts'
import type { Discord } from './discord.ts'
import type { DiscordUser } from './discord-user.ts'
import { createLoginToken } from './login-tokens.ts'
import { restoreMute } from './retained-mutes.ts'
import { SignInError } from './login-failure.ts'
import { hashToken, makeToken } from './sessions.ts'
import { recordBlockedSignIn } from './sign-in-ban.ts'

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
