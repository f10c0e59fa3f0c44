import { cleanLine, cutCharacters } from '@scriptyard/text'
import type { LoginError } from '#contract/accounts.ts'

/** A failed sign-in. The message is for the log and never repeats input from Discord or the browser. */
export class SignInError extends Error {
  readonly code: LoginError
  readonly memberId: number | undefined

  constructor(code: LoginError, reason: string, memberId?: number) {
    super(reason)
    this.code = code
    this.memberId = memberId
  }
}

export interface DiscordOptions {
  clientId: string
  clientSecret: string
  apiUrl: string
  publicUrl: string
}

interface RequestOptions {
  method?: string
  headers: Record<string, string>
  body?: URLSearchParams
}

interface DiscordResponse {
  status: number
  /** Undefined if it is not JSON. */
  body: unknown
}

const SCOPES = ['identify', 'email']
const TIMEOUT_MS = 5000
const MAX_RESPONSE_BYTES = 65_536

/** OAuth redirect URL, which must be registered in Discord's developer portal. */
export const callbackUrl = (publicUrl: string) => `${publicUrl}/api/discord-callback`

/** Client of Discord's OAuth 2. Throws SignInError for every failure. */
export class Discord {
  readonly #options: DiscordOptions

  constructor(options: DiscordOptions) {
    this.#options = options
  }

  async createAuthorizationUrl(state: string, verifier: string): Promise<string> {
    // It loads the clients of 60 providers, so the first sign-in imports it instead of the start.
    const { CodeChallengeMethod, OAuth2Client } = await import('arctic')
    const { clientId, clientSecret, apiUrl, publicUrl } = this.#options
    const client = new OAuth2Client(clientId, clientSecret, callbackUrl(publicUrl))
    const endpoint = `${apiUrl}/oauth2/authorize`
    return client.createAuthorizationURLWithPKCE(endpoint, state, CodeChallengeMethod.S256, verifier, SCOPES).href
  }

  async readUser(code: string, verifier: string): Promise<DiscordUser> {
    const token = await this.#exchange(code, verifier)
    const { status, body } = await this.#call('/users/@me', { headers: { authorization: `Bearer ${token}` } })
    if (status !== 200) throw new SignInError('discord_unavailable', `/users/@me status ${status}`)
    return parseDiscordUser(body)
  }

  // Not arctic's own request, which has neither a timeout nor a size limit.
  async #exchange(code: string, verifier: string): Promise<string> {
    const { clientId, clientSecret, publicUrl } = this.#options
    const form = { grant_type: 'authorization_code', code, redirect_uri: callbackUrl(publicUrl) }
    const { status, body } = await this.#call('/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ ...form, code_verifier: verifier }),
    })
    if (status === 400 && read(body, 'error') === 'invalid_grant') {
      throw new SignInError('bad_code', 'authorization code rejected')
    }
    const token = read(body, 'access_token')
    if (status !== 200) throw new SignInError('discord_unavailable', `/oauth2/token status ${status}`)
    if (!/^[\x21-\x7e]{1,2000}$/.test(token))
      throw new SignInError('discord_unavailable', 'no access token in the response')
    return token
  }

  async #call(path: string, { headers: own, ...init }: RequestOptions): Promise<DiscordResponse> {
    // User-agent format required by Discord's API.
    const headers = {
      ...own,
      accept: 'application/json',
      'user-agent': `DiscordBot (${this.#options.publicUrl}, 1)`,
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(`${this.#options.apiUrl}${path}`, { ...init, headers, signal, redirect: 'error' })
      return { status: response.status, body: parse(await readText(response)) }
    } catch (error) {
      throw new SignInError('discord_unavailable', `${path} ${signal.aborted ? 'timed out' : describe(error)}`)
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('response too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

// Swallows the parser's message, which would repeat the input.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function read(body: unknown, name: string): string {
  const value = body && typeof body === 'object' ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  return typeof value === 'string' ? value : ''
}

function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? `failed: ${'code' in cause ? String(cause.code) : cause.message}` : 'failed'
}

export type CheckApplication = (application: {
  clientId: string
  clientSecret: string
}) => Promise<'accepted' | 'rejected' | 'unknown'>

export const checkApplicationAt =
  (apiUrl: string): CheckApplication =>
  async ({ clientId, clientSecret }) => {
    const response = await fetch(`${apiUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 401) return 'rejected'
    return response?.ok ? 'accepted' : 'unknown'
  }

export interface DiscordUser {
  id: string
  username: string
  discriminator: string
  avatar: string | null
  email: string | null
  isEmailVerified: boolean
}

const ID = /^[1-9][0-9]{0,19}$/
const DISCRIMINATOR = /^[0-9]{1,4}$/
const AVATAR = /^(a_)?[0-9a-f]{32}$/
const EMAIL = /^[^\s@\p{C}]{1,100}@[^\s@\p{C}]{1,220}$/u
/** Discord's own limit is 32. */
const MAX_USERNAME = 80

/** Parses the response of `/users/@me`. Ignores malformed optional fields. Throws SignInError without an id or username. */
function parseDiscordUser(body: unknown): DiscordUser {
  const fields: Record<string, unknown> = body && typeof body === 'object' ? { ...body } : {}
  const id = matchOrNull(fields['id'], ID)
  if (id === null || typeof fields['username'] !== 'string') {
    throw new SignInError('discord_unavailable', '/users/@me without an id or a username')
  }
  const email = matchOrNull(fields['email'], EMAIL)
  return {
    id,
    username: cleanName(fields['username']),
    discriminator: matchOrNull(fields['discriminator'], DISCRIMINATOR) ?? '0',
    avatar: matchOrNull(fields['avatar'], AVATAR),
    email,
    isEmailVerified: email !== null && fields['verified'] === true,
  }
}

function matchOrNull(value: unknown, form: RegExp): string | null {
  return typeof value === 'string' && value.length <= 400 && form.test(value) ? value : null
}

/** Without private-use and unassigned characters, which systems show as boxes. */
function cleanName(name: string): string {
  const line = cleanLine(name.slice(0, 10 * MAX_USERNAME)).replaceAll(/[\p{Co}\p{Cn}\uFFFD]/gu, '')
  return cutCharacters(line.replaceAll(/\s+/gu, ' ').normalize('NFC'), MAX_USERNAME).trim() || 'user'
}
