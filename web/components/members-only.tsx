import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { NeedsScript } from './needs-script.tsx'
import { loadSignInNotice, type SignInRequest } from './sign-in-request.ts'

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
  const [wasMember, setWasMember] = useState(false)
  if (user && !wasMember) setWasMember(true)
  if (user) return children(user)
  return (
    <NeedsScript>
      {skeleton}
      {/* A member who signs out is not asked to sign in. */}
      {status === 'anonymous' && <Redirect purpose={wasMember ? undefined : purpose} />}
    </NeedsScript>
  )
}

/** Loads the notice before the navigation, so that it does not push the front page down afterwards. */
function Redirect({ purpose }: { purpose: string | undefined }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    const request: SignInRequest | undefined = purpose === undefined ? undefined : { purpose, path: pathname }
    const go = () => void navigate('/', { replace: true, state: request && { signInRequest: request } })
    if (request) void loadSignInNotice().then(go, go)
    else go()
  }, [navigate, pathname, purpose])
  return null
}
