import { expect, test } from 'vitest'
import { barPath, roundUp } from './day-chart.tsx'

test.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [11, 20],
  [399, 400],
  [401, 1000],
  [1_000_001, 2_000_000],
])('the scale of values up to %d ends at %d', (value, top) => {
  expect(roundUp(value)).toBe(top)
})

test('a chart has a bar for every day with a value, none above the scale', () => {
  expect(barPath([0, null, 5, 20, 0.001], 10)).toBe('M252 120v-60h96v60zM372 120v-120h96v120zM492 120v-1.5h96v1.5z')
})
