import CalendarDays from 'lucide-react/icons/calendar-days'
import Clock from 'lucide-react/icons/clock'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Profile } from '#contract/members.ts'
import { ReputationSlot } from '#web/components/reputation-slot.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { HiddenBadge } from './hidden-badge.tsx'
import { displayNameOf } from './display-name.ts'

interface Props {
  profile: Profile
  /** The viewer gave the member a point. */
  onReputation: (reputation: number) => void
}

/** Beside the tabs: since when, last seen, a point to give, and who the admins are. */
export function ProfileSide({ profile, onReputation }: Props) {
  const { user_id, created_at, last_seen_at, is_admin, privacy_settings, script_stats } = profile
  return (
    <aside aria-label="About this member" className="flex min-w-0 flex-col gap-4">
      <section aria-labelledby="quick-stats" className="rounded-md border border-line bg-surface-1 p-4">
        <h2 id="quick-stats" className="text-base font-semibold">
          Quick Stats
        </h2>
        <dl className="mt-2 flex flex-col">
          {created_at && (
            <Fact icon={CalendarDays} label="Member Since">
              <time dateTime={created_at}>{new Date(created_at).getUTCFullYear()}</time>
            </Fact>
          )}
          {last_seen_at && (
            <Fact icon={Clock} label="Last Seen">
              {!privacy_settings.show_recent_activity && <HiddenBadge />}
              <RelativeTime iso={last_seen_at} />
            </Fact>
          )}
        </dl>
        <div className="mt-3">
          <ReputationSlot
            memberId={user_id}
            name={displayNameOf(profile)}
            reputation={script_stats?.reputation}
            onReputation={onReputation}
          />
        </div>
      </section>
      {is_admin && (
        <section
          aria-labelledby="administrator"
          className="flex gap-3 rounded-md border border-line bg-accent-soft p-4"
        >
          <ShieldCheck aria-hidden className="size-6 shrink-0 text-accent" />
          <div>
            <h2 id="administrator" className="font-semibold text-accent">
              Administrator
            </h2>
            <p className="text-muted">Looks after this site and its community.</p>
          </div>
        </section>
      )}
    </aside>
  )
}

function Fact({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4">
      <dt className="flex items-center gap-2 text-muted">
        <Icon aria-hidden className="size-4" />
        {label}
      </dt>
      <dd className="flex items-center gap-2 text-right font-medium tabular-nums">{children}</dd>
    </div>
  )
}
