import { expect, test } from 'vitest'
import { readListQuery, writeListQuery } from './list-query.ts'

const choices = { search: [], status: ['all', 'banned'] } as const
const read = (text: string) => readListQuery(new URLSearchParams(text), choices)

test('an empty query gives the defaults, and the defaults give an empty query', () => {
  expect(read('')).toEqual({ search: '', status: 'all', page: 1 })
  expect(writeListQuery(read(''), choices)).toBe('')
})

test('round-trips a query', () => {
  const query = '?search=100%25+_x&status=banned&page=3'
  expect(writeListQuery(read(query), choices)).toBe(query)
})

test('replaces invalid values with the defaults', () => {
  expect(read('status=constructor&page=0')).toEqual({ search: '', status: 'all', page: 1 })
  expect(read('page=1.5').page).toBe(1)
  expect(read('page=99999999999').page).toBe(1)
})

test('truncates a search to the length that the server accepts', () => {
  expect(read(`search=${'a'.repeat(300)}`).search).toHaveLength(200)
})
