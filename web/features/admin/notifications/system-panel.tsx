import type { ReactNode } from 'react'
import type { AdminStats } from '#contract/admin.ts'
import { timeText } from '#web/lib/dates.ts'
import { Panel } from '#web/ui/panel.tsx'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What runs, and since when. */
export function SystemPanel({ system }: { system: AdminStats['system'] }) {
  const { environment, version, started_at, database, database_version } = system
  return (
    <Panel title="System Information">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="Environment">{capital(environment)}</Fact>
        <Fact name="Version">{version}</Fact>
        <Fact name="Last Deploy">
          <time dateTime={started_at}>{timeText(started_at)}</time>
        </Fact>
        <Fact name="Status">
          <span className={database === 'Operational' ? 'font-medium text-success' : 'font-medium text-warning'}>
            {database}
          </span>
        </Fact>
        <Fact name="Database">{database_version}</Fact>
      </dl>
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
