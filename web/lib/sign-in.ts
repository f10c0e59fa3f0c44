// Everything about sessions that visitors do not need, loaded on demand.
import type { CurrentUser, LoginError, SignInBan } from '#contract/accounts.ts'
import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'
import type { OAuthReturn } from './oauth-return.ts'
import type { SessionNotice } from './session.tsx'
import { forgetToken, readToken } from './token.ts'

/** Read back by web/before-paint.ts, which cannot import this. */
const RETURN_TO = 'return_to'

/** Redirects to Discord, and returns why if that fails. After the sign-in, the visitor returns to a path, by default the current one. */
export async function startSignIn(api: Api, returnTo = currentPath()): Promise<SessionNotice | undefined> {
  try {
    await redirectToDiscord(api, returnTo)
    return undefined
  } catch (error) {
    return { title: 'Login failed', ...(error instanceof ApiError ? { text: error.message } : {}), tone: 'error' }
  }
}

const currentPath = () => `${location.pathname}${location.search}${location.hash}`

async function redirectToDiscord(api: Api, returnTo: string): Promise<void> {
  const { authUrl } = await api.request<{ authUrl?: string }>('GET', '/discord-auth')
  if (!authUrl) throw new ApiError(0, 'Failed to get Discord auth URL')
  try {
    sessionStorage.setItem(RETURN_TO, returnTo)
  } catch {
    // Storage is blocked: the visitor returns to the front page.
  }
  location.assign(authUrl)
}

const FAILED = 'Something went wrong while signing you in. Please try again.'
const BANNED = 'This account is banned.'

const MESSAGES: ReadonlyMap<string, string> = new Map<LoginError, string>([
  ['state_mismatch', 'This sign-in link expired or was started in another browser. Please try again.'],
  ['bad_code', 'Your Discord sign-in expired. Please try again.'],
  ['discord_unavailable', 'Discord is not available right now. Please try again in a few minutes.'],
  ['sign_in_unavailable', 'Sign-in is not available on this site yet.'],
  ['failed', FAILED],
])

/** Errors of a sign-in that the browser has completed or repeated. */
const REPEATED: readonly string[] = ['state_mismatch', 'bad_code'] satisfies LoginError[]

/**
 * Describes a failed sign-in. The code comes from the URL, so it may be anything. `username` is the member who is signed in
 * all the same.
 */
export async function describeSignInError(
  api: Api,
  code: string,
  username?: string,
): Promise<SessionNotice | undefined> {
  if (username !== undefined && REPEATED.includes(code)) return undefined
  if (code === 'access_denied') {
    return { title: 'Sign-in canceled', text: 'You canceled the Discord sign-in.', tone: 'info' }
  }
  const text = code === 'banned' ? await describeOwnBan(api) : (MESSAGES.get(code) ?? FAILED)
  if (username !== undefined) return { title: `You're still signed in as ${username}`, text, tone: 'info' }
  return { title: 'Login failed', text, tone: 'error' }
}

async function describeOwnBan(api: Api): Promise<string> {
  try {
    return describeBan(await api('GET /api/sign-in-ban'))
  } catch {
    return BANNED
  }
}

function describeBan({ reason, ends_at }: SignInBan): string {
  const end = new Date(ends_at ?? '')
  const until = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  const sentence =
    ends_at === null ? 'This account is permanently banned.' : `This account is banned until ${until.format(end)}.`
  return reason ? `${sentence} Reason: ${reason}` : sentence
}

/** Delays before retries of a check without a usable response. Together they cover a restart of the server. */
const RETRY_DELAYS_MS = [500, 2000, 5000]
const UNAUTHORIZED = 401

interface CheckedSession {
  user?: CurrentUser
  notice?: SessionNotice | undefined
}

/**
 * Loads the signed-in member, and deletes a token that does not work. A member who signs in again keeps their previous
 * session until the new token is accepted. If there is no network, nothing is known about the token, so it stays.
 */
export async function checkSession(api: Api, signIn?: OAuthReturn): Promise<CheckedSession> {
  const { token: urlToken, previous } = signIn ?? {}
  const isAnother = urlToken && previous && urlToken !== previous
  const failure = isAnother ? await replaceSession(api, urlToken, previous) : undefined
  const notice = failure === undefined ? undefined : describeSessionError(failure)
  const token = readToken()
  if (!token) return { notice }
  try {
    // Somebody who is signed in does not need to hear that another sign-in has expired.
    return { user: await loadUser(api), notice: isUnauthorized(failure) ? undefined : notice }
  } catch (error) {
    if (navigator.onLine) forgetToken(token)
    // A session that simply ended is not mentioned.
    return { notice: isUnauthorized(error) && token !== urlToken ? notice : describeSessionError(error) }
  }
}

/** Exchanges the token of a new sign-in and ends the previous session. Returns the error if the token is rejected. */
async function replaceSession(api: Api, token: string, previous: string): Promise<unknown> {
  try {
    await loadUser(api, authorize(token))
  } catch (error) {
    return error
  }
  if (readToken() !== previous) await api('DELETE /api/session', authorize(previous)).catch(() => undefined)
  return undefined
}

const authorize = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function loadUser(
  api: Api,
  options?: ReturnType<typeof authorize>,
  [delay, ...others] = RETRY_DELAYS_MS,
): Promise<CurrentUser> {
  try {
    return await api('GET /api/user-profile', options)
  } catch (error) {
    if (!delay || isUnauthorized(error) || !navigator.onLine) throw error
    await new Promise((resolve) => setTimeout(resolve, delay))
    return loadUser(api, options, others)
  }
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === UNAUTHORIZED

function describeSessionError(error: unknown): SessionNotice {
  if (!isUnauthorized(error)) {
    return { title: 'Auth check failed', ...(error instanceof ApiError ? { text: error.message } : {}), tone: 'error' }
  }
  return { title: 'Login failed', text: 'Your sign-in expired. Please sign in again.', tone: 'error' }
}

/** Describes a sign-out that may not have reached the server. */
export function describeSignOutError({ status }: ApiError): SessionNotice | undefined {
  if (status === UNAUTHORIZED) return undefined
  const text = "We couldn't reach the server, so this session stays active there until it expires."
  return { title: "You're signed out in this browser", text, tone: 'info' }
}
