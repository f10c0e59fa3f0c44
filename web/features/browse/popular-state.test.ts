import { expect, test } from 'vitest'
import { popularQuery, readPopular, writePopular } from './popular-state.ts'

const read = (query: string) => readPopular(new URLSearchParams(query))

test.each([
  ['', { search: '', tags: [], sort: 'rating_average', page: 1 }],
  ['search=%23ui+menu&sort=view_count&page=3', { search: 'menu', tags: ['ui'], sort: 'view_count', page: 3 }],
  ['sort=toString&page=-1', { search: '', tags: [], sort: 'rating_average', page: 1 }],
  ['sort=title&page=1.5', { search: '', tags: [], sort: 'rating_average', page: 1 }],
])('parses %j', (query, state) => {
  expect(read(query)).toEqual(state)
})

test('round-trips a state, and writes no query string for the default state', () => {
  expect(writePopular(read(''))).toBe('/popular')
  const url = writePopular({ search: 'menu', tags: ['ui'], sort: 'created_at', page: 2 })
  expect(read(url.split('?')[1] ?? '')).toEqual({ search: 'menu', tags: ['ui'], sort: 'created_at', page: 2 })
})

test('requests a minimum rating of 3.5 and 100 views, and sends text and tags only when not empty', () => {
  const common = { limit: 20, order: 'desc', min_rating: 3.5, min_views: 100, sort: 'rating_average' }
  expect(popularQuery(read(''))).toEqual({ ...common, page: 1 })
  expect(popularQuery(read('search=a+%23b+%23c'))).toEqual({ ...common, page: 1, search: 'a', tags: 'b,c' })
})
