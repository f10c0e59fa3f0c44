import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

const SOON = { timeout: 20_000, interval: 30 }
const TITLES = ['Alpha', 'Beta', 'Gamma', 'Delta']

let database: TestDatabase
let line: DatabaseProxy
let site: TestApp
let headers: Record<string, string>
const ids: number[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  line = await startDatabaseProxy(database.connection)
  site = await createAppOn(database, openPool(line.connection), { catalogueIndex: 'memory' })
  const author = await makeMember(site.db)
  headers = await signIn(site.db, author)
  for (const title of TITLES) ids.push(await makeScript(site.db, { title, author_id: author }))
})
afterAll(async () => {
  line.unsilence()
  await site.close()
  await site.pool.end()
  await line.close()
  await database.drop()
})
const ask = async (url: string) => {
  const response = await site.app.inject(url)
  const { scripts = [] } = response.statusCode === 200 ? response.json<Partial<ScriptList>>() : {}
  return { status: response.statusCode, titles: scripts.map(({ title }) => title) }
}

test('while the database is silent, lists come from memory, also those that nobody has asked for', async () => {
  await expect.poll(() => site.catalogue.isInMemory && site.catalogue.indexSize, SOON).toBe(TITLES.length)
  // Their cards are cached.
  await expect.poll(async () => (await ask('/api/scripts')).titles.length, SOON).toBe(4)
  const payload = { description: 'Changed right before.' }
  const changed = await site.app.inject({ method: 'PUT', url: `/api/script-details?id=${ids[0]}`, headers, payload })
  expect(changed.statusCode).toBe(200)
  line.silence({ andNew: true })
  const urls = [
    '/api/scripts',
    '/api/scripts?search=alpha',
    '/api/scripts?sort=title&order=asc',
    '/api/scripts?limit=2',
  ]
  const first = await Promise.all(urls.map(ask))
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(first[1]?.titles).toEqual(['Alpha'])
  // What needs the database fails, once it is known to be away, at once.
  await expect.poll(() => site.pool.isSilent, SOON).toBe(true)
  expect((await ask(`/raw/x-${ids[0]}`)).status).toBe(503)
  await sleep(2000)
  expect(await ask('/api/scripts?search=beta')).toEqual({ status: 200, titles: ['Beta'] })
  expect((await ask('/api/script-facets?search=gamma')).status).toBe(200)
  expect((await ask('/api/search-suggestions?q=del')).status).toBe(200)
  line.unsilence()
  await expect.poll(async () => (await ask(`/api/script-details-slug?slug=x-${ids[0]}`)).status, SOON).toBe(200)
})
