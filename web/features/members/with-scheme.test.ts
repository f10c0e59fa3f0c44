import { expect, test } from 'vitest'
import { withScheme } from './with-scheme.ts'

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/a b ', 'https://example.com/a b'],
  ['sub.example.com:8080?x', 'https://sub.example.com:8080?x'],
  ['http://example.com', 'http://example.com'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['ada', 'ada'],
  ['ada@example.com', 'ada@example.com'],
  ['', ''],
])('makes of %j %j', (typed, address) => {
  expect(withScheme(typed)).toBe(address)
})
