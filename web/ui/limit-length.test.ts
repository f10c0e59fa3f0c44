import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitLength } from './limit-length.ts'

test.each([
  ['abc', 'abcd', 3, 'abc'],
  ['abc', 'abcd', 4, 'abcd'],
  ['abc', 'axyzbc', 5, 'axybc'],
  ['ab', 'a👩b', 3, 'a👩b'],
  ['', '👩👩👩', 2, '👩👩'],
  ['abc', 'xyz1', 3, 'xyz'],
  ['too long', 'too lon', 3, 'too lon'],
])('%j changed to %j with a limit of %d is %j', (former, next, limit, text) => {
  expect(limitLength(former, next, limit)).toBe(text)
})

test('a text within its limit stays within it, and what was there before stays', () => {
  const part = fc.string({ unit: 'grapheme', maxLength: 5 })
  fc.assert(
    fc.property(part, part, part, (start, pasted, end) => {
      const former = start + end
      const limit = Array.from(former).length + 1
      const text = limitLength(former, start + pasted + end, limit)
      expect(Array.from(text).length).toBeLessThanOrEqual(limit)
      // "r" that becomes "rar" had "ra" inserted before it, or "ar" after it.
      const splits = Array.from({ length: former.length + 1 }, (_, i) => [former.slice(0, i), former.slice(i)] as const)
      expect(splits.some(([head, tail]) => text.startsWith(head) && text.endsWith(tail))).toBe(true)
    }),
  )
})
