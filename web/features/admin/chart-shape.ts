import type { DailyStats } from '#contract/admin.ts'

export type Measure = Exclude<keyof DailyStats, 'day'>

export const MEASURES: readonly [Measure, string][] = [
  ['sign_ups', 'Sign-ups'],
  ['uploads', 'Uploads'],
  ['downloads', 'Downloads'],
  ['ratings', 'Ratings'],
]

// Units of the chart's view box.
export const WIDTH = 300
export const HEIGHT = 64

export interface Summary {
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
