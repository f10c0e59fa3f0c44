import { expect, test } from 'vitest'
import { hasLoneReturn, lineBreakOf, withLineBreaksOf } from './line-breaks.ts'

test.each([
  ['', '\n'],
  ['a', '\n'],
  ['a\nb', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\r\nb\nc', '\n'],
  ['-- a\rb\r\nc', '\n'],
  ['-- a\rb', '\n'],
  ['\r\n', '\r\n'],
])('lines of %j end with %j', (code, lineBreak) => {
  expect(lineBreakOf(code)).toBe(lineBreak)
})

test('a text area does not change the line breaks of code', () => {
  expect(withLineBreaksOf('a\r\nb', 'a\nbc\n')).toBe('a\r\nbc\r\n')
  expect(withLineBreaksOf('a\nb', 'a\nbc')).toBe('a\nbc')
  expect(['a\rb', 'a\r', 'a\r\nb', 'a\n'].map(hasLoneReturn)).toEqual([true, true, false, false])
})
