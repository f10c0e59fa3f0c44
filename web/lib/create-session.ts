import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'
import type { OAuthReturn } from './oauth-return.ts'
import type { Session, SessionNotice, SessionState, SessionStore } from './session.tsx'
import { forgetToken, onTokenChange, readToken } from './token.ts'

/** A store of the signed-in member, synchronized with the browser's other tabs. */
export function createSession(api: Api, oauthReturn: OAuthReturn): SessionStore {
  const listeners = new Set<() => void>()
  const notices = createNotices()
  const actions = {
    signIn: async () => notices.notify(await signIn(api)),
    signOut: async () => notices.notify(await signOut(api)),
    refresh: () => check(),
  }
  let session: Session = { status: 'loading', ...actions }

  function set(state: SessionState): void {
    session = { ...state, ...actions }
    for (const listener of listeners) listener()
  }

  // One tab at a time: the token in the URL can be used once, and the second tab then finds the session token.
  const check = (urlToken?: string) => withLock(() => loadMember(urlToken))

  async function loadMember(urlToken?: string): Promise<void> {
    const token = readToken()
    if (!token) return set({ status: 'anonymous' })
    try {
      const user = await api('GET /api/user-profile')
      set(readToken() ? { status: 'member', user } : { status: 'anonymous' })
    } catch (error) {
      notices.notify(describeSessionError(error, token === urlToken))
      // Status 0 says nothing about the token: the browser was offline, or the page was closed.
      if (error instanceof ApiError && error.status !== 0) forgetToken(token)
      else addEventListener('online', () => void check(), { once: true })
      if (session.status === 'loading') set({ status: 'anonymous' })
    }
  }

  onTokenChange(() => {
    if (readToken()) void check()
    else set({ status: 'anonymous' })
  })
  void check(oauthReturn.token)
  if (oauthReturn.loginError) void describeLoginError(api, oauthReturn.loginError).then(notices.notify)

  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    listen: notices.listen,
  }
}

async function withLock(act: () => Promise<void>): Promise<void> {
  // Web Locks exist on secure pages only.
  if ('locks' in navigator) await navigator.locks.request('session', act)
  else await act()
}

async function signIn(api: Api): Promise<SessionNotice | undefined> {
  try {
    const { redirectToDiscord } = await import('./sign-in.ts')
    await redirectToDiscord(api)
    return undefined
  } catch (error) {
    return { title: 'Login failed', ...(error instanceof ApiError ? { text: error.message } : {}), tone: 'error' }
  }
}

async function signOut(api: Api): Promise<SessionNotice | undefined> {
  // The request reads the token when it starts, before it is deleted.
  const response = api('DELETE /api/session').catch((error: unknown) => error)
  forgetToken()
  return describeSignOutError(await response)
}

async function describeLoginError(api: Api, code: string): Promise<SessionNotice> {
  try {
    const { describeSignInError } = await import('./sign-in.ts')
    return await describeSignInError(api, code)
  } catch {
    return { title: 'Login failed', tone: 'error' }
  }
}

const UNAUTHORIZED = 401

/** Describes why the session could not be checked. A session that simply ended is not mentioned. */
function describeSessionError(error: unknown, isNewSignIn: boolean): SessionNotice | undefined {
  const { status, message } = error instanceof ApiError ? error : { status: 0, message: '' }
  if (status !== UNAUTHORIZED) return { title: 'Auth check failed', text: message, tone: 'error' }
  if (!isNewSignIn) return undefined
  return { title: 'Login failed', text: 'Your sign-in expired. Please sign in again.', tone: 'error' }
}

/** Describes a sign-out that may not have reached the server. */
function describeSignOutError(error: unknown): SessionNotice | undefined {
  if (!(error instanceof ApiError) || error.status === UNAUTHORIZED) return undefined
  const text = "We couldn't reach the server, so this session stays active there until it expires."
  return { title: "You're signed out in this browser", text, tone: 'info' }
}

type Listener = (notice: SessionNotice) => void

/** Notices wait until there is a listener. */
function createNotices() {
  const queued: SessionNotice[] = []
  const listeners = new Set<Listener>()
  return {
    notify: (notice: SessionNotice | undefined): void => {
      if (!notice) return
      if (listeners.size === 0) queued.push(notice)
      for (const listener of listeners) listener(notice)
    },
    listen: (listener: Listener): (() => void) => {
      listeners.add(listener)
      for (const notice of queued.splice(0)) listener(notice)
      return () => void listeners.delete(listener)
    },
  }
}
