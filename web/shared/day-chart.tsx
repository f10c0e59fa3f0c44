import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { dayText } from '#web/lib/dates.ts'

const WIDTH = 600
const HEIGHT = 120

interface Props {
  label: string
  /** ISO days, oldest first. */
  days: readonly string[]
  /** One per day; null without data. */
  values: readonly (number | null)[]
  /** Text of the whole period, beside the label. */
  total: string
  format: (value: number) => string
  /** Top of the scale; by default a round number above the highest value. */
  max?: number
}

/** Bar chart of one value per day. The pointer and the arrow keys select a day, whose value replaces the total. */
export function DayChart({
  label,
  days,
  values,
  total,
  format,
  max = roundUp(Math.max(0, ...values.map(Number))),
}: Props) {
  const [selected, setSelected] = useState<number>()
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  const describe = (index: number) => {
    const value = values[index]
    return `${dayText(days[index] ?? first)}: ${value == null ? 'none' : format(value)}`
  }
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * days.length)
    setSelected(Math.min(Math.max(index, 0), days.length - 1))
  }
  const move = (event: KeyboardEvent) => {
    const next = indexForKey(event.key, selected ?? days.length - 1, days.length)
    if (next === undefined) return
    event.preventDefault()
    setSelected(next)
  }
  const index = selected ?? days.length - 1
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span aria-hidden className="truncate text-sm text-muted tabular-nums">
          {selected === undefined ? total : describe(selected)}
        </span>
      </figcaption>
      <div className="flex gap-2">
        <p
          aria-hidden
          className="flex w-8 shrink-0 flex-col justify-between text-right text-xs text-muted tabular-nums"
        >
          <span>{format(max)}</span>
          <span>{format(max / 2)}</span>
          <span>0</span>
        </p>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label} per day`}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={index + 1}
          aria-valuetext={describe(index)}
          onKeyDown={move}
          onFocus={() => setSelected(index)}
          onBlur={() => setSelected(undefined)}
          onPointerMove={point}
          onPointerLeave={() => setSelected(undefined)}
          className="min-w-0 flex-1 touch-pan-y rounded-sm"
        >
          <Bars values={values} max={max} selected={selected} />
        </div>
      </div>
      <p aria-hidden className="flex justify-between gap-4 pl-10 text-xs text-muted tabular-nums">
        <span>{dayText(first)}</span>
        <span>{dayText(last)}</span>
      </p>
    </figure>
  )
}

interface BarsProps extends Pick<Props, 'values'> {
  max: number
  selected: number | undefined
}

function Bars({ values, max, selected }: BarsProps) {
  const step = WIDTH / values.length
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-32 w-full border-b border-line-strong"
    >
      <path d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} vectorEffect="non-scaling-stroke" className="stroke-line" />
      {selected !== undefined && <rect x={selected * step} width={step} height={HEIGHT} className="fill-surface-3" />}
      <path d={barPath(values, max)} className="fill-accent" />
    </svg>
  )
}

/** SVG path of the bars. Values above `max` are cut off. */
export function barPath(values: readonly (number | null)[], max: number): string {
  const step = WIDTH / values.length
  const width = round(step * 0.8)
  return values
    .map((value, i) => {
      if (!value || max <= 0) return ''
      // A small value stays visible.
      const height = round(Math.max((Math.min(value, max) / max) * HEIGHT, 1.5))
      return `M${round(i * step + (step - width) / 2)} ${HEIGHT}v${-height}h${width}v${height}z`
    })
    .join('')
}

const round = (value: number) => Math.round(value * 100) / 100

/** The next of 2, 4, 10, 20, 40, 100 and so on: half of it is a whole number too. */
export function roundUp(value: number): number {
  let power = 1
  while (10 * power < value) power *= 10
  return [2, 4, 10].map((factor) => factor * power).find((limit) => limit >= value) ?? 10 * power
}

const PAGE = 7

function indexForKey(key: string, index: number, count: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - PAGE,
    PageUp: index + PAGE,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1)
}
