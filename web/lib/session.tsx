import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useApi } from './api-context.ts'
import { ApiError } from './api-error.ts'
import { forgetToken, readToken } from './token.ts'

export interface CurrentUser {
  username: string
  is_admin: boolean
  is_moderator: boolean
  avatar_url?: string
}

export type Session = { status: 'loading' | 'anonymous' } | { status: 'member'; user: CurrentUser }

const SessionContext = createContext<Session>({ status: 'loading' })

export const useSession = (): Session => useContext(SessionContext)

/** Who is signed in, known only after the page has started: pages themselves are the same for everybody. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const api = useApi()
  const [session, setSession] = useState<Session>({ status: 'loading' })
  useEffect(() => {
    const check = async (): Promise<Session> => {
      if (!readToken()) return { status: 'anonymous' }
      try {
        return { status: 'member', user: await api.request<CurrentUser>('GET', '/user-profile') }
      } catch (error) {
        if (error instanceof ApiError && error.status !== 0) forgetToken()
        return { status: 'anonymous' }
      }
    }
    void check().then(setSession)
  }, [api])
  return <SessionContext value={session}>{children}</SessionContext>
}
