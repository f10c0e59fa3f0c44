import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.tsx'

const now = new Date('2026-06-15T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const DAY = 86_400

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [-30, 'just now'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [3600, '1 hour ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, '1 day ago'],
  [30 * DAY - 1, '29 days ago'],
  [30 * DAY, '1 month ago'],
  [60 * DAY, '2 months ago'],
  [365 * DAY - 1, '12 months ago'],
  [365 * DAY, '1 year ago'],
  [730 * DAY, '2 years ago'],
])('shows %d seconds as %s', (seconds, text) => {
  expect(relativeTime(ago(seconds), now)).toBe(text)
})
