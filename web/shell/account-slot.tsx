import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Link } from '#web/router/router.tsx'
import type { CurrentUser } from '#contract/accounts.ts'
import { SignInButton } from '#web/shared/sign-in/sign-in-button.tsx'
import { ownProfilePath, useSession } from '#web/lib/session.tsx'
import { readToken } from '#web/lib/token.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountAvatar, accountButtonClass } from './account-avatar.tsx'

const loadMenu = (): Promise<{ default: ComponentType<{ user: CurrentUser }> }> =>
  import('./account-menu.tsx').then(
    ({ AccountMenu }) => ({ default: AccountMenu }),
    // Without the menu's code, a member still has a link to their profile.
    () => ({ default: AccountLink }),
  )
const AccountMenu = lazy(loadMenu)

const visitorWidth = 'w-24 min-[22rem]:w-36 sm:w-48'
const memberWidth = 'w-23 sm:w-22'
/** Wide enough for what follows: before-paint.ts marks browsers with a session. */
const loadingWidth = 'w-24 min-[22rem]:w-36 sm:w-48 member:w-23 sm:member:w-22'

const widths = { loading: loadingWidth, anonymous: visitorWidth, member: memberWidth }

/** Sign-in button, or bell and account menu. Its width avoids a layout shift when the session becomes known. */
export function AccountSlot() {
  const session = useSession()
  // Loads the menu's code in parallel with the session.
  useEffect(() => {
    if (readToken()) void loadMenu()
  }, [])
  return (
    <div className={`flex h-11 items-center justify-end gap-1 ${widths[session.status]}`}>
      {session.status === 'loading' && (
        <Button size="sm" disabled className="w-full max-sm:px-2 noscript:hidden member:px-1">
          Loading...
        </Button>
      )}
      {session.status === 'anonymous' && (
        <SignInButton size="sm" className="w-full max-sm:px-2 max-[22rem]:text-xs max-[22rem]:whitespace-normal" />
      )}
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
    <Link to={ownProfilePath(user)} className={accountButtonClass}>
      <AccountAvatar user={user} />
    </Link>
  )
}
