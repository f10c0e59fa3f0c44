import { type PointerEvent, useState } from 'react'
import type { DailyStats } from '#contract/admin.ts'
import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'

type Measure = Exclude<keyof DailyStats, 'day'>

const MEASURES: readonly [Measure, string][] = [
  ['sign_ups', 'Sign-ups'],
  ['uploads', 'Uploads'],
  ['downloads', 'Downloads'],
  ['ratings', 'Ratings'],
]

// Chart size in units of the SVG viewBox.
export const WIDTH = 300
export const HEIGHT = 64
/** Space above the highest value. */
const TOP = 6
const PERIODS = [30, 365] as const

/** Daily statistics as charts and as a table. */
export function ActivityPanel({ days }: { days: readonly DailyStats[] }) {
  const [period, setPeriod] = useState<number>(30)
  const shown = days.slice(-period)
  return (
    <Panel title="Activity" aside={<PeriodSwitch period={period} onChange={setPeriod} />}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {MEASURES.map(([measure, label]) => (
          <DayChart key={measure} label={label} days={shown} measure={measure} />
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

/** Area chart of one measure. The caption shows the day under the pointer, else the total. */
function DayChart({ label, days, measure }: { label: string; days: readonly DailyStats[]; measure: Measure }) {
  const [pointed, setPointed] = useState<number>()
  const { total, max, maxDay } = summarize(days, measure)
  const day = pointed === undefined ? undefined : days[pointed]
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(dayIndex((clientX - left) / width, days.length))
  }
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return <p className="text-muted">No {label.toLowerCase()} yet.</p>
  const step = WIDTH / days.length
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span aria-hidden className="truncate text-sm text-muted tabular-nums">
          {day ? `${dayText(day.day)}: ${fullCount(day[measure])}` : `${fullCount(total)} in ${days.length} days`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 ${-TOP} ${WIDTH} ${HEIGHT + TOP}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label} per day over ${days.length} days: ${fullCount(total)} in total${maxDay ? `, highest on ${dayText(maxDay)} with ${fullCount(max)}` : ''}.`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
        className="h-24 w-full overflow-hidden rounded-sm border-b border-line bg-surface-2"
      >
        {pointed !== undefined && (
          <rect x={pointed * step} width={step} y={-TOP} height={HEIGHT + TOP} className="fill-surface-3" />
        )}
        <path d={areaPath(days.map((one) => one[measure]))} className="fill-accent" />
      </svg>
      <p aria-hidden className="flex justify-between gap-4 text-xs text-muted tabular-nums">
        <span>{dayText(first.day)}</span>
        <span>{dayText(last.day)}</span>
      </p>
    </figure>
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

interface Summary {
  total: number
  max: number
  /** The latest day with the maximum. */
  maxDay: string | undefined
}

export function summarize(days: readonly DailyStats[], measure: Measure): Summary {
  const max = Math.max(0, ...days.map((day) => day[measure]))
  return {
    total: days.reduce((sum, day) => sum + day[measure], 0),
    max,
    maxDay: max > 0 ? days.findLast((day) => day[measure] === max)?.day : undefined,
  }
}

/** SVG path of a step area under the values. The highest value touches the top. */
export function areaPath(values: readonly number[]): string {
  const max = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  const points = values.flatMap((value, i) => {
    const y = round(HEIGHT - (value / max) * HEIGHT)
    return [`${round(i * step)} ${y}`, `${round((i + 1) * step)} ${y}`]
  })
  return points.length === 0 ? '' : `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Index of the day under a horizontal position, from 0 to 1 of the width. */
export function dayIndex(position: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(position * count)))
}
