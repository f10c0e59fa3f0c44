import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminUser, CountedPage } from '#contract/admin.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember } from '#tests/support/factories.ts'

let portal: Portal
const ids: Record<string, number> = {}

beforeAll(async () => {
  portal = await createPortal()
  const make = async (username: string, columns: Parameters<typeof makeMember>[1] = {}) => {
    ids[username] = await makeMember(portal.db, { username, ...columns })
  }
  await make('Ada_Lovelace', {
    display_name: 'Countess of Science',
    email: 'ada@engines.example',
    reputation: 7,
    last_seen_at: new Date('2026-03-01'),
  })
  await make('adaXlovelace', { reputation: -2 })
  await make('100%sure', { email: 'sure@example.org', discord_id: '77001234' })
  await make('Zoë', { is_moderator: true })
  await make('Banned', { banned_until: 'infinity', is_moderator: true })
  await make('Back', { banned_until: new Date('2020-01-01'), muted_until: new Date('2020-01-01') })
  await make('Silent', { muted_until: 'infinity' })
  await make('BannedAndSilent', { muted_until: 'infinity', banned_until: 'infinity' })
})
afterAll(() => portal.close())

interface List {
  users: AdminUser[]
  pagination: CountedPage
}

const list = async (query: string) => (await portal.get<List>(`/api/admin-keys?type=users&${query}`)).body
const names = async (query: string) => (await list(query)).users.map(({ username }) => username)

describe('search', () => {
  test.each([
    ['a part of a name, in any case', 'LOVE', ['adaXlovelace', 'Ada_Lovelace']],
    ['a part of an email', 'engines', ['Ada_Lovelace']],
    ['a part of the displayed name', 'of sci', ['Ada_Lovelace']],
    ['a short prefix of the displayed name', 'co', ['Ada_Lovelace']],
    ['the id at Discord', '77001234', ['100%sure']],
    ['a short prefix of the username', 'ad', ['adaXlovelace', 'Ada_Lovelace']],
    ['a percent sign as such', '0%s', ['100%sure']],
    ['an underscore as such', 'a_l', ['Ada_Lovelace']],
    ['a backslash as such', String.raw`a\_l`, []],
    ['a percent sign alone', '%', []],
    ['letters beyond ASCII', 'zoë', ['Zoë']],
    ['spaces around', '  zoë ', ['Zoë']],
  ])('finds %s', async (_what, search, expected) => {
    expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(expected)
  })

  test('finds a member id, and nobody for one that is too large', async () => {
    expect(await names(`search=${ids['Zoë']}`)).toContain('Zoë')
    expect(await names('search=99999999999999999999')).toEqual([])
  })

  test('blank text finds everyone', async () => {
    expect((await list('search=%20')).pagination.total).toBe(9)
  })
})

