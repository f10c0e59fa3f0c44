import { type ReactNode, Suspense } from 'react'
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

/** Content for members. Visitors get a sign-in button of the same size, to avoid layout shifts. */
export function SignInGate({ label, signInLabel, className = '', children }: Props) {
  const { status, user, signIn } = useSession()
  const isVisitor = status === 'anonymous'
  const button = (
    <Button disabled={!isVisitor} onClick={() => void signIn()} className={`noscript:hidden ${className}`}>
      {isVisitor ? signInLabel : label}
    </Button>
  )
  return user ? <Suspense fallback={button}>{children(user)}</Suspense> : button
}
