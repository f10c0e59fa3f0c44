import type { CurrentUser } from '#contract/accounts.ts'
import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'
import type { OAuthReturn } from './oauth-return.ts'
import type { Session, SessionNotice, SessionState, SessionStore } from './session.tsx'
import type * as SignIn from './sign-in.ts'
import { forgetToken, onTokenChange, readToken } from './token.ts'

/** A store of the signed-in member, synchronized with the browser's other tabs. */
export function createSession(api: Api, oauthReturn: OAuthReturn): SessionStore {
  const listeners = new Set<() => void>()
  const notices = createNotices()
  const notify = async (load: Load, title?: string) => notices.notify(await loadNotice(load, title))
  const actions = {
    signIn: (returnTo?: string) => notify(({ startSignIn }) => startSignIn(api, returnTo), 'Login failed'),
    signOut: async () => {
      // The request reads the token when it starts, before it is deleted.
      const response = api('DELETE /api/session').catch((error: unknown) => error)
      set({ status: 'anonymous', hasSignedOut: true })
      forgetToken()
      const error = await response
      if (error instanceof ApiError) await notify((signIn) => signIn.describeSignOutError(error))
    },
    refresh: () => check(),
  }
  let session: Session = { status: 'loading', ...actions }

  function set(state: SessionState): void {
    session = { ...state, ...actions }
    for (const listener of listeners) listener()
  }

  // One tab at a time: the token in the URL replaces the session once, and the second tab then finds the new one.
  // Web Locks exist on secure pages only.
  const check = async (signIn?: OAuthReturn) =>
    'locks' in navigator ? navigator.locks.request('session', () => loadMember(signIn)) : loadMember(signIn)

  async function loadMember(signIn?: OAuthReturn): Promise<void> {
    if (!readToken()) return set({ status: 'anonymous' })
    let user: CurrentUser | undefined
    await notify(async ({ checkSession }) => {
      const checked = await checkSession(api, signIn)
      user = checked.user
      return checked.notice
    }, 'Auth check failed')
    if (user && readToken()) return set({ status: 'member', user })
    if (session.status === 'loading') set({ status: 'anonymous' })
    if (readToken()) addEventListener('online', () => void check(), { once: true })
  }

  onTokenChange(() => {
    if (readToken()) void check()
    else if (session.status !== 'anonymous') set({ status: 'anonymous' })
  })
  const { loginError } = oauthReturn
  void check(oauthReturn).then(() => (loginError ? notifyLoginError(loginError) : undefined))

  // After the check: a sign-in that failed once more has not failed for somebody who is signed in.
  function notifyLoginError(code: string): Promise<void> {
    const username = session.status === 'member' ? session.user.username : undefined
    const title = username === undefined ? 'Login failed' : undefined
    return notify((signIn) => signIn.describeSignInError(api, code, username), title)
  }

  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    listen: notices.listen,
  }
}

type Load = (signIn: typeof SignIn) => SessionNotice | undefined | Promise<SessionNotice | undefined>

/** Loads the module on demand, because most visits need none of it. Without it, the notice has only a title. */
async function loadNotice(load: Load, title?: string): Promise<SessionNotice | undefined> {
  try {
    return await load(await import('./sign-in.ts'))
  } catch {
    return title ? { title, tone: 'error' } : undefined
  }
}

/** Passes notices to the latest listener. They wait until there is one. */
function createNotices() {
  const queued: SessionNotice[] = []
  let listener: ((notice: SessionNotice) => void) | undefined
  const flush = () => {
    if (listener) queued.splice(0).forEach(listener)
  }
  return {
    notify: (notice: SessionNotice | undefined): void => {
      if (notice) queued.push(notice)
      flush()
    },
    listen: (next: typeof listener): (() => void) => {
      listener = next
      flush()
      return () => {
        listener = undefined
      }
    },
  }
}