describe('filters', () => {
  test.each([
    ['status=banned', ['BannedAndSilent', 'Banned']],
    ['status=muted', ['Silent']],
    ['status=active&role=user', ['Back', '100%sure', 'adaXlovelace', 'Ada_Lovelace']],
    ['role=admin', ['First Admin']],
    ['role=moderator', ['Banned', 'Zoë']],
    ['role=moderator&status=active', ['Zoë']],
    ['role=moderator&status=banned&search=ban', ['Banned']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })
})

describe('order and pages', () => {
  test('newest first by default', async () => {
    const all = await names('')
    expect(all[0]).toBe('BannedAndSilent')
    expect(await names('order=asc')).toEqual(all.toReversed())
  })

  test.each([
    ['sort=username&order=asc', '100%sure'],
    ['sort=reputation&order=desc', 'Ada_Lovelace'],
    ['sort=reputation&order=asc', 'adaXlovelace'],
    ['sort=last_seen_at&order=desc', 'Ada_Lovelace'],
  ])('by %s starts with %s', async (query, first) => {
    expect((await names(`${query}&limit=1`))[0]).toBe(first)
  })

  test.each(['created_at', 'last_seen_at', 'username', 'reputation'])(
    'pages by %s lie side by side, also where they are read from the end',
    async (sort) => {
      for (const order of ['asc', 'desc']) {
        const all = await names(`sort=${sort}&order=${order}&limit=100`)
        const pages = await Promise.all(
          [1, 2, 3, 4, 5].map((page) => names(`sort=${sort}&order=${order}&limit=2&page=${page}`)),
        )
        expect(pages.flat()).toEqual(all)
      }
    },
  )

  test('returns an empty page past the end, with the total', async () => {
    const { users, pagination } = await list('page=9999&limit=4')
    expect(users).toEqual([])
    expect(pagination).toEqual({ page: 9999, limit: 4, total: 9, pages: 3, is_exact: true })
  })

  test('stops counting at ten thousand', async () => {
    const many = await createPortal()
    await many.pool.query(`insert into members (discord_id, username, slug)
      select 9000000 + n, 'many' || n, 'many' || n from generate_series(1, 10500) n`)
    const found = (query: string) => many.get<List>(`/api/admin-keys?type=users&limit=100&${query}`)
    const searched = (await found('search=many&page=100')).body
    expect(searched.pagination).toEqual({ page: 100, limit: 100, total: 10_001, pages: 100, is_exact: false })
    expect(searched.users).toHaveLength(100)
    expect((await found('search=many&page=101')).body.users).toEqual([])
    const all = (await found('page=106')).body
    expect(all.pagination).toEqual({ page: 106, limit: 100, total: 10_501, pages: 106, is_exact: true })
    expect(all.users.map(({ username }) => username)).toEqual(['First Admin'])
    await many.close()
  })
})

test('describes a member with the ends of sanctions and the number of active warnings', async () => {
  const { rows } = await portal.pool.query<{ id: number }>(`insert into members
      (discord_id, username, slug, banned_until, muted_until) values ('5', 'Shown', 'shown', 'infinity', now() + interval '1 day')
    returning id`)
  const id = rows[0]?.id ?? 0
  await portal.pool.query(
    `insert into sanctions (member_id, kind, severity, reason, ends_at, lifted_at) values
    ($1, 'ban', null, 'Older', '2021-01-01', null), ($1, 'ban', null, 'Spam', 'infinity', null),
    ($1, 'warning', 'minor', 'One', 'infinity', null), ($1, 'warning', 'severe', 'Over', '2021-01-01', null),
    ($1, 'warning', 'moderate', 'Lifted', 'infinity', now())`.replaceAll('$1', String(id)),
  )
  const [user] = (await list('search=shown')).users
  expect(user).toMatchObject({
    id,
    is_banned: true,
    ban_reason: 'Spam',
    ban_expires_at: '9999-12-31T23:59:59.999Z',
    is_muted: true,
    mute_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    warning_count_active: 1,
    badge_color: '#6366f1',
    moderator_roles: [],
    custom_roles: [],
    last_seen_at: null,
  })
  expect(JSON.stringify(user)).not.toMatch(/password|token|banner/)
})

test.each([
  ['type=', 'type'],
  ['type=keys', 'type'],
  ['type=users&status=gone', 'status'],
  ['type=users&role=king', 'role'],
  ['type=users&sort=email', 'sort'],
  ['type=users&order=up', 'order'],
  ['type=users&page=0', 'page'],
  ['type=users&page=1.5', 'page'],
  ['type=users&page=99999999999', 'page'],
  ['type=users&limit=101', 'limit'],
  ['type=users&search=a&search=b', 'search'],
  ['type=users&search=%00', 'search'],
  [`type=users&search=${'a'.repeat(201)}`, 'search'],
])('rejects %s', async (query, field) => {
  const { status, body } = await portal.get<{ code: string; fields: Record<string, string> }>(
    `/api/admin-keys?${query}`,
  )
  expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'invalid', [field]])
})

describe('without page and limit', () => {
  test('all users are listed, as many as a dashboard counts', async () => {
    for (let i = 0; i < 30; i++) await makeMember(portal.db)
    const { users, pagination } = await list('')
    const { body: stats } = await portal.get<{ total_users: number }>('/api/admin-keys?type=stats')
    expect(users).toHaveLength(stats.total_users)
    expect(new Set(users.map(({ id }) => id)).size).toBe(users.length)
    expect(users.some(({ id, is_admin }) => is_admin && id === portal.adminId)).toBe(true)
    expect(pagination).toEqual({ page: 1, limit: 10_000, total: users.length, pages: 1, is_exact: true })
    expect(users.slice(0, 20)).toEqual((await list('limit=20')).users)
    expect((await list('page=1')).users).toHaveLength(20)
  })

  test('search, filters and sort apply', async () => {
    const query = 'status=banned&sort=username&order=asc'
    expect(await names(query)).toEqual(await names(`${query}&page=1`))
    expect(await names(query)).toContain('BannedAndSilent')
    expect(await list('search=nobody-at-all')).toMatchObject({ users: [], pagination: { total: 0, pages: 0 } })
  })

  test('more than a chunk comes in order', async () => {
    await portal.pool.query(`insert into members (discord_id, username, slug)
      select 900000 + n, 'many' || n, 'many-' || n from generate_series(1, 1200) n`)
    const found = await names('search=many&sort=username&order=asc')
    expect(found).toHaveLength(1200)
    expect(found).toEqual(found.toSorted())
  })
})

test('a permanent mute has an expiry in the future', async () => {
  const [user] = (await list('search=Silent&status=muted')).users
  expect(Date.parse(user?.mute_expires_at ?? '')).toBe(Date.parse('9999-12-31T23:59:59.999Z'))
  expect(user?.is_muted).toBe(true)
})
