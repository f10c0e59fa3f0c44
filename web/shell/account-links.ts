import Braces from 'lucide-react/icons/braces'
import ChartColumn from 'lucide-react/icons/chart-column'
import FileCode from 'lucide-react/icons/file-code'
import Flag from 'lucide-react/icons/flag'
import Heart from 'lucide-react/icons/heart'
import Library from 'lucide-react/icons/library'
import Scale from 'lucide-react/icons/scale'
import Settings from 'lucide-react/icons/settings'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Upload from 'lucide-react/icons/upload'
import UserRound from 'lucide-react/icons/user-round'
import UsersRound from 'lucide-react/icons/users-round'
import type { CurrentUser } from '#contract/accounts.ts'
import { ownProfilePath } from '#web/lib/session.tsx'
import type { PageLink } from './navigation-links.ts'

export const apiLink: PageLink = { to: '/api/docs', label: 'API', icon: Braces }

/** The pages of a member: their content, and the rest. */
export function accountLinks(user: CurrentUser): readonly (readonly PageLink[])[] {
  const profile = ownProfilePath(user)
  return [
    [
      { to: profile, label: 'Public profile', icon: UserRound },
      { to: `${profile}?tab=scripts`, label: 'Your scripts', icon: FileCode },
      { to: '/dashboard', label: 'Statistics', icon: ChartColumn },
      { to: '/favorites', label: 'Favorites', icon: Heart },
      { to: '/collections', label: 'Collections', icon: Library },
      { to: '/following', label: 'Following', icon: UsersRound },
      { to: '/upload', label: 'Upload a script', icon: Upload },
    ],
    [
      { to: '/profile/settings', label: 'Settings', icon: Settings },
      { to: '/appeals', label: 'Decisions and appeals', icon: Scale },
      apiLink,
      ...staffLinks(user),
    ],
  ]
}

function staffLinks({ is_admin, is_moderator }: CurrentUser): PageLink[] {
  if (is_admin) return [{ to: '/admin', label: 'Admin Panel', icon: ShieldCheck }]
  return is_moderator ? [{ to: '/moderation', label: 'Report queue', icon: Flag }] : []
}
