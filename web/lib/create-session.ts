import { ApiError } from './api-error.ts'
import type { OAuthReturn } from './oauth-return.ts'
import type { Api } from './client.ts'
import type { Session, SessionNotice, SessionState, SessionStore } from './session.tsx'
import { createNotices, describeSessionError, describeSignOutError } from './session-notices.ts'
import { forgetToken, onTokenChange, readToken } from './token.ts'

/** Follows who is signed in for as long as the page lives, in step with the other tabs. */
export function createSession(api: Api, arrival: OAuthReturn): SessionStore {
  const listeners = new Set<() => void>()
  const notices = createNotices()
  const actions = {
    signIn: async () => notices.tell(await signIn(api)),
    signOut: async () => notices.tell(await signOut(api)),
    refresh: () => check(),
  }
  let session: Session = { status: 'loading', ...actions }

  function set(state: SessionState): void {
    session = { ...state, ...actions }
    for (const listener of listeners) listener()
  }

  // One tab at a time: the token from an address is good for one use, and whoever comes second finds the lasting one.
  const check = (addressToken?: string) => inTurn(() => readMember(addressToken))

  async function readMember(addressToken?: string): Promise<void> {
    const token = readToken()
    if (!token) return set({ status: 'anonymous' })
    try {
      const user = await api('GET /api/user-profile')
      set(readToken() ? { status: 'member', user } : { status: 'anonymous' })
    } catch (error) {
      notices.tell(describeSessionError(error, token === addressToken))
      // Without an answer nothing is known of the token: the network was away, or the page was left.
      if (error instanceof ApiError && error.status !== 0) forgetToken(token)
      else addEventListener('online', () => void check(), { once: true })
      if (session.status === 'loading') set({ status: 'anonymous' })
    }
  }

  onTokenChange(() => {
    if (readToken()) void check()
    else set({ status: 'anonymous' })
  })
  void check(arrival.token)
  if (arrival.loginError) void explain(api, arrival.loginError).then(notices.tell)

  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    listen: notices.listen,
  }
}

async function inTurn(act: () => Promise<void>): Promise<void> {
  // Absent where the site is served without https.
  if ('locks' in navigator) await navigator.locks.request('session', act)
  else await act()
}

async function signIn(api: Api): Promise<SessionNotice | undefined> {
  try {
    const { leaveToSignIn } = await import('./sign-in.ts')
    await leaveToSignIn(api)
    return undefined
  } catch (error) {
    return { title: 'Login failed', ...(error instanceof ApiError ? { text: error.message } : {}), tone: 'error' }
  }
}

async function signOut(api: Api): Promise<SessionNotice | undefined> {
  // The call takes the token along as it starts.
  const answer = api('DELETE /api/session').catch((error: unknown) => error)
  forgetToken()
  return describeSignOutError(await answer)
}

async function explain(api: Api, code: string): Promise<SessionNotice> {
  try {
    const { explainLoginError } = await import('./explain-login-error.ts')
    return await explainLoginError(api, code)
  } catch {
    return { title: 'Login failed', tone: 'error' }
  }
}
