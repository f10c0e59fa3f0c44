import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'

type SignedIn = Awaited<ReturnType<typeof signIn>>

let site: TestApp
let author: number
let other: number
let publicScript: number
let privateScript: number
let foreignScript: number
let authorHeaders: SignedIn
let adminHeaders: SignedIn
let moderatorHeaders: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  author = await makeMember(site.db)
  other = await makeMember(site.db)
  publicScript = await makeScript(site.db, { author_id: author, tags: ['ui'] })
  privateScript = await makeScript(site.db, { author_id: author, is_public: false, is_free: false })
  foreignScript = await makeScript(site.db, { author_id: other, is_public: false })
  authorHeaders = await signIn(site.db, author)
  adminHeaders = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  moderatorHeaders = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
afterAll(() => site.close())

async function idsFor(headers: Partial<SignedIn>, query: string): Promise<number[]> {
  const response = await site.app.inject({ url: `/api/scripts?${query}`, headers })
  expect(response.statusCode, response.payload).toBe(200)
  const { scripts, pagination } = response.json<ScriptList>()
  expect(pagination.total).toBeGreaterThanOrEqual(scripts.length)
  return scripts.map(({ id }) => id)
}

describe("a list of one author's scripts", () => {
  test('contains private scripts only for the author and for admins', async () => {
    const query = `author=${author}&limit=50`
    expect(await idsFor(authorHeaders, query)).toEqual([privateScript, publicScript])
    expect(await idsFor(adminHeaders, query)).toEqual([privateScript, publicScript])
    expect(await idsFor(moderatorHeaders, query)).toEqual([publicScript])
    // After the author's request, so that a response cached for the author would be detected.
    expect(await idsFor({}, query)).toEqual([publicScript])
    expect(await idsFor({ authorization: `Bearer ${'A'.repeat(43)}` }, query)).toEqual([publicScript])
  })

  test('can be filtered, sorted and paged', async () => {
    expect(await idsFor(authorHeaders, `author=${author}&free_only=true`)).toEqual([publicScript])
    expect(await idsFor(authorHeaders, `author=${author}&tags=ui`)).toEqual([publicScript])
    expect(await idsFor(authorHeaders, `author=${author}&sort=created_at&order=asc`)).toEqual([
      publicScript,
      privateScript,
    ])
    expect(await idsFor(authorHeaders, `author=${author}&limit=1&page=2`)).toEqual([publicScript])
  })

  test('is not cacheable for members', async () => {
    const { headers } = await site.app.inject({ url: `/api/scripts?author=${author}`, headers: authorHeaders })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('contains no private scripts of another author', async () => {
    expect(await idsFor(authorHeaders, `author=${other}`)).toEqual([])
  })
})

test("a list of all authors' scripts contains private scripts for admins alone", async () => {
  expect(await idsFor(authorHeaders, 'limit=100')).toEqual([publicScript])
  expect(await idsFor(authorHeaders, 'author=&limit=100')).toEqual([publicScript])
  expect(await idsFor(adminHeaders, 'limit=100')).toEqual([foreignScript, privateScript, publicScript])
})

test('the scripts of a banned author are listed only for admins', async () => {
  const banned = await makeMember(site.db, { banned_until: 'infinity' })
  const script = await makeScript(site.db, { author_id: banned })
  expect(await idsFor(adminHeaders, `author=${banned}`)).toEqual([script])
  expect(await idsFor(authorHeaders, `author=${banned}`)).toEqual([])
})

describe.each(['memory', 'database'] as const)('a list of all scripts from %s', (catalogueIndex) => {
  let listed: TestApp
  let origin: string
  beforeAll(async () => {
    listed = await createAppOn(site.database, site.pool, { catalogueIndex })
    await vi.waitUntil(() => listed.catalogue.isInMemory === (catalogueIndex === 'memory'))
    origin = await listed.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => listed.close())

  // Over HTTP, where the fast path answers visitors.
  const ask = async (query: string, headers: Partial<SignedIn> = {}) => {
    const response = await fetch(`${origin}/api/scripts?${query}`, { headers })
    expect(response.status).toBe(200)
    return { cacheControl: response.headers.get('cache-control'), ...((await response.json()) as ScriptList) }
  }
  const queries = [
    'page=1&limit=10&sort=created_at&order=desc',
    'limit=100&sort=created_at&order=desc',
    'sort=title&order=asc',
    'sort=relevance&search=script',
    'paid_only=true',
    'min_rating=0&min_views=0&sort=rating_average',
    'showcased=true&sort=showcase_date',
  ]

  test('has private scripts for admins alone, also in the cache', async () => {
    for (const query of queries) {
      for (const order of [
        [adminHeaders, {}, authorHeaders, moderatorHeaders],
        [{}, authorHeaders, adminHeaders, moderatorHeaders, {}],
      ]) {
        const lists = []
        for (const headers of order) lists.push(await ask(query, headers))
        const [others, admins] = [
          lists.filter((_, i) => order[i] !== adminHeaders),
          lists.filter((_, i) => order[i] === adminHeaders),
        ]
        for (const { scripts, pagination } of others) {
          expect(scripts.every(({ is_public }) => is_public)).toBe(true)
          expect(pagination.total).toBe(scripts.length)
        }
        for (const { scripts, pagination, cacheControl } of admins) {
          expect(pagination.total).toBe(scripts.length)
          expect(cacheControl).toBe('no-store')
        }
      }
    }
    const [admin, visitor] = [await ask(queries[0] ?? '', adminHeaders), await ask(queries[0] ?? '')]
    // Two private scripts, and one of a banned member.
    expect(admin.pagination.total - visitor.pagination.total).toBe(3)
    expect(admin.scripts.filter(({ is_public }) => !is_public).map(({ id }) => id)).toContain(privateScript)
    expect((await ask('paid_only=true', adminHeaders)).scripts.map(({ id }) => id)).toEqual([privateScript])
    expect((await ask('paid_only=true', authorHeaders)).scripts).toEqual([])
  })

  test('is paged without gaps for admins', async () => {
    const found: number[] = []
    for (let page = 1; page <= 4; page++) {
      const { scripts, pagination } = await ask(`page=${page}&limit=1&sort=created_at&order=desc`, adminHeaders)
      expect(pagination).toEqual({ page, limit: 1, total: 4, pages: 4 })
      found.push(...scripts.map(({ id }) => id))
    }
    expect(new Set(found).size).toBe(4)
  })

  test('is the one of visitors with public=true, and with an API token of an admin', async () => {
    const { pagination } = await ask('limit=10')
    expect((await ask('limit=10&public=true', adminHeaders)).pagination).toEqual(pagination)
    const { id } = (await (await fetch(`${origin}/api/user-profile`, { headers: adminHeaders })).json()) as {
      id: number
    }
    const token = await makeApiToken(site.db, id, ['scripts:read-private'])
    expect((await ask('limit=10', token)).pagination).toEqual(pagination)
  })
})
