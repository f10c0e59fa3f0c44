import { expect, test } from 'vitest'
import { matchesEtag } from './etag.ts'

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"x", "a"', true],
  ['"x",W/"a" , "y"', true],
  [', ,"a",', true],
  [' * ', true],
  ['"x"', false],
  ['"x, y", "b"', false],
  // A tag within another one.
  ['"x "a""', false],
  ['"b\\"a"', false],
  ['a', false],
  ['w/"a"', false],
  ['"x", *', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s matches "a": %s', (header, isMatch) => {
  expect(matchesEtag(header, '"a"')).toBe(isMatch)
  expect(matchesEtag(header, 'W/"a"')).toBe(isMatch)
})

test('a tag may contain commas', () => {
  expect(matchesEtag('"x", "a,b"', '"a,b"')).toBe(true)
  expect(matchesEtag('"a", "b"', '"a,b"')).toBe(false)
})
