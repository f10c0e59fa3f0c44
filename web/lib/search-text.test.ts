import { expect, test } from 'vitest'
import { readSearch, writeSearch } from './search-text.ts'

test.each([
  ['', { search: '', tags: [] }],
  ['  camera   shake ', { search: 'camera shake', tags: [] }],
  ['#ui menu', { search: 'menu', tags: ['ui'] }],
  ['tag:ui tag:game', { search: '', tags: ['ui', 'game'] }],
  ['# tag: left', { search: 'left', tags: [] }],
  ['#ui #ui', { search: '', tags: ['ui'] }],
  ['a#b c', { search: 'a#b c', tags: [] }],
])('parses %j', (input, terms) => {
  expect(readSearch(input)).toEqual(terms)
})

test('round-trips any terms', () => {
  const terms = { search: 'double jump', tags: ['movement', 'server'] }
  expect(readSearch(writeSearch(terms))).toEqual(terms)
})
