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
  await vi.waitUntil(() => site.catalogue.isInMemory, { timeout: 60_000 })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(() => site.close())

const CONNECTION_HEADERS = new Set(['date', 'connection', 'keep-alive'])

/** Returns the response through a socket, which may take the fast path, and that of the Fastify app. */
async function requestBothPaths(url: string) {
  const response = await fetch(origin + url, { headers: { 'accept-encoding': 'identity' } })
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !CONNECTION_HEADERS.has(name)))
  const slow = await site.app.inject({ url, headers: { 'accept-encoding': 'identity' } })
  const slowHeaders = Object.entries(slow.headers).filter(([name]) => !CONNECTION_HEADERS.has(name))
  return [
    { status: response.status, headers, body: await response.text() },
    {
      status: slow.statusCode,
      headers: Object.fromEntries(slowHeaders.map(([name, value]) => [name, String(value)])),
      body: slow.payload,
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

test('the fast path and the slow path return the same response for every list', async () => {
  const odd = fc.array(parameter, { maxLength: 5 }).map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
  const queries = fc.oneof(
    odd.filter((text) => text.isWellFormed()),
    sensible.map((input) => String(new URLSearchParams(input))),
  )
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const [fast, slow] = await requestBothPaths(`/api/scripts?${query}`)
      expect(fast).toEqual(slow)
    }),
    { numRuns: 300 },
  )
})

test('a list shows a write in the next request', async () => {
  const member = await makeMember(site.db)
  const id = await makeScript(site.db, { author_id: member, title: 'Before' })
  const headers = { ...(await signIn(site.db, member)), 'content-type': 'application/json' }
  const titles = async () => {
    const response = await fetch(`${origin}/api/scripts?sort=created_at&limit=1`)
    return ((await response.json()) as { scripts: { title: string }[] }).scripts.map(({ title }) => title)
  }
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual(['Before'])
  const response = await fetch(`${origin}/api/script-details?id=${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ title: 'After' }),
  })
  expect(response.status).toBe(200)
  expect(await titles()).toEqual(['After'])
})
