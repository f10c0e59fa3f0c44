import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

type SignedIn = Awaited<ReturnType<typeof signIn>>

let site: TestApp
let author: number
let other: number
let open: number
let hidden: number
let own: SignedIn
let admin: SignedIn
let stranger: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  author = await makeMember(site.db)
  other = await makeMember(site.db)
  open = await makeScript(site.db, { author_id: author, tags: ['ui'] })
  hidden = await makeScript(site.db, { author_id: author, is_public: false, is_free: false })
  await makeScript(site.db, { author_id: other, is_public: false })
  own = await signIn(site.db, author)
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  stranger = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
afterAll(() => site.close())

async function idsFor(headers: Partial<SignedIn>, query: string): Promise<number[]> {
  const answer = await site.app.inject({ url: `/api/scripts?${query}`, headers })
  expect(answer.statusCode, answer.payload).toBe(200)
  const { scripts, pagination } = answer.json<ScriptList>()
  expect(pagination.total).toBeGreaterThanOrEqual(scripts.length)
  return scripts.map(({ id }) => id)
}

describe("a list of one author's scripts", () => {
  test('holds private ones for the author and for admins alone', async () => {
    const query = `author=${author}&limit=50`
    expect(await idsFor(own, query)).toEqual([hidden, open])
    expect(await idsFor(admin, query)).toEqual([hidden, open])
    expect(await idsFor(stranger, query)).toEqual([open])
    // After the author has looked, which must leave nothing for others.
    expect(await idsFor({}, query)).toEqual([open])
    expect(await idsFor({ authorization: `Bearer ${'A'.repeat(43)}` }, query)).toEqual([open])
  })

  test('is narrowed, sorted and paged like any other', async () => {
    expect(await idsFor(own, `author=${author}&free_only=true`)).toEqual([open])
    expect(await idsFor(own, `author=${author}&tags=ui`)).toEqual([open])
    expect(await idsFor(own, `author=${author}&sort=created_at&order=asc`)).toEqual([open, hidden])
    expect(await idsFor(own, `author=${author}&limit=1&page=2`)).toEqual([open])
  })

  test('is kept by nobody where a member sees it', async () => {
    const { headers } = await site.app.inject({ url: `/api/scripts?author=${author}`, headers: own })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('of somebody else shows an author no more than visitors see', async () => {
    expect(await idsFor(own, `author=${other}`)).toEqual([])
  })
})

test("a list of everybody's scripts holds no private one, not even the caller's", async () => {
  for (const headers of [own, admin]) expect(await idsFor(headers, 'limit=100')).toEqual([open])
  expect(await idsFor(own, 'author=&limit=100')).toEqual([open])
})

test('the scripts of a banned author are listed for admins who ask for them', async () => {
  const banned = await makeMember(site.db, { banned_until: 'infinity' })
  const script = await makeScript(site.db, { author_id: banned })
  expect(await idsFor(admin, `author=${banned}`)).toEqual([script])
  expect(await idsFor(own, `author=${banned}`)).toEqual([])
})
