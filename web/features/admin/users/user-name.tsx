import { Link } from 'react-router'
import type { AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { memberAddress } from '#web/features/admin/portal-tabs.ts'

/** Who it is, with the way to their page in the portal. */
export function UserName({ user }: { user: AdminUser }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <MemberAvatar member={{ author_avatar: user.avatar_url }} name={user.username} />
      <div className="min-w-0 flex-1">
        <Link
          to={memberAddress(user.id)}
          className="relative block truncate font-medium before:absolute before:-inset-y-2.5 before:inset-x-0 hover:text-accent hover:underline"
        >
          <bdi>{user.username}</bdi>
        </Link>
        <p className="truncate text-xs text-muted" title={user.email ?? undefined}>
          {user.email ?? `ID ${user.id}`}
        </p>
      </div>
    </div>
  )
}
