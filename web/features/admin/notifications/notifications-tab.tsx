import Bell from 'lucide-react/icons/bell'
import UserCheck from 'lucide-react/icons/user-check'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { StatCard } from '#web/features/admin/dashboard/stat-card.tsx'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { readStats } from '#web/features/admin/read-admin.ts'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import type { PickedUser } from '#web/features/admin/user-picker.tsx'
import { SendForm } from './send-form.tsx'
import { SystemPanel } from './system-panel.tsx'
import { TYPE_LABELS } from './type-labels.ts'

export function Tab() {
  const api = useApi()
  const { data: stats, failure, reload } = useLive('stats', (signal) => readStats(api, signal), 'Failed to fetch data')
  const [user, setUser] = useState<PickedUser>()
  const [isToAll, setToAll] = useState(false)
  if (failure) return <LoadError text={failure} onRetry={reload} />
  if (!stats) return <TabSkeleton />
  const selected = isToAll ? stats.total_users : Number(user !== undefined)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <StatCard icon={Users} label="Total Users" value={fullCount(stats.total_users)} />
        <StatCard icon={UserCheck} label="Selected Users" value={fullCount(selected)} />
        <StatCard icon={Bell} label="Notification Types" value={String(Object.keys(TYPE_LABELS).length)} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <SendForm
          totalUsers={stats.total_users}
          user={user}
          onPick={setUser}
          isToAll={isToAll}
          onToAll={(isOn) => {
            setToAll(isOn)
            if (isOn) setUser(undefined)
          }}
        />
        <SystemPanel system={stats.system} />
      </div>
    </div>
  )
}
