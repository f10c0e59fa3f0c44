import { expect, test } from 'vitest'
import { lineHash, parseLines } from './line-range.ts'

test.each([
  ['#L12', { first: 12, last: 12 }],
  ['#L12-L20', { first: 12, last: 20 }],
  ['#L20-12', { first: 12, last: 20 }],
  ['7', { first: 7, last: 7 }],
  [' 7-9 ', { first: 7, last: 9 }],
  ['#L0', undefined],
  ['#L1-', undefined],
  ['#preview', undefined],
  ['#L99999999', undefined],
  ['', undefined],
])('the hash %j names the lines %j', (text, lines) => {
  expect(parseLines(text)).toEqual(lines)
})

test('a range has one hash', () => {
  expect([lineHash({ first: 3, last: 3 }), lineHash({ first: 3, last: 9 })]).toEqual(['#L3', '#L3-L9'])
})
