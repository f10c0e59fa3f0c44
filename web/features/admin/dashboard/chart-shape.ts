import type { AdminStats } from '#contract/admin.ts'

export type Day = AdminStats['days'][number]
export type Measure = Exclude<keyof Day, 'day'>

/** What is counted, and what it is called. */
export const MEASURES: readonly [Measure, string][] = [
  ['sign_ups', 'Sign-ups'],
  ['uploads', 'Uploads'],
  ['downloads', 'Downloads'],
  ['ratings', 'Ratings'],
]

export const WIDTH = 300
export const HEIGHT = 64

/** The last `count` days. */
export const lastDays = (days: readonly Day[], count: number): Day[] => days.slice(-count)

export interface Summary {
  total: number
  max: number
  /** The day of the most; the latest of several. */
  maxDay: string | undefined
}

export function summarize(days: readonly Day[], measure: Measure): Summary {
  const max = Math.max(0, ...days.map((day) => day[measure]))
  return {
    total: days.reduce((sum, day) => sum + day[measure], 0),
    max,
    maxDay: max > 0 ? days.findLast((day) => day[measure] === max)?.day : undefined,
  }
}

/** The outline of an area under the days' figures, the highest touching the top, as an SVG path. */
export function areaPath(figures: readonly number[]): string {
  const most = Math.max(1, ...figures)
  const step = WIDTH / Math.max(1, figures.length)
  const points = figures.flatMap((figure, index) => {
    const y = round(HEIGHT - (figure / most) * HEIGHT)
    return [`${round(index * step)} ${y}`, `${round((index + 1) * step)} ${y}`]
  })
  return points.length === 0 ? '' : `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Which of `count` days lies under a place, 0 to 1 of the width. */
export function dayAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}
