import { expect, test } from 'vitest'
import { findMatches, MAX_MATCHES } from './find-matches.ts'

test.each([
  ['Print(print)', 'PRINT', [0, 6]],
  ['a.b a-b', 'a.b', [0]],
  ['x[1] = {}', '[1]', [1]],
  ['İstanbul is', 'is', [9]],
  ['a\nb', 'a\nb', [0]],
  ['😀 a 😀', '😀', [0, 5]],
  ['-/\\^$*+?.()|[]{}', '/\\^$*+?.()|[]{}', [1]],
  ['abc', '', []],
])('in %j, %j is found at %j', (code, text, places) => {
  expect(findMatches(code, text).map(({ from }) => from)).toEqual(places)
})

test('the number of matches is limited', () => {
  expect(findMatches('a'.repeat(MAX_MATCHES + 5), 'a')).toHaveLength(MAX_MATCHES)
})
