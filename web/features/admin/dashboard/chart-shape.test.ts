import { expect, test } from 'vitest'
import { areaPath, type Day, dayAt, HEIGHT, lastDays, summarize, WIDTH } from './chart-shape.ts'

const day = (name: string, downloads: number): Day => ({ day: name, downloads, sign_ups: 0, uploads: 0, ratings: 0 })
const days = [day('2026-11-01', 4), day('2026-11-02', 9), day('2026-11-03', 9), day('2026-11-04', 0)]

test('the last days are the newest ones, in their order', () => {
  expect(lastDays(days, 2).map(({ day: name }) => name)).toEqual(['2026-11-03', '2026-11-04'])
  expect(lastDays(days, 30)).toEqual(days)
})

test('a summary counts all days and names the latest of the best', () => {
  expect(summarize(days, 'downloads')).toEqual({ total: 22, max: 9, maxDay: '2026-11-03' })
})

test('days without anything have no best day', () => {
  expect(summarize(days, 'uploads')).toEqual({ total: 0, max: 0, maxDay: undefined })
})

test('the area touches the top at the most and the ground at nothing', () => {
  expect(areaPath([2, 0])).toBe(
    `M0 ${HEIGHT}L0 0L${WIDTH / 2} 0L${WIDTH / 2} ${HEIGHT}L${WIDTH} ${HEIGHT}L${WIDTH} ${HEIGHT}Z`,
  )
})

test('no days are no area, and days of nothing lie on the ground', () => {
  expect(areaPath([])).toBe('')
  expect(areaPath([0])).not.toContain('NaN')
})

test('every place lies on a day', () => {
  expect([-1, 0, 0.5, 1, 2].map((share) => dayAt(share, 4))).toEqual([0, 0, 2, 3, 3])
})
