import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FLAGS, ORDERS, SORTS } from '#contract/catalogue-names.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let site: TestApp
let origin: string
beforeAll(async () => {
  site = await createTestApp({ catalogueIndex: 'memory' })
  for (let n = 0; n < 30; n++) await makeScript(site.db, { title: `Fly ${n}`, is_free: n % 2 === 0 })
  site.catalogue.invalidateAll()
  await vi.waitUntil(() => site.catalogue.isInMemory, { timeout: 20_000 })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(() => site.close())

const OWN = new Set(['date', 'connection', 'keep-alive'])

/** What a visitor is given through a socket, and what the app itself answers. */
async function askBothPaths(url: string) {
  const answer = await fetch(origin + url, { headers: { 'accept-encoding': 'identity' } })
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)))
  const long = await site.app.inject({ url, headers: { 'accept-encoding': 'identity' } })
  const longHeaders = Object.entries(long.headers).filter(([name]) => !OWN.has(name))
  return [
    { status: answer.status, headers, body: await answer.text() },
    {
      status: long.statusCode,
      headers: Object.fromEntries(longHeaders.map(([name, value]) => [name, String(value)])),
      body: long.payload,
    },
  ]
}

const value = fc.oneof(
  fc.constantFrom('', 'true', 'false', '1', '2', '0', 'fly', 'fly+1', '%', '%41', '%ff', 'é'),
  fc.string(),
)
const parameter = fc.tuple(
  fc.constantFrom(
    'search',
    'tags',
    'author',
    'min_rating',
    'min_views',
    'page',
    'limit',
    'sort',
    'order',
    'x',
    ...FLAGS,
  ),
  value.map((text) => text.replaceAll(/[^!-~]|[#&]/gu, encodeURIComponent)),
)
const sensible = fc.record(
  {
    search: fc.constantFrom('fly', 'f', 'fly 7', 'nothing'),
    sort: fc.constantFrom(...SORTS),
    order: fc.constantFrom(...ORDERS),
    page: fc.constantFrom('1', '2', '9'),
    free_only: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
)

test('every list is the same by the fast path and by the long one, whatever its address', async () => {
  const odd = fc.array(parameter, { maxLength: 5 }).map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
  const queries = fc.oneof(
    odd.filter((text) => text.isWellFormed()),
    sensible.map((input) => String(new URLSearchParams(input))),
  )
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const [short, long] = await askBothPaths(`/api/scripts?${query}`)
      expect(short).toEqual(long)
    }),
    { numRuns: 300 },
  )
})

test('a list is the newest on the next request after a write', async () => {
  const member = await makeMember(site.db)
  const id = await makeScript(site.db, { author_id: member, title: 'Before' })
  const headers = { ...(await signIn(site.db, member)), 'content-type': 'application/json' }
  const titles = async () => {
    const answer = await fetch(`${origin}/api/scripts?sort=created_at&limit=1`)
    return ((await answer.json()) as { scripts: { title: string }[] }).scripts.map(({ title }) => title)
  }
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual(['Before'])
  const answer = await fetch(`${origin}/api/script-details?id=${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ title: 'After' }),
  })
  expect(answer.status).toBe(200)
  expect(await titles()).toEqual(['After'])
})
