import { Link } from '#web/router/router.tsx'
import type { LucideIcon } from 'lucide-react'
import Ban from 'lucide-react/icons/ban'
import BellOff from 'lucide-react/icons/bell-off'
import BellRing from 'lucide-react/icons/bell-ring'
import Ellipsis from 'lucide-react/icons/ellipsis'
import LinkIcon from 'lucide-react/icons/link'
import Pencil from 'lucide-react/icons/pencil'
import Shield from 'lucide-react/icons/shield'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldMinus from 'lucide-react/icons/shield-minus'
import ShieldOff from 'lucide-react/icons/shield-off'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import Undo2 from 'lucide-react/icons/undo-2'
import UserRound from 'lucide-react/icons/user-round'
import type { AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { useNow } from '#web/lib/clock.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction, MenuLink } from '#web/ui/menu.tsx'
import type { PillTone } from '#web/ui/pill.tsx'

export type UserAction =
  | 'edit_user'
  | 'ban_user'
  | 'warn_user'
  | 'mute_user'
  | 'unban_user'
  | 'unmute_user'
  | 'make_admin'
  | 'remove_admin'
  | 'make_moderator'
  | 'remove_moderator'
  | 'link_member'

interface Entry {
  action: UserAction
  label: string
  icon: LucideIcon
  tone?: 'danger'
}

/** The actions that apply to a member, in the order of the menu. */
function entriesFor(user: AdminUser, now: number): Entry[] {
  return [
    { action: 'edit_user', label: 'Edit User', icon: Pencil },
    ...(user.discord_id ? [] : [{ action: 'link_member', label: 'Link Discord Account', icon: LinkIcon } as const]),
    user.is_admin
      ? { action: 'remove_admin', label: 'Remove Admin', icon: ShieldOff }
      : { action: 'make_admin', label: 'Make Admin', icon: ShieldCheck },
    user.is_moderator
      ? { action: 'remove_moderator', label: 'Remove Moderator', icon: ShieldMinus }
      : { action: 'make_moderator', label: 'Make Moderator', icon: Shield },
    { action: 'warn_user', label: 'Issue Warning', icon: TriangleAlert },
    isMuted(user, now)
      ? { action: 'unmute_user', label: 'Unmute', icon: BellRing }
      : { action: 'mute_user', label: 'Mute', icon: BellOff },
    user.is_banned
      ? { action: 'unban_user', label: 'Unban', icon: Undo2 }
      : { action: 'ban_user', label: 'Ban', icon: Ban, tone: 'danger' },
  ]
}

export function UserMenu({ user, onChoose }: { user: AdminUser; onChoose: (action: UserAction) => void }) {
  return (
    <Menu
      label={`Actions for ${user.username}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuLink to={`/admin/users/${user.id}`} icon={UserRound}>
        View member
      </MenuLink>
      {entriesFor(user, useNow()).map(({ action, label, icon, tone }) => (
        <MenuAction key={action} icon={icon} {...(tone ? { tone } : {})} onSelect={() => onChoose(action)}>
          {label}
        </MenuAction>
      ))}
    </Menu>
  )
}

/** Avatar, names and email, linked to the member's page in the portal. */
export function UserName({ user }: { user: AdminUser }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <MemberAvatar member={{ author_avatar: user.avatar_url, discord_id: user.discord_id }} name={user.username} />
      <div className="min-w-0 flex-1">
        <Link
          to={`/admin/users/${user.id}`}
          className="relative block truncate font-medium before:absolute before:-inset-y-2.5 before:inset-x-0 hover:text-accent hover:underline"
        >
          <bdi>{user.display_name || user.username}</bdi>
        </Link>
        <p className="truncate text-xs text-muted" title={user.email ?? undefined}>
          {user.display_name && user.display_name !== user.username && (
            <>
              <bdi>@{user.username}</bdi> ·{' '}
            </>
          )}
          {user.email ?? `ID ${user.id}`}
        </p>
      </div>
    </div>
  )
}

/** Whether a mute is active at `now`, in milliseconds. */
export function isMuted({ mute_expires_at }: Pick<AdminUser, 'mute_expires_at'>, now: number): boolean {
  return mute_expires_at !== null && Date.parse(mute_expires_at) > now
}

type StatusFields = Pick<AdminUser, 'is_banned' | 'mute_expires_at' | 'is_admin' | 'is_moderator'>

/** The most important fact about a member: a sanction, else the role. */
export function statusOf(user: StatusFields, now: number): { label: string; tone: PillTone } {
  if (user.is_banned) return { label: 'Banned', tone: 'danger' }
  if (isMuted(user, now)) return { label: 'Muted', tone: 'warning' }
  if (user.is_admin) return { label: 'Admin', tone: 'accent' }
  if (user.is_moderator) return { label: 'Moderator', tone: 'accent' }
  return { label: 'Active', tone: 'success' }
}

export function roleOf({ is_admin, is_moderator }: Pick<AdminUser, 'is_admin' | 'is_moderator'>): string {
  if (is_admin) return 'Admin'
  return is_moderator ? 'Moderator' : 'User'
}
