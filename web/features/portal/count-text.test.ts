import { expect, test } from 'vitest'
import { countText } from './count-text.ts'

test.each([
  [0, '0 views'],
  [1, '1 view'],
  [1234, '1.2K views'],
])('writes %d with its noun as %s', (count, text) => {
  expect(countText(count, 'view')).toBe(text)
})
