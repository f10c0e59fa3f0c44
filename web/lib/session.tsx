import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { createContextKey } from '#web/router/routes.ts'
import type { CurrentUser } from '#contract/accounts.ts'

interface SessionActions {
  /** Redirects to Discord and back to a path, by default that of this page. Errors appear as a message. */
  signIn: (returnTo?: string) => Promise<void>
  /** Ends the session: in this browser immediately, then on the server. */
  signOut: () => Promise<void>
  /** Loads the member again, for example after a new avatar. */
  refresh: () => Promise<void>
}

/** The signed-in member. Unknown until the page has hydrated, because rendered pages are the same for everyone. */
export type SessionState =
  | { status: 'loading'; user?: undefined }
  /** `hasSignedOut`: the member signed out on this page. */
  | { status: 'anonymous'; user?: undefined; hasSignedOut?: boolean }
  | { status: 'member'; user: CurrentUser }

export type Session = SessionState & SessionActions

/** A message to the visitor about their session. */
export interface SessionNotice {
  title: string
  text?: string
  tone: 'error' | 'info'
}

export interface SessionStore {
  get: () => Session
  subscribe: (listener: () => void) => () => void
  /** Delivers each notice once, including earlier ones. */
  listen: (listener: (notice: SessionNotice) => void) => () => void
}

const nothing = async () => {}
const LOADING: Session = { status: 'loading', signIn: nothing, signOut: nothing, refresh: nothing }
const getLoading = () => LOADING

/** The store on the server, where the session is never known. */
const serverStore: SessionStore = { get: getLoading, subscribe: () => () => {}, listen: () => () => {} }

/** The session for route loaders. On the server it stays unknown. */
export const sessionContext = createContextKey(serverStore)

export const SessionContext = createContext<SessionStore>(serverStore)

/**
 * A part of the session. When the session becomes known, right after hydration, React synchronously renders again only
 * the components whose part changed. Results are compared by identity, so objects must come from the session itself.
 */
export function useSessionValue<T>(select: (session: Session) => T): T {
  const { subscribe, get } = useContext(SessionContext)
  return useSyncExternalStore(
    subscribe,
    () => select(get()),
    () => select(LOADING),
  )
}

const wholeSession = (session: Session) => session
const userOf = ({ user }: Session) => user

/** The whole session, for small components: it always changes when it becomes known. */
export const useSession = (): Session => useSessionValue(wholeSession)

/** The signed-in member. For visitors it never changes. */
export const useUser = (): CurrentUser | undefined => useSessionValue(userOf)

export function useSessionNotices(listener: (notice: SessionNotice) => void): void {
  const { listen } = useContext(SessionContext)
  useEffect(() => listen(listener), [listen, listener])
}

export const ownProfilePath = ({ username, slug }: CurrentUser): string => `/profile/${username && slug ? slug : 'me'}`
