import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import { useApi } from './api-context.ts'
import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'
import { forgetToken, onTokenGone, readToken } from './token.ts'

export type Session =
  | { status: 'loading'; user?: undefined }
  | { status: 'anonymous'; user?: undefined }
  | { status: 'member'; user: CurrentUser }

const ANONYMOUS: Session = { status: 'anonymous' }
const SessionContext = createContext<Session>({ status: 'loading' })

export const useSession = (): Session => useContext(SessionContext)

/** Who is signed in, known only after the page has started: pages themselves are the same for everybody. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const api = useApi()
  const [session, setSession] = useState<Session>({ status: 'loading' })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const check = async () => {
      const found = await findSession(api, signal)
      if (!signal.aborted) setSession(found)
    }
    void check()
    const stop = onTokenGone(() => setSession(ANONYMOUS))
    return () => {
      leaving.abort()
      stop()
    }
  }, [api])
  return <SessionContext value={session}>{children}</SessionContext>
}

async function findSession(api: Api, signal: AbortSignal): Promise<Session> {
  const token = readToken()
  if (!token) return ANONYMOUS
  try {
    return { status: 'member', user: await api('GET /api/user-profile', { signal }) }
  } catch (error) {
    // Without an answer nothing is known of the token: the network was away, or the page was left.
    if (error instanceof ApiError && error.status !== 0) forgetToken(token)
    return ANONYMOUS
  }
}
