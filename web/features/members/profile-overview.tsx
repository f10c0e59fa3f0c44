import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FileCode2 from 'lucide-react/icons/file-code-corner'
import Sparkles from 'lucide-react/icons/sparkles'
import Star from 'lucide-react/icons/star'
import type { LucideIcon } from 'lucide-react'
import type { Profile } from '#contract/members.ts'
import { compactCount, fullCount, ratingText } from '#web/lib/numbers.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HiddenBadge } from './hidden-badge.tsx'
import { displayNameOf } from './display-name.ts'

/** What a member has done here, in four figures. */
export function ProfileOverview({ profile }: { profile: Profile }) {
  const stats = profile.script_stats
  const isHidden = !profile.privacy_settings.show_script_stats
  return (
    <section aria-labelledby="figures" className="flex flex-col gap-3">
      <h2 id="figures" className="flex items-center gap-2 text-base font-semibold">
        Figures
        {stats && isHidden && <HiddenBadge />}
      </h2>
      {stats ? <Stats stats={stats} /> : <NoStats name={displayNameOf(profile)} />}
    </section>
  )
}

function NoStats({ name }: { name: string }) {
  return <EmptyState icon={EyeOff} title="Figures are hidden" text={`${name} keeps these figures to themself.`} />
}

function Stats({ stats }: { stats: NonNullable<Profile['script_stats']> }) {
  return (
    <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
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
        full={ratingText(stats.average_rating)}
      />
    </dl>
  )
}

function Stat({ icon: Icon, label, value, full }: { icon: LucideIcon; label: string; value: string; full: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-md border border-line bg-surface-1 p-4">
      <dt className="flex items-center gap-2 text-muted">
        <Icon aria-hidden className="size-4 shrink-0" />
        {label}
      </dt>
      <dd title={full} className="text-2xl font-semibold tabular-nums">
        {value}
      </dd>
    </div>
  )
}
