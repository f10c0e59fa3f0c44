import ExternalLink from 'lucide-react/icons/external-link'
import type { AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { useNow } from '#web/lib/clock.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Pill } from '#web/ui/pill.tsx'
import type { UserAction } from '#web/features/admin/users/user-actions.ts'
import { UserMenu } from '#web/features/admin/users/user-menu.tsx'
import { roleOf, statusOf } from '#web/features/admin/users/user-standing.ts'

export function MemberHeader({ user, onChoose }: { user: AdminUser; onChoose: (deed: UserAction) => void }) {
  const status = statusOf(user, useNow())
  return (
    <header className="flex flex-wrap items-center gap-4">
      <MemberAvatar member={{ author_avatar: user.avatar_url }} name={user.username} size="large" />
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
        <h3 className="text-xl font-semibold wrap-anywhere">
          <bdi>{user.display_name ?? user.username}</bdi>
        </h3>
        <p className="text-muted wrap-anywhere">
          <bdi>@{user.username}</bdi>
        </p>
        <p className="flex flex-wrap gap-2">
          <Pill tone={status.tone}>{status.label}</Pill>
          {roleOf(user) !== status.label && <Pill>{roleOf(user)}</Pill>}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <LinkButton to={`/profile/${encodeURIComponent(user.slug)}`}>
          <ExternalLink aria-hidden className="size-4" />
          Public profile
        </LinkButton>
        <UserMenu user={user} onChoose={onChoose} />
      </div>
    </header>
  )
}
