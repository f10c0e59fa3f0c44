import FileCode2 from 'lucide-react/icons/file-code-corner'
import Flag from 'lucide-react/icons/flag'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Users from 'lucide-react/icons/users'
import { Link } from 'react-router'
import { fullCount } from '#web/lib/numbers.ts'
import { useApi } from '#web/lib/api-context.ts'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { tabAddress } from '#web/features/admin/portal-tabs.ts'
import { readStats } from '#web/features/admin/read-admin.ts'
import { useLive } from '#web/features/admin/use-live.ts'
import { Charts } from './charts.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { RecentUsers } from './recent-users.tsx'
import { StatCard } from './stat-card.tsx'
import { UsersCard } from './users-card.tsx'

export function Tab() {
  const api = useApi()
  const { data: stats, failure, reload } = useLive('stats', (signal) => readStats(api, signal), 'Failed to fetch data')
  if (failure) return <LoadError text={failure} onRetry={reload} />
  if (!stats) return <DashboardSkeleton />
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="sm:col-span-3 lg:col-span-1">
          <UsersCard stats={stats} icon={Users} />
        </div>
        <StatCard
          icon={FileCode2}
          label="Total Scripts"
          value={fullCount(stats.total_scripts)}
          help={`${fullCount(stats.total_downloads)} downloads`}
        />
        <StatCard
          icon={ShieldCheck}
          label="Admin Users"
          value={fullCount(stats.admin_users)}
          help="moderators & admins"
        />
        <StatCard
          icon={Flag}
          label="Open Reports"
          value={fullCount(stats.open_reports)}
          help={
            <Link to={tabAddress('moderation')} className="text-accent hover:underline">
              Go to the reports
            </Link>
          }
        />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <Charts days={stats.days} />
        <RecentUsers users={stats.recent_users} />
      </div>
    </div>
  )
}
