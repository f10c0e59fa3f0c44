import { expect, test } from 'vitest'
import type { DailyStats } from '#contract/admin.ts'
import { areaPath, dayIndex, HEIGHT, summarize, WIDTH } from './activity-panel.tsx'

const day = (name: string, downloads: number): DailyStats => ({
  day: name,
  downloads,
  sign_ups: 0,
  uploads: 0,
  ratings: 0,
})
const days = [day('2026-11-01', 4), day('2026-11-02', 9), day('2026-11-03', 9), day('2026-11-04', 0)]

test('summarizes all days and names the latest day with the maximum', () => {
  expect(summarize(days, 'downloads')).toEqual({ total: 22, max: 9, maxDay: '2026-11-03' })
})

test('names no day if all values are zero', () => {
  expect(summarize(days, 'uploads')).toEqual({ total: 0, max: 0, maxDay: undefined })
})

test('the area touches the top at the maximum and the bottom at zero', () => {
  expect(areaPath([2, 0])).toBe(
    `M0 ${HEIGHT}L0 0L${WIDTH / 2} 0L${WIDTH / 2} ${HEIGHT}L${WIDTH} ${HEIGHT}L${WIDTH} ${HEIGHT}Z`,
  )
})

test('the area is empty without days, and flat if all values are zero', () => {
  expect(areaPath([])).toBe('')
  expect(areaPath([0])).not.toContain('NaN')
})

test('maps every position to a day', () => {
  expect([-1, 0, 0.5, 1, 2].map((position) => dayIndex(position, 4))).toEqual([0, 0, 2, 3, 3])
})
