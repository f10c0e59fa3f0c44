import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { FavoriteList } from '#contract/favorites.ts'
import { MAX_FAVORITES } from '#contract/limits.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp({ publicUrl: 'https://scripts.example' })
})
afterAll(() => site.close())

interface Status {
  is_favorite: boolean
  favorite_count: number
}

let member: number
let headers: { authorization: string }
beforeEach(async () => {
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
})

const add = (script_id: number, as = headers, fields = {}) =>
  site.app.inject({ method: 'POST', url: '/api/favorites', headers: as, payload: { script_id, ...fields } })
const remove = (id: number, as = headers) =>
  site.app.inject({ method: 'DELETE', url: `/api/favorites?script_id=${id}`, headers: as })
const list = async (query = '', as = headers) =>
  (await site.app.inject({ url: `/api/favorites${query}`, headers: as })).json<FavoriteList>()
const titles = async (query = '') => (await list(query)).favorites.map(({ script }) => script.title)
const countOf = async (id: number) => {
  const where = site.db.selectFrom('script_stats').select('favorite_count').where('script_id', '=', id)
  return (await where.executeTakeFirst())?.favorite_count
}

describe('a favorite', () => {
  test('is added once, counted once and removed once', async () => {
    const id = await makeScript(site.db)
    expect((await add(id)).json<Status>()).toEqual({ is_favorite: true, favorite_count: 1 })
    expect((await add(id)).json<Status>()).toEqual({ is_favorite: true, favorite_count: 1 })
    const status = await site.app.inject({ url: `/api/script-favorite?id=${id}`, headers })
    expect(status.json<Status>()).toEqual({ is_favorite: true, favorite_count: 1 })
    expect((await remove(id)).json<Status>()).toEqual({ is_favorite: false, favorite_count: 0 })
    expect((await remove(id)).json<Status>()).toEqual({ is_favorite: false, favorite_count: 0 })
  })

  test('is found among several scripts, for its member only', async () => {
    const [first, second, third] = [await makeScript(site.db), await makeScript(site.db), await makeScript(site.db)]
    await add(first)
    await add(third)
    const find = (ids: string, as = headers) =>
      site.app.inject({ url: `/api/favorite-scripts?ids=${ids}`, headers: as })
    expect((await find(`${third},${first},${second},9999999999`)).json()).toEqual({ favorites: [first, third] })
    expect((await find(`${first}`, await signIn(site.db))).json()).toEqual({ favorites: [] })
    const many = Array.from({ length: 101 }, (_, i) => i + 1).join(',')
    for (const ids of ['', '0', 'x', '1,', '1;2', '12345678901', many]) expect((await find(ids)).statusCode).toBe(400)
  })

  test('shows in the count of everyone’s script lists, but not whose it is', async () => {
    const id = await makeScript(site.db, { title: 'Counted lamp' })
    await add(id)
    const { scripts } = (await site.app.inject('/api/scripts?search=counted+lamp')).json<ScriptList>()
    expect(scripts).toMatchObject([{ id, favorite_count: 1 }])
    expect((await list('', await signIn(site.db))).favorites).toEqual([])
  })

  test('of an unknown or private script is rejected, of one’s own private script it is not', async () => {
    const hidden = await makeScript(site.db, { is_public: false })
    for (const id of [hidden, 2_000_000]) {
      const response = await add(id)
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([404, 'script_not_found'])
    }
    const own = await makeScript(site.db, { author_id: member, is_public: false })
    expect((await add(own)).statusCode).toBe(200)
  })

  test('may be added by a muted member, since it has no text', async () => {
    const muted = await signIn(site.db, await makeMember(site.db, { muted_until: 'infinity' }))
    expect((await add(await makeScript(site.db), muted)).statusCode).toBe(200)
  })

  test.each([[{ script_id: 0 }], [{ script_id: 'one' }], [{}], [{ script_id: 1, note: 'x' }]])(
    'with the body %j is rejected',
    async (payload) => {
      const response = await site.app.inject({ method: 'POST', url: '/api/favorites', headers, payload })
      expect(response.statusCode).toBe(400)
    },
  )

  test('is restored to its former position, but not into the future', async () => {
    const [old, recent] = [await makeScript(site.db, { title: 'Old' }), await makeScript(site.db, { title: 'Recent' })]
    await add(old)
    await add(recent)
    const [, former] = (await list()).favorites
    await remove(old)
    await add(old, headers, { added_at: former?.added_at })
    expect(await titles()).toEqual(['Recent', 'Old'])
    await remove(old)
    await add(old, headers, { added_at: '2999-01-01T00:00:00Z' })
    expect(Date.parse((await list()).favorites[0]?.added_at ?? '')).toBeLessThanOrEqual(Date.now() + 1000)
    expect((await add(old, headers, { added_at: 'yesterday' })).statusCode).toBe(400)
  })
})

