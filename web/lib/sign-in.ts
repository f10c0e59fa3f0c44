// Loaded on demand, because most visits need none of it.
import type { LoginError, SignInBan } from '#contract/accounts.ts'
import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'
import type { SessionNotice } from './session.tsx'

/** Read back by web/before-paint.ts, which cannot import this. */
const RETURN_TO = 'return_to'

/** Redirects to Discord. After the sign-in, the visitor returns to the current page. */
export async function redirectToDiscord(api: Api): Promise<void> {
  const { authUrl } = await api.request<{ authUrl?: string }>('GET', '/discord-auth')
  if (!authUrl) throw new ApiError(0, 'Failed to get Discord auth URL')
  try {
    sessionStorage.setItem(RETURN_TO, `${location.pathname}${location.search}${location.hash}`)
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

/** Describes a failed sign-in. The code comes from the URL, so it may be anything. */
export async function describeSignInError(api: Api, code: string): Promise<SessionNotice> {
  if (code === 'access_denied') {
    return { title: 'Sign-in canceled', text: 'You canceled the Discord sign-in.', tone: 'info' }
  }
  const text = code === 'banned' ? await describeOwnBan(api) : (MESSAGES.get(code) ?? FAILED)
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
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })
  const sentence =
    ends_at === null ? 'This account is permanently banned.' : `This account is banned until ${until.format(end)}.`
  return reason ? `${sentence} Reason: ${reason}` : sentence
}
