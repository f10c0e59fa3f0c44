import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { readToken } from '#web/lib/token.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountAvatar, accountButtonClass } from './account-avatar.tsx'
import { profilePath } from './profile-path.ts'

type Account = ComponentType<{ user: CurrentUser }>

const loadMenu = (): Promise<{ default: Account }> =>
  import('./account-menu.tsx').then(
    ({ AccountMenu }) => ({ default: AccountMenu }),
    // Without its code a member still gets somewhere.
    () => ({ default: AccountLink }),
  )
const AccountMenu = lazy(loadMenu)

/** Where a visitor signs in and a member is shown. Its width is kept, so that nothing moves when the session is known. */
export function AccountSlot() {
  const session = useSession()
  // The menu's code comes along with the answer to who is signed in.
  useEffect(() => {
    if (readToken()) void loadMenu()
  }, [])
  return (
    <div className="flex w-24 items-center justify-end gap-1 sm:w-48">
      {session.status === 'loading' && (
        <Button size="sm" disabled className="w-full noscript:hidden">
          Loading...
        </Button>
      )}
      {session.status === 'anonymous' && <LoginButton signIn={session.signIn} />}
      {session.status === 'member' && (
        <Suspense fallback={<AccountLink user={session.user} />}>
          <AccountMenu user={session.user} />
        </Suspense>
      )}
    </div>
  )
}

function AccountLink({ user }: { user: CurrentUser }) {
  return (
    <Link to={profilePath(user)} className={accountButtonClass}>
      <AccountAvatar user={user} />
    </Link>
  )
}

function LoginButton({ signIn }: { signIn: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const logIn = async () => {
    setBusy(true)
    await signIn()
    setBusy(false)
  }
  return (
    <Button size="sm" variant="primary" disabled={isBusy} onClick={() => void logIn()} className="w-full">
      <span className="max-sm:sr-only">Login with Discord</span>
      <span aria-hidden className="sm:hidden">
        Login
      </span>
    </Button>
  )
}
