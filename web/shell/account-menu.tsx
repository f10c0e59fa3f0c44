import LogOut from 'lucide-react/icons/log-out'
import { Fragment } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Menu, MenuAction, MenuLink, MenuSeparator } from '#web/ui/menu.tsx'
import { NotificationBell } from '#web/shared/notifications/notification-bell.tsx'
import { AccountAvatar, accountButtonClass } from './account-avatar.tsx'
import { accountLinks } from './account-links.ts'

export function AccountMenu({ user }: { user: CurrentUser }) {
  return (
    <>
      <NotificationBell key={user.id} memberId={user.id} />
      <AccountActions user={user} />
    </>
  )
}

function AccountActions({ user }: { user: CurrentUser }) {
  const { signOut } = useSession()
  return (
    <Menu
      label={`Account of ${user.username || 'you'}`}
      title={user.username}
      isButtonNamed
      button={
        <>
          <span className="sr-only">Account of </span>
          <AccountAvatar user={user} />
        </>
      }
      buttonClass={accountButtonClass}
    >
      {accountLinks(user).map((links) => (
        <Fragment key={links[0]?.to}>
          {links.map(({ to, label, icon }) => (
            <MenuLink key={to} to={to} icon={icon}>
              {label}
            </MenuLink>
          ))}
          <MenuSeparator />
        </Fragment>
      ))}
      <MenuAction icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuAction>
    </Menu>
  )
}