describe('the count of favorites', () => {
  test('stays exact when many members add and remove at once', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => makeScript(site.db)))
    const people = await Promise.all(Array.from({ length: 8 }, () => signIn(site.db)))
    const calls = people.flatMap((as) => ids.flatMap((id) => [add(id, as), add(id, as), remove(id, as), add(id, as)]))
    const statuses = await Promise.all(calls.map(async (call) => (await call).statusCode))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const { rows } = await site.pool.query(`select st.script_id from script_stats st
      where favorite_count <> (select count(*) from favorites f where f.script_id = st.script_id)`)
    expect(rows).toEqual([])
  })

  test('follows deleted accounts, and a deleted script takes its favorites with it', async () => {
    const [first, second] = [await makeScript(site.db), await makeScript(site.db)]
    await add(first)
    await add(second)
    await site.db.deleteFrom('scripts').where('id', '=', second).execute()
    expect(await titles()).toEqual(['A script'])
    await site.db.deleteFrom('members').where('id', '=', member).execute()
    expect(await countOf(first)).toBe(0)
  })

  test('stays exact while accounts are deleted and others add the same scripts', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => makeScript(site.db)))
    const people = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const username = `leaving${i}`
        return { username, as: await signIn(site.db, await makeMember(site.db, { username, slug: username })) }
      }),
    )
    for (const { as } of people) for (const id of ids) await add(id, as)
    const erasures = people.map(({ username, as }) =>
      site.app.inject({ method: 'DELETE', url: '/api/account', headers: as, payload: { username } }),
    )
    const additions = ids.toReversed().map((id) => add(id))
    const statuses = await Promise.all([...erasures, ...additions].map(async (call) => (await call).statusCode))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await Promise.all(ids.map(countOf))).toEqual([1, 1, 1, 1])
  })
})

describe('the limit of favorites', () => {
  test('is never passed, also by concurrent requests, and rejects with a sentence', async () => {
    const author = await makeMember(site.db)
    await site.pool.query(
      `with made as (
          insert into scripts (author_id, title, title_key, description, file_size)
          select $1, 'Filler', 'filler', 'Filler.', 8 from generate_series(1, $3) returning id),
        versions as (
          insert into script_versions (script_id, number, version, content, sha256, size)
          select id, 1, '1.0.0', 'return 1', repeat('0', 64), 8 from made),
        stats as (insert into script_stats (script_id) select id from made)
        insert into favorites (member_id, script_id) select $2, id from made`,
      [author, member, MAX_FAVORITES - 1],
    )
    const extra = await Promise.all([1, 2, 3].map(() => makeScript(site.db)))
    const responses = await Promise.all(extra.map((id) => add(id)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const rejected = responses.find(({ statusCode }) => statusCode === 409)
    expect(rejected?.json<{ error: string; code: string }>()).toEqual({
      code: 'too_many_favorites',
      error: 'You have 2,000 favorites, which is the limit. Remove one to add another.',
    })
    expect((await list()).pagination.total).toBe(MAX_FAVORITES)
  })
})

describe('the list of favorites', () => {
  test('is sorted by time, name, update or rating, and paged', async () => {
    const make = (title: string, updated_at: string, stats: object) =>
      makeScript(site.db, { title, updated_at: new Date(updated_at), stats })
    await add(await make('Beta', '2026-01-02', { five_star: 1 }))
    await add(await make('Alpha', '2026-01-03', { three_star: 2 }))
    await add(await make('Gamma', '2026-01-01', { four_star: 9 }))
    expect(await titles()).toEqual(['Gamma', 'Alpha', 'Beta'])
    expect(await titles('?sort=name')).toEqual(['Alpha', 'Beta', 'Gamma'])
    expect(await titles('?sort=updated')).toEqual(['Alpha', 'Beta', 'Gamma'])
    expect(await titles('?sort=rating')).toEqual(['Beta', 'Gamma', 'Alpha'])
    const page = await list('?sort=name&limit=2&page=2')
    expect(page.favorites.map(({ script }) => script.title)).toEqual(['Gamma'])
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2, next_cursor: null })
    expect((await site.app.inject({ url: '/api/favorites?sort=random', headers })).statusCode).toBe(400)
  })

  test('leaves out scripts that became private or whose author is banned, and counts them', async () => {
    const [shown, hidden] = [await makeScript(site.db, { title: 'Shown' }), await makeScript(site.db)]
    const author = await makeMember(site.db)
    const banned = await makeScript(site.db, { author_id: author })
    for (const id of [shown, hidden, banned]) await add(id)
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', hidden).execute()
    await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', author).execute()
    expect(await list()).toMatchObject({ favorites: [{ script: { title: 'Shown' } }], unavailable_count: 2 })
    expect((await list()).pagination.total).toBe(1)
    expect((await remove(hidden)).statusCode).toBe(200)
    expect((await list()).unavailable_count).toBe(1)
  })
})

