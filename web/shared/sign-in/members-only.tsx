import { type ReactNode, useEffect } from 'react'
import { pathOf } from '#web/router/location.ts'
import { useLocation, useNavigate } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { NeedsScript } from './needs-script.tsx'
import { loadSignInNotice } from './load-sign-in-notice.ts'
import type { SignInRequest } from './sign-in-request.ts'

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
  const session = useSession()
  if (session.user) return children(session.user)
  return (
    <NeedsScript>
      {skeleton}
      {/* A member who signs out is not asked to sign in. */}
      {session.status === 'anonymous' && <Redirect purpose={session.hasSignedOut ? undefined : purpose} />}
    </NeedsScript>
  )
}

/** Loads the notice before the navigation, so that it does not push the front page down afterwards. */
function Redirect({ purpose }: { purpose: string | undefined }) {
  const navigate = useNavigate()
  const path = pathOf(useLocation())
  useEffect(() => {
    const request: SignInRequest | undefined = purpose === undefined ? undefined : { purpose, path }
    const go = () => void navigate('/', { replace: true, state: request && { signInRequest: request } })
    if (request) void loadSignInNotice().then(go, go)
    else go()
  }, [navigate, path, purpose])
  return null
}
