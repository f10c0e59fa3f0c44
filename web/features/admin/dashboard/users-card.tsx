import type { LucideIcon } from 'lucide-react'
import type { AdminStats } from '#contract/admin.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { StatCard } from './stat-card.tsx'

/** All members, today's new ones, and how many of all are banned. */
export function UsersCard({ stats, icon }: { stats: AdminStats; icon: LucideIcon }) {
  const { total_users, new_users_today, active_users, banned_users } = stats
  const share = total_users > 0 ? Math.round((active_users / total_users) * 100) : 100
  return (
    <StatCard
      icon={icon}
      label="Total Users"
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
          aria-label={`${share}% of all users are active`}
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
