import { useState } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import { type Day, lastDays, MEASURES } from './chart-shape.ts'
import { DayChart } from './day-chart.tsx'
import { StatsTable } from './stats-table.tsx'

const SPANS = [30, 365] as const

/** What happened day by day, drawn and as a table. */
export function Charts({ days }: { days: readonly Day[] }) {
  const [span, setSpan] = useState<number>(30)
  const shown = lastDays(days, span)
  return (
    <Panel title="Activity" aside={<SpanSwitch span={span} onChange={setSpan} />}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {MEASURES.map(([measure, label]) => (
          <DayChart key={measure} label={label} days={shown} measure={measure} />
        ))}
      </div>
      <details className="mt-4 border-t border-line pt-2">
        <summary className="inline-flex min-h-11 items-center rounded-sm font-medium text-accent hover:underline sm:min-h-8">
          Figures as a table
        </summary>
        <StatsTable days={shown} />
      </details>
    </Panel>
  )
}

function SpanSwitch({ span, onChange }: { span: number; onChange: (span: number) => void }) {
  return (
    <fieldset className="flex gap-1 rounded-sm bg-surface-2 p-0.5">
      <legend className="sr-only">Period</legend>
      {SPANS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === span}
          onClick={() => onChange(days)}
          className="min-h-11 rounded-sm px-3 text-muted hover:text-text aria-pressed:bg-surface-1 aria-pressed:font-medium aria-pressed:text-text sm:min-h-8"
        >
          {days} days
        </button>
      ))}
    </fieldset>
  )
}
