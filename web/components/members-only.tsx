import { type ReactNode, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { NeedsScript } from './needs-script.tsx'

/** State of the navigation to the front page: what a visitor wanted to do, and where. */
export interface SignInRequest {
  purpose: string
  path: string
}

/**
 * Redirects visitors to the front page, which asks them to sign in. Shows a skeleton until the session is known.
 * `purpose` completes 'Sign in to'.
 */
export function MembersOnly({
  purpose,
  skeleton,
  children,
}: {
  purpose: string
  skeleton: ReactNode
  children: (user: CurrentUser) => ReactNode
}) {
  const { status, user } = useSession()
  const { pathname } = useLocation()
  const [wasMember, setWasMember] = useState(false)
  if (user && !wasMember) setWasMember(true)
  if (user) return children(user)
  if (status === 'loading') return <NeedsScript>{skeleton}</NeedsScript>
  // A member who signs out is not asked to sign in.
  const signInRequest: SignInRequest | undefined = wasMember ? undefined : { purpose, path: pathname }
  return <Navigate to="/" replace state={signInRequest && { signInRequest }} />
}
