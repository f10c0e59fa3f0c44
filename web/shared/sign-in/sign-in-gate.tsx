import { type ReactNode, Suspense } from 'react'
import { useLocation } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'

interface Props {
  /** The button's label while the session is unknown, and for visitors, whom it signs in. */
  label: string
  signInLabel: string
  className?: string
  /** Rendered for members instead of the button. */
  children: (user: CurrentUser) => ReactNode
}

/**
 * Content for members. Visitors get a sign-in button of the same size, to avoid layout shifts. After signing in, they
 * return to the section of the page in which the button is.
 */
export function SignInGate({ label, signInLabel, className = '', children }: Props) {
  const { status, user, signIn } = useSession()
  const { pathname, search } = useLocation()
  const start = (section: string | undefined) => void signIn(section && `${pathname}${search}#${section}`)
  const isVisitor = status === 'anonymous'
  const button = (
    <Button
      disabled={!isVisitor}
      onClick={({ currentTarget }) => start(currentTarget.closest('section[id]')?.id)}
      className={`noscript:hidden ${className}`}
    >
      {isVisitor ? signInLabel : label}
    </Button>
  )
  return user ? <Suspense fallback={button}>{children(user)}</Suspense> : button
}
