import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { dayText, timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'

const until = (end: string) => (end === 'permanent' ? 'Permanent' : timeText(end))

export function MemberFacts({ user }: { user: AdminUser }) {
  return (
    <Panel title="Details">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="ID">{user.id}</Fact>
        <Fact name="E-mail">{user.email ?? 'None'}</Fact>
        <Fact name="Discord ID">{user.discord_id}</Fact>
        <Fact name="Title">{user.title ?? 'None'}</Fact>
        <Fact name="Badge">{user.custom_badge ?? 'None'}</Fact>
        <Fact name="Reputation">{fullCount(user.reputation)}</Fact>
        <Fact name="Warnings">{user.warning_count_active} active</Fact>
        <Fact name="Plan">{user.subscription_type === 'premium' ? 'Premium' : 'Free'}</Fact>
        <Fact name="Joined">{dayText(user.created_at)}</Fact>
        <Fact name="Last seen">{user.last_seen_at ? <RelativeTime iso={user.last_seen_at} /> : 'Never'}</Fact>
        {user.is_banned && <Fact name="Banned until">{until(user.ban_expires_at ?? 'permanent')}</Fact>}
        {user.is_muted && <Fact name="Muted until">{until(user.mute_expires_at ?? 'permanent')}</Fact>}
      </dl>
      {user.notes && (
        <>
          <h4 className="mt-4 font-medium">Admin notes</h4>
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap text-muted">
            {user.notes}
          </p>
        </>
      )}
    </Panel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{children}</dd>
    </>
  )
}