test('a list of favorites has what a join of all tables has, in every order and on every page', async () => {
  await site.pool.query(
    `with authors as (
        insert into members (discord_id, username, slug, banned_until)
        select (800000000 + n)::text, 'many' || n, 'many' || n,
          case n % 4 when 1 then 'infinity'::timestamptz when 2 then now() - interval '1 day' end
        from generate_series(1, 12) n returning id),
      made as (
        insert into scripts (author_id, title, title_key, description, file_size, is_public, updated_at)
        select a.id, 'T', 'title ' || n % 9, 'D', 8, n % 5 <> 0, now() - n % 7 * interval '1 day'
        from (select id from authors union all select $1) a, generate_series(1, 12) n returning id),
      versions_made as (
          insert into script_versions (script_id, number, version, content, sha256, size)
          select id, 1, '1.0.0', 'return 1', repeat('0', 64), 8 from made),
      stats as (insert into script_stats (script_id, three_star, five_star) select id, id % 3, id % 2 from made)
      insert into favorites (member_id, script_id, added_at)
      select $1, id, now() - id % 11 * interval '1 hour' from made where id % 6 <> 0`,
    [member],
  )
  const orders = {
    added: 'f.added_at desc, s.id desc',
    name: 's.title_key, s.id',
    updated: 's.updated_at desc, s.id desc',
    rating: 'st.rating_average desc, st.rating_count desc, s.id desc',
  }
  for (const [sort, order] of Object.entries(orders)) {
    const { rows } = await site.pool.query<{ id: number }>(
      `select s.id from favorites f join scripts s on s.id = f.script_id join script_stats st on st.script_id = s.id
        join members m on m.id = s.author_id
      where f.member_id = $1 and (s.author_id = $1 or s.is_public and (m.banned_until is null or m.banned_until <= now()))
      order by ${order}`,
      [member],
    )
    const pages = [1, 2, 3, 4, 5].map((page) => list(`?sort=${sort}&limit=30&page=${page}`))
    const listed = (await Promise.all(pages)).flatMap(({ favorites }) => favorites.map(({ script }) => script.id))
    expect(listed).toEqual(rows.map(({ id }) => id))
    const byCursor: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: FavoriteList = await list(`?sort=${sort}&limit=7&cursor=${cursor}`)
      byCursor.push(...page.favorites.map(({ script }) => script.id))
      cursor = page.pagination.next_cursor
    }
    expect(byCursor).toEqual(listed)
    const last = await list(`?sort=${sort}&page=500`)
    expect([last.favorites, last.pagination.total]).toEqual([[], rows.length])
  }
})

describe('the export of favorites', () => {
  const read = (format: string) => site.app.inject({ url: `/api/favorites-export?format=${format}`, headers })

  test('is a JSON file, newest first', async () => {
    const author_id = await makeMember(site.db, { display_name: 'Ada' })
    const id = await makeScript(site.db, { title: 'Spring', author_id })
    await add(id)
    const response = await read('json')
    expect(response.headers['content-disposition']).toBe('attachment; filename="favorites.json"')
    const [favorite] = response.json<object[]>()
    expect(favorite).toMatchObject({
      title: 'Spring',
      author: 'Ada',
      version: '1.0.0',
      url: `https://scripts.example/scripts/spring-${id}`,
    })
  })

  test('is a CSV file in which no cell is a formula and quotes survive', async () => {
    await add(await makeScript(site.db, { title: '=HYPERLINK("https://evil.example")' }))
    await add(await makeScript(site.db, { title: 'A "quoted", list' }))
    const response = await read('csv')
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = response.body.split('\r\n')
    expect(lines[0]).toBe('\uFEFFtitle,author,version,url,added_at')
    expect(lines[1]).toMatch(/^"A ""quoted"", list",/)
    expect(lines[2]).toMatch(/^"'=HYPERLINK\(""https:\/\/evil\.example""\)",/)
  })

  test('leaves out what the member may not see', async () => {
    const id = await makeScript(site.db)
    await add(id)
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', id).execute()
    expect((await read('json')).json<object[]>()).toEqual([])
  })
})
