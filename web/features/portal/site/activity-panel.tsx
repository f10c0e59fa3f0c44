import { useState } from 'react'
import type { DailyStats } from '#contract/admin.ts'
import { DayChart } from '#web/shared/day-chart.tsx'
import { dayText } from '#web/lib/dates.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'

type Measure = Exclude<keyof DailyStats, 'day'>

const MEASURES: readonly [Measure, string][] = [
  ['sign_ups', 'Sign-ups'],
  ['uploads', 'Uploads'],
  ['downloads', 'Downloads'],
  ['ratings', 'Ratings'],
]

const PERIODS = [30, 365] as const

export function ActivityPanel({ days }: { days: readonly DailyStats[] }) {
  const [period, setPeriod] = useState<number>(30)
  const shown = days.slice(-period)
  return (
    <Panel title="Activity" aside={<PeriodSwitch period={period} onChange={setPeriod} />}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {MEASURES.map(([measure, label]) => (
          <DayChart
            key={measure}
            label={label}
            days={shown.map(({ day }) => day)}
            values={shown.map((one) => one[measure])}
            total={`${fullCount(shown.reduce((sum, one) => sum + one[measure], 0))} in ${shown.length} days`}
            format={compactCount}
          />
        ))}
      </div>
      <details className="mt-4 border-t border-line pt-2">
        <summary className="inline-flex min-h-11 items-center rounded-sm font-medium text-accent hover:underline sm:min-h-8">
          Show as a table
        </summary>
        <StatsTable days={shown} />
      </details>
    </Panel>
  )
}

function PeriodSwitch({ period, onChange }: { period: number; onChange: (period: number) => void }) {
  return (
    <fieldset className="flex gap-1 rounded-sm bg-surface-2 p-0.5">
      <legend className="sr-only">Period</legend>
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === period}
          onClick={() => onChange(days)}
          className="min-h-11 rounded-sm px-3 text-muted hover:text-text aria-pressed:bg-surface-1 aria-pressed:font-medium aria-pressed:text-text sm:min-h-8"
        >
          {days} days
        </button>
      ))}
    </fieldset>
  )
}

/** The values behind the charts, newest day first. */
function StatsTable({ days }: { days: readonly DailyStats[] }) {
  return (
    <section
      aria-label="Stats by day"
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-sm border border-line"
    >
      <table className="w-full border-separate border-spacing-0 text-right tabular-nums">
        <thead className="sticky top-0 bg-surface-2">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium">
              Day
            </th>
            {MEASURES.map(([measure, label]) => (
              <th key={measure} scope="col" className="px-3 py-2 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row" className="border-t border-line px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {dayText(day.day)}
              </th>
              {MEASURES.map(([measure]) => (
                <td key={measure} className="border-t border-line px-3 py-1.5">
                  {fullCount(day[measure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
