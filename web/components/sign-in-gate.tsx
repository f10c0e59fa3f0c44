import { type ReactNode, Suspense } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'

interface Props {
  /** What the button says while nobody knows who is there, and what it says to a visitor, whom it signs in. */
  label: string
  signInLabel: string
  className?: string
  /** What members find in its place. */
  children: (user: CurrentUser) => ReactNode
}

/** The place of something that members do: kept from the beginning, so that nothing moves once the session is known. */
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
