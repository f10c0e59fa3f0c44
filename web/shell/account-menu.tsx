import Braces from 'lucide-react/icons/braces'
import ChartColumn from 'lucide-react/icons/chart-column'
import FileCode from 'lucide-react/icons/file-code'
import Flag from 'lucide-react/icons/flag'
import Heart from 'lucide-react/icons/heart'
import Library from 'lucide-react/icons/library'
import LogOut from 'lucide-react/icons/log-out'
import Scale from 'lucide-react/icons/scale'
import Settings from 'lucide-react/icons/settings'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Upload from 'lucide-react/icons/upload'
import UsersRound from 'lucide-react/icons/users-round'
import UserRound from 'lucide-react/icons/user-round'
import type { CurrentUser } from '#contract/accounts.ts'
import { ownProfilePath, useSession } from '#web/lib/session.tsx'
import { Menu, MenuAction, MenuLink, MenuSeparator } from '#web/ui/menu.tsx'
import { NotificationBell } from '#web/shared/notifications/notification-bell.tsx'
import { AccountAvatar, accountButtonClass } from './account-avatar.tsx'

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
      <MenuLink to={ownProfilePath(user)} icon={UserRound}>
        Public profile
      </MenuLink>
      <MenuLink to={`${ownProfilePath(user)}?tab=scripts`} icon={FileCode}>
        Your scripts
      </MenuLink>
      <MenuLink to="/dashboard" icon={ChartColumn}>
        Statistics
      </MenuLink>
      <MenuLink to="/favorites" icon={Heart}>
        Favorites
      </MenuLink>
      <MenuLink to="/collections" icon={Library}>
        Collections
      </MenuLink>
      <MenuLink to="/following" icon={UsersRound}>
        Following
      </MenuLink>
      <MenuLink to="/upload" icon={Upload}>
        Upload a script
      </MenuLink>
      <MenuSeparator />
      <MenuLink to="/profile/settings" icon={Settings}>
        Settings
      </MenuLink>
      <MenuLink to="/appeals" icon={Scale}>
        Decisions and appeals
      </MenuLink>
      <MenuLink to="/api/docs" icon={Braces}>
        API
      </MenuLink>
      {user.is_admin && (
        <MenuLink to="/admin" icon={ShieldCheck}>
          Admin Panel
        </MenuLink>
      )}
      {user.is_moderator && !user.is_admin && (
        <MenuLink to="/moderation" icon={Flag}>
          Report queue
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuAction icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuAction>
    </Menu>
  )
}
