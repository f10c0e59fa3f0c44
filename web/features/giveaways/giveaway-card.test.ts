import { expect, test } from 'vitest'
import { countdown } from './giveaway-card.tsx'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'Ended'],
  [-1, 'Ended'],
  [-9 * DAY, 'Ended'],
  [1, '0m remaining'],
  [MINUTE - 1, '0m remaining'],
  [MINUTE, '1m remaining'],
  [HOUR - 1, '59m remaining'],
  [HOUR, '1h 0m remaining'],
  [4 * HOUR + 7 * MINUTE, '4h 7m remaining'],
  [DAY - 1, '23h 59m remaining'],
  [DAY, '1d 0h remaining'],
  [12 * DAY + 4 * HOUR + 59 * MINUTE, '12d 4h remaining'],
  [400 * DAY, '400d 0h remaining'],
])('shows %i ms before the end as %j', (left, text) => {
  const now = Date.UTC(2026, 0, 1)
  expect(countdown(now + left, now)).toBe(text)
})
