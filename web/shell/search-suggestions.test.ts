import { expect, test } from 'vitest'
import { nextIndex } from './search-suggestions.tsx'

test.each([
  [-1, 1, 3, 0],
  [0, 1, 3, 1],
  [2, 1, 3, -1],
  [-1, -1, 3, 2],
  [0, -1, 3, -1],
  [-1, 1, 0, -1],
  [-1, -1, 0, -1],
] as const)('from option %i by %i of %i, the arrow keys move to %i', (index, step, length, next) => {
  expect(nextIndex(index, step, length)).toBe(next)
})
