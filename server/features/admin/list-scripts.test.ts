import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResultOf } from '#contract/operations.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

type List = ResultOf<'GET /api/admin-scripts'>

let portal: Portal
let bannedAuthor: number

beforeAll(async () => {
  portal = await createPortal()
  const { db } = portal
  bannedAuthor = await makeMember(db, { username: 'Gone', banned_until: 'infinity' })
  await makeScript(db, { title: 'Red door', authorName: 'Ada', tags: ['house'], is_featured: true })
  await makeScript(db, { title: 'Blue door', description: 'Opens slowly.', is_verified: true })
  await makeScript(db, { title: 'Hidden room', is_public: false, is_featured: true })
  await makeScript(db, { title: 'Old garden', author_id: bannedAuthor, showcase_date: new Date('2026-01-02') })
  await makeScript(db, {
    title: 'New garden',
    showcase_date: new Date('2026-01-01'),
    is_verified: true,
    is_featured: true,
  })
})
afterAll(() => portal.close())

const list = async (query: string) => (await portal.get<List>(`/api/admin-scripts?${query}`)).body
const titles = async (query: string) => (await list(query)).scripts.map(({ title }) => title)

test('lists all scripts, also private ones and those of banned members, newest first, ten per page', async () => {
  const { scripts, pagination } = await list('')
  expect(scripts.map(({ title }) => title)).toEqual([
    'New garden',
    'Old garden',
    'Hidden room',
    'Blue door',
    'Red door',
  ])
  expect(pagination).toEqual({ page: 1, limit: 10, total: 5, pages: 1, is_exact: true })
  expect(scripts[1]).toMatchObject({
    author_id: bannedAuthor,
    is_author_banned: true,
    is_hidden: false,
    is_showcased: true,
  })
  expect(scripts[0]).toMatchObject({ is_author_banned: false, file_size: 8, view_count: 0 })
})

test.each([
  ['status=featured', ['New garden', 'Hidden room', 'Red door']],
  ['status=verified', ['New garden', 'Blue door']],
  ['status=public', ['New garden', 'Old garden', 'Blue door', 'Red door']],
  ['status=private', ['Hidden room']],
  ['type=featured', ['New garden', 'Hidden room', 'Red door']],
  ['type=verified', ['New garden', 'Blue door']],
  ['status=private&type=featured', ['Hidden room']],
  ['showcased=true', ['Old garden', 'New garden']],
  ['showcased=false', ['Hidden room', 'Blue door', 'Red door']],
  ['search=door', ['Blue door', 'Red door']],
  ['search=GARD', ['New garden', 'Old garden']],
  ['search=slowly', ['Blue door']],
  ['search=ada', ['Red door']],
  ['search=door+red', ['Red door']],
  ['search=garden&showcased=true&status=verified', ['New garden']],
  ['search=%25', []],
  ['search=%20', ['New garden', 'Old garden', 'Hidden room', 'Blue door', 'Red door']],
  ['page=2&limit=2', ['Hidden room', 'Blue door']],
  ['page=3&limit=2', ['Red door']],
  ['page=4&limit=2', []],
])('%s', async (query, expected) => {
  expect(await titles(query)).toEqual(expected)
})

describe('is rejected:', () => {
  test.each([
    ['status=gone', 'status'],
    ['type=public', 'type'],
    ['showcased=yes', 'showcased'],
    ['page=0', 'page'],
    ['limit=1000', 'limit'],
    ['search=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q', 'search'],
    [`search=${'a'.repeat(201)}`, 'search'],
  ])('%s', async (query, field) => {
    const { status, body } = await portal.get<{ fields: object }>(`/api/admin-scripts?${query}`)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })
})
