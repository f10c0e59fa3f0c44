import LogIn from 'lucide-react/icons/log-in'
import X from 'lucide-react/icons/x'
import { useLocation, useNavigate } from '#web/router/router.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SignInButton } from './sign-in-button.tsx'
import type { SignInRequest } from './sign-in-request.ts'

/** Tells a visitor why they were redirected to the front page. After signing in, they return to the page they wanted. */
export function SignInNotice({ request: { purpose } }: { request: SignInRequest }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <div role="status" className="border-b border-line bg-accent-soft">
      <div className="mx-auto flex w-full max-w-7xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <LogIn aria-hidden className="size-5 shrink-0 text-accent max-sm:hidden" />
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-semibold">Sign in to {purpose}</p>
          <p className="text-muted">You'll come back here after signing in.</p>
        </div>
        <SignInButton className="max-sm:order-last max-sm:w-full" />
        <IconButton
          icon={X}
          label="Dismiss"
          onClick={() => void navigate(pathname + search, { replace: true, state: null, preventScrollReset: true })}
        />
      </div>
    </div>
  )
}
