import { expect, test } from 'vitest'
import { readQuery, writeQuery } from './tab-query.ts'

const choices = { search: [], status: ['all', 'banned'] } as const
const read = (text: string) => readQuery(new URLSearchParams(text), choices)

test('an empty address is the usual, and the usual is an empty address', () => {
  expect(read('')).toEqual({ search: '', status: 'all', page: 1 })
  expect(writeQuery(read(''), choices)).toBe('')
})

test('what an address says comes back the same', () => {
  const address = '?search=100%25+_x&status=banned&page=3'
  expect(writeQuery(read(address), choices)).toBe(address)
})

test('what is not known is the usual', () => {
  expect(read('status=constructor&page=0')).toEqual({ search: '', status: 'all', page: 1 })
  expect(read('page=1.5').page).toBe(1)
  expect(read('page=99999999999').page).toBe(1)
})

test('a search is cut to what the server takes', () => {
  expect(read(`search=${'a'.repeat(300)}`).search).toHaveLength(200)
})
