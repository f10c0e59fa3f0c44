import { Link } from '#web/router/router.tsx'
import FileCode from 'lucide-react/icons/file-code-corner'
import Flag from 'lucide-react/icons/flag'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Users from 'lucide-react/icons/users'
import type { AdminStats, AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { readStats } from '#web/features/portal/admin-keys.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { LoadError, StatCard } from '#web/features/portal/tab-parts.tsx'

export const loader = createLoader((api, { signal }) => readStats(api, signal))

export function Component() {
  const { data: stats, error, reload } = useTabData<AdminStats>()
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!stats) return <DashboardSkeleton />
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="sm:col-span-3 xl:col-span-1">
          <UsersCard stats={stats} />
        </div>
        <StatCard
          icon={FileCode}
          label="Total scripts"
          value={fullCount(stats.total_scripts)}
          help={`${fullCount(stats.total_downloads)} downloads`}
        />
        <StatCard
          icon={ShieldCheck}
          label="Admin users"
          value={fullCount(stats.admin_users)}
          help="moderators & admins"
        />
        <StatCard
          icon={Flag}
          label="Open reports"
          value={fullCount(stats.open_reports)}
          help={
            <Link to="/admin/moderation" className="text-accent hover:underline">
              Review reports
            </Link>
          }
        />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <ActivityPanel days={stats.days} />
        <RecentUsers users={stats.recent_users} />
      </div>
    </div>
  )
}

function UsersCard({ stats }: { stats: AdminStats }) {
  const { total_users, new_users_today, active_users, banned_users } = stats
  const percent = total_users > 0 ? Math.round((active_users / total_users) * 100) : 100
  return (
    <StatCard
      icon={Users}
      label="Total users"
      value={fullCount(total_users)}
      help={
        <>
          <span className={new_users_today > 0 ? 'text-success' : ''}>+{fullCount(new_users_today)}</span> today
        </>
      }
    >
      <div className="mt-auto flex flex-col gap-2 pt-2">
        <progress
          value={active_users}
          max={Math.max(total_users, 1)}
          aria-label={`${percent}% of all users are active`}
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-moz-progress-bar]:bg-accent-strong [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-accent-strong"
        />
        <p className="flex justify-between gap-4 tabular-nums">
          <span>{fullCount(active_users)} active</span>
          <span className={banned_users > 0 ? 'text-danger' : 'text-muted'}>{fullCount(banned_users)} banned</span>
        </p>
      </div>
    </StatCard>
  )
}

function RecentUsers({ users }: { users: readonly AdminUser[] }) {
  return (
    <Panel title="Recent users">
      {users.length === 0 && <p className="text-muted">Nobody has signed in yet.</p>}
      <ul className="-my-3 flex flex-col divide-y divide-line">
        {users.map((user) => (
          <li key={user.id} className="flex items-center gap-3 py-3">
            <MemberAvatar
              member={{ author_avatar: user.avatar_url, discord_id: user.discord_id }}
              name={user.username}
            />
            <div className="min-w-0 flex-1">
              <Link
                to={`/admin/users/${user.id}`}
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

function DashboardSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <output className="sr-only">Loading...</output>
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-[2fr_1fr_1fr_1fr]">
        <Skeleton className="h-44 sm:col-span-3 xl:col-span-1" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <Skeleton className="h-96" />
        <Skeleton className="h-80" />
      </div>
    </div>
  )
}
