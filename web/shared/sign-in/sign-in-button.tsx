import { type ComponentProps, useState } from 'react'
import { useLocation } from '#web/router/router.tsx'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { signInRequestOf } from './sign-in-request.ts'

/** Signs a visitor in. They return to this page, or to the one from which they were redirected here to sign in. */
export function SignInButton(look: Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  const { signIn } = useSession()
  const request = signInRequestOf(useLocation())
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    await signIn(request?.path)
    setBusy(false)
  }
  return (
    <Button {...look} variant="primary" disabled={isBusy} onClick={() => void start()}>
      Login with Discord
    </Button>
  )
}
