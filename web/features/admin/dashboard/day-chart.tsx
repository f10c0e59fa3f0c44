import { type PointerEvent, useState } from 'react'
import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { areaPath, type Day, dayAt, HEIGHT, type Measure, summarize, WIDTH } from './chart-shape.ts'

/** Room above the highest. */
const TOP = 6

/** One measure day by day. Its summary is read out; pointing at a day shows that day's figure. */
export function DayChart({ label, days, measure }: { label: string; days: readonly Day[]; measure: Measure }) {
  const [pointed, setPointed] = useState<number>()
  const { total, max, maxDay } = summarize(days, measure)
  const one = pointed === undefined ? undefined : days[pointed]
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(dayAt((clientX - left) / width, days.length))
  }
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return <p className="text-muted">No {label.toLowerCase()} have been counted yet.</p>
  const step = WIDTH / days.length
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span aria-hidden className="truncate text-sm text-muted tabular-nums">
          {one ? `${dayText(one.day)}: ${fullCount(one[measure])}` : `${fullCount(total)} in ${days.length} days`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 ${-TOP} ${WIDTH} ${HEIGHT + TOP}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label} per day over ${days.length} days: ${fullCount(total)} in all${maxDay ? `, most on ${dayText(maxDay)} with ${fullCount(max)}` : ''}.`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
        className="h-24 w-full overflow-hidden rounded-sm border-b border-line bg-surface-2"
      >
        {pointed !== undefined && (
          <rect x={pointed * step} width={step} y={-TOP} height={HEIGHT + TOP} className="fill-surface-3" />
        )}
        <path d={areaPath(days.map((day) => day[measure]))} className="fill-accent" />
      </svg>
      <p aria-hidden className="flex justify-between gap-4 text-xs text-muted tabular-nums">
        <span>{dayText(first.day)}</span>
        <span>{dayText(last.day)}</span>
      </p>
    </figure>
  )
}
