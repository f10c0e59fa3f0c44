import LogIn from 'lucide-react/icons/log-in'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useLocation, useNavigate } from '#web/router/router.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { startSignIn } from '#web/lib/sign-in.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { SignInRequest } from './sign-in-request.ts'

/** Tells a visitor why they were redirected to the front page. After signing in, they return to the page they wanted. */
export function SignInNotice({ request: { purpose, path } }: { request: SignInRequest }) {
  const api = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [isBusy, setBusy] = useState(false)
  const signIn = async () => {
    setBusy(true)
    const failure = await startSignIn(api, path)
    if (failure) toast(failure)
    setBusy(false)
  }
  return (
    <div role="status" className="border-b border-line bg-accent-soft">
      <div className="mx-auto flex w-full max-w-7xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <LogIn aria-hidden className="size-5 shrink-0 text-accent max-sm:hidden" />
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-semibold">Sign in to {purpose}</p>
          <p className="text-muted">That page is for members. You return to it after signing in.</p>
        </div>
        <Button
          variant="primary"
          disabled={isBusy}
          onClick={() => void signIn()}
          className="max-sm:order-last max-sm:w-full"
        >
          Login with Discord
        </Button>
        <IconButton
          icon={X}
          label="Dismiss"
          onClick={() => void navigate(pathname + search, { replace: true, state: null, preventScrollReset: true })}
        />
      </div>
    </div>
  )
}
