import type { LoginError, SignInBan } from '#contract/accounts.ts'
import type { Api } from './client.ts'
import type { SessionNotice } from './session.tsx'

const FAILED = 'Something went wrong while signing you in. Please try again.'
const BANNED = 'This account is banned.'

const SENTENCES: ReadonlyMap<string, string> = new Map<LoginError, string>([
  ['state_mismatch', 'This sign-in was not begun in this browser, or too long ago. Please try again.'],
  ['bad_code', 'Discord no longer knew this sign-in. Please try again.'],
  ['discord_unavailable', 'Discord is not answering right now. Please try again in a few minutes.'],
  ['sign_in_unavailable', 'Signing in is not available on this site yet.'],
  ['failed', FAILED],
])

/** What kept the visitor out, as a sentence. The code stood in an address, so it may be anything. */
export async function explainLoginError(api: Api, code: string): Promise<SessionNotice> {
  if (code === 'access_denied') {
    return { title: 'Login cancelled', text: 'Discord was not allowed to sign you in.', tone: 'info' }
  }
  const text = code === 'banned' ? await findBan(api) : (SENTENCES.get(code) ?? FAILED)
  return { title: 'Login failed', text, tone: 'error' }
}

async function findBan(api: Api): Promise<string> {
  try {
    return describeBan(await api('GET /api/sign-in-ban'))
  } catch {
    return BANNED
  }
}

export function describeBan({ reason, ends_at }: SignInBan): string {
  const end = new Date(ends_at ?? '')
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })
  const sentence =
    ends_at === null ? 'This account is banned for good.' : `This account is banned until ${until.format(end)}.`
  return reason ? `${sentence} Reason: ${reason}` : sentence
}
