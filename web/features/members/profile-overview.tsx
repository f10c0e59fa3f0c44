import type { LucideIcon } from 'lucide-react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Clock from 'lucide-react/icons/clock'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FileCode2 from 'lucide-react/icons/file-code-corner'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sparkles from 'lucide-react/icons/sparkles'
import Star from 'lucide-react/icons/star'
import type { ReactNode } from 'react'
import type { Profile } from '#contract/members.ts'
import { type ProfileStats, shownStats } from '#contract/profile-stats.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { ReputationSlot } from '#web/shared/reputation-slot.tsx'
import { compactCount, fullCount, ratingText } from '#web/lib/numbers.ts'
import { HiddenBadge } from './profile-header.tsx'
import { displayNameOf } from './profile-url.ts'

/** A member's stats: scripts, reputation, views and rating. */
export function ProfileOverview({ profile }: { profile: Profile }) {
  const stats = shownStats(profile)
  const isHidden = !profile.privacy_settings.show_script_stats
  return (
    <section aria-labelledby="stats" className="flex flex-col gap-2">
      <h2 id="stats" className={stats && isHidden ? 'flex items-center gap-2 font-semibold' : 'sr-only'}>
        Stats
        {stats && isHidden && <HiddenBadge />}
      </h2>
      {stats ? <StatCards stats={stats} /> : <NoStats name={displayNameOf(profile)} />}
    </section>
  )
}

function NoStats({ name }: { name: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-md border border-line bg-surface-1 px-4 py-3 text-muted">
      <EyeOff aria-hidden className="size-4" />
      <strong className="font-medium text-text">Stats hidden</strong>
      {name} has chosen not to share stats.
    </p>
  )
}

function StatCards({ stats }: { stats: ProfileStats }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-4">
      <Stat
        icon={FileCode2}
        label="Scripts"
        value={compactCount(stats.scripts_uploaded)}
        full={fullCount(stats.scripts_uploaded)}
      />
      <Stat
        icon={Sparkles}
        label="Reputation"
        value={compactCount(stats.reputation)}
        full={fullCount(stats.reputation)}
      />
      <Stat icon={Eye} label="Views" value={compactCount(stats.total_views)} full={fullCount(stats.total_views)} />
      <Stat
        icon={Star}
        label="Rating"
        value={ratingText(stats.average_rating)}
        full={stats.average_rating > 0 ? ratingText(stats.average_rating) : 'No ratings yet'}
      />
    </dl>
  )
}

function Stat({ icon: Icon, label, value, full }: { icon: LucideIcon; label: string; value: string; full: string }) {
  return (
    <div className="flex min-w-0 flex-col bg-surface-1 px-4 py-3">
      <dt className="flex items-center gap-2 text-muted">
        <Icon aria-hidden className="size-4 shrink-0" />
        {label}
      </dt>
      <dd title={full} className="text-xl font-semibold tabular-nums">
        {value}
      </dd>
    </div>
  )
}

interface SideProps {
  profile: Profile
  /** The viewer gave the member reputation; receives the new total. */
  onReputation: (reputation: number) => void
}

/** Membership, activity and reputation, beside the tabs. */
export function ProfileSide({ profile, onReputation }: SideProps) {
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
            reputation={script_stats.reputation ?? undefined}
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
            <p className="text-muted">Maintains this site and its community.</p>
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
