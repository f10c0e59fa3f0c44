import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { createContext as createRouterContext } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'

interface SessionActions {
  /** Leads to Discord and back to this page. Failures are told in a message. */
  signIn: () => Promise<void>
  /** Ends the session here at once, and on the server. */
  signOut: () => Promise<void>
  /** Reads the member again after a change, such as another picture. */
  refresh: () => Promise<void>
}

/** Who is signed in, known only after the page has started: pages themselves are the same for everybody. */
export type SessionState =
  | { status: 'loading'; user?: undefined }
  | { status: 'anonymous'; user?: undefined }
  | { status: 'member'; user: CurrentUser }

export type Session = SessionState & SessionActions

/** Something about the session that the visitor should know. */
export interface SessionNotice {
  title: string
  text?: string
  tone: 'error' | 'info'
}

export interface SessionStore {
  get: () => Session
  subscribe: (listener: () => void) => () => void
  /** Tells every notice once, those from before too. */
  listen: (listener: (notice: SessionNotice) => void) => () => void
}

const nothing = async () => {}
const LOADING: Session = { status: 'loading', signIn: nothing, signOut: nothing, refresh: nothing }
const nobody = () => LOADING

/** The server's: it never knows. */
const unknown: SessionStore = { get: nobody, subscribe: () => () => {}, listen: () => () => {} }

/** The session for route loaders. On the server it stays unknown. */
export const sessionContext = createRouterContext(unknown)

export const SessionContext = createContext<SessionStore>(unknown)

export function useSession(): Session {
  const { subscribe, get } = useContext(SessionContext)
  return useSyncExternalStore(subscribe, get, nobody)
}

export function useSessionNotices(listener: (notice: SessionNotice) => void): void {
  const { listen } = useContext(SessionContext)
  useEffect(() => listen(listener), [listen, listener])
}

/** Path of the member's own profile. */
export const ownProfilePath = ({ username, slug }: CurrentUser): string => `/profile/${username && slug ? slug : 'me'}`
