import { Link } from 'react-router'
import type { AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { memberAddress } from '#web/features/admin/portal-tabs.ts'

/** The five newest. */
export function RecentUsers({ users }: { users: readonly AdminUser[] }) {
  return (
    <Panel title="Recent Users">
      {users.length === 0 && <p className="text-muted">Nobody has signed in yet.</p>}
      <ul className="-my-3 flex flex-col divide-y divide-line">
        {users.map((user) => (
          <li key={user.id} className="flex items-center gap-3 py-3">
            <MemberAvatar member={{ author_avatar: user.avatar_url }} name={user.username} />
            <div className="min-w-0 flex-1">
              <Link
                to={memberAddress(user.id)}
                className="relative block truncate font-medium after:absolute after:inset-x-0 after:-inset-y-3 hover:text-accent hover:underline"
              >
                <bdi>{user.username}</bdi>
              </Link>
              <RelativeTime iso={user.created_at} className="text-sm text-muted" />
            </div>
            <Pill tone={user.is_admin ? 'accent' : 'neutral'}>{user.is_admin ? 'Admin' : 'User'}</Pill>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
