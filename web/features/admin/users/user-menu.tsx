import Ellipsis from 'lucide-react/icons/ellipsis'
import UserRound from 'lucide-react/icons/user-round'
import type { AdminUser } from '#contract/admin.ts'
import { useNow } from '#web/lib/clock.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { MenuAction, MenuLink } from '#web/ui/menu-item.tsx'
import { memberAddress } from '#web/features/admin/portal-tabs.ts'
import { type UserAction, userActions } from './user-actions.ts'

/** What can be done about one member. */
export function UserMenu({ user, onChoose }: { user: AdminUser; onChoose: (deed: UserAction) => void }) {
  return (
    <Menu
      label={`Actions for ${user.username}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuLink to={memberAddress(user.id)} icon={UserRound}>
        View member
      </MenuLink>
      {userActions(user, useNow()).map(({ action, label, icon, tone }) => (
        <MenuAction key={action} icon={icon} {...(tone ? { tone } : {})} onSelect={() => onChoose(action)}>
          {label}
        </MenuAction>
      ))}
    </Menu>
  )
}
