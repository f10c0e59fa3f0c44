import type { Sanction } from '#contract/admin.ts'
import { timeText } from '#web/lib/dates.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Pill } from '#web/ui/pill.tsx'

const KINDS = { ban: 'Ban', mute: 'Mute', warning: 'Warning' } as const

/** Bans, mutes and warnings, past and present, the newest first. */
export function Sanctions({ sanctions }: { sanctions: readonly Sanction[] }) {
  return (
    <Panel title="Sanctions">
      {sanctions.length === 0 && <p className="text-muted">None so far.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {sanctions.map((sanction) => (
          <li key={sanction.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">
                {KINDS[sanction.kind]}
                {sanction.severity && `, ${sanction.severity}`}
              </span>
              <Pill tone={sanction.is_active ? 'danger' : 'neutral'}>{standingOf(sanction)}</Pill>
            </p>
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {sanction.reason}
            </p>
            <p className="text-sm text-muted wrap-anywhere">{historyOf(sanction)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function standingOf({ is_active, lifted_at }: Sanction): string {
  if (is_active) return 'Active'
  return lifted_at ? 'Lifted' : 'Expired'
}

function historyOf({ imposed_at, imposed_by, ends_at, lifted_at, lifted_by }: Sanction): string {
  const end = ends_at === null || ends_at === 'permanent' ? 'permanent' : `until ${timeText(ends_at)}`
  const lifted = lifted_at ? `, lifted ${timeText(lifted_at)} by ${lifted_by ?? 'the site'}` : ''
  return `${timeText(imposed_at)} by ${imposed_by ?? 'the site'}, ${end}${lifted}`
}
