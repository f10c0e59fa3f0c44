import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { LoadingSkeleton } from './loading-skeleton.tsx'

/** Redirects visitors to the front page. Shows a skeleton until the session is known. */
export function MembersOnly({
  skeleton,
  children,
}: {
  skeleton?: ReactNode
  children: (user: CurrentUser) => ReactNode
}) {
  const session = useSession()
  if (session.status === 'loading') return skeleton ?? <LoadingSkeleton />
  if (session.status === 'anonymous') return <Navigate to="/" replace />
  return children(session.user)
}
