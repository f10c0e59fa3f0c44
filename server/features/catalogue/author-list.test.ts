import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

type SignedIn = Awaited<ReturnType<typeof signIn>>

let site: TestApp
let author: number
let other: number
let publicScript: number
let privateScript: number
let authorHeaders: SignedIn
let adminHeaders: SignedIn
let moderatorHeaders: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  author = await makeMember(site.db)
  other = await makeMember(site.db)
  publicScript = await makeScript(site.db, { author_id: author, tags: ['ui'] })
  privateScript = await makeScript(site.db, { author_id: author, is_public: false, is_free: false })
  await makeScript(site.db, { author_id: other, is_public: false })
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

test("a list of all authors' scripts contains no private script, not even the caller's", async () => {
  for (const headers of [authorHeaders, adminHeaders])
    expect(await idsFor(headers, 'limit=100')).toEqual([publicScript])
  expect(await idsFor(authorHeaders, 'author=&limit=100')).toEqual([publicScript])
})

test('the scripts of a banned author are listed only for admins', async () => {
  const banned = await makeMember(site.db, { banned_until: 'infinity' })
  const script = await makeScript(site.db, { author_id: banned })
  expect(await idsFor(adminHeaders, `author=${banned}`)).toEqual([script])
  expect(await idsFor(authorHeaders, `author=${banned}`)).toEqual([])
})
