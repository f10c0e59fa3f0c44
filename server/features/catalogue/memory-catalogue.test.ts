import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ORDERS, SORTS } from '#contract/catalogue-names.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import { Random } from '#lab/attack/random.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { TEST_SEED } from '#tests/support/seed.ts'
import { openPool } from '#server/platform/db/pool.ts'

const POLL = { timeout: 60_000, interval: 100 }
const inMemory = { catalogueIndex: 'memory' } as const

let sqlSite: TestApp
beforeEach(async () => {
  sqlSite = await createTestApp()
})
afterEach(() => sqlSite.close())

async function open(pool = sqlSite.pool): Promise<TestApp> {
  const site = await createAppOn(sqlSite.database, pool, inMemory)
  await vi.waitUntil(() => site.catalogue.isInMemory, POLL)
  return site
}

const titles = async (site: TestApp) =>
  (await site.app.inject('/api/scripts')).json<ScriptList>().scripts.map((script) => script.title)

async function readLists(site: TestApp): Promise<Record<string, string>> {
  const lists = SORTS.flatMap((sort) =>
    ORDERS.flatMap((order) => [
      `scripts?limit=100&sort=${sort}&order=${order}`,
      `scripts?limit=100&sort=${sort}&order=${order}&min_views=3&search=script`,
    ]),
  )
  const responses: Record<string, string> = {}
  for (const address of [...lists, 'script-facets', 'script-tags']) {
    responses[address] = (await site.app.inject(`/api/${address}`)).payload
  }
  return responses
}

async function differences(site: TestApp): Promise<string[]> {
  sqlSite.catalogue.invalidate([])
  const [actual, expected] = [await readLists(site), await readLists(sqlSite)]
  return Object.keys(expected).filter((address) => actual[address] !== expected[address])
}

async function insertScripts(): Promise<number> {
  const authors = [await makeMember(sqlSite.db), await makeMember(sqlSite.db), await makeMember(sqlSite.db)]
  for (let number = 0; number < 60; number++) {
    const author_id = authors[number % 3] ?? 0
    const stats = { view_count: number % 7, five_star: number % 3 }
    await makeScript(sqlSite.db, { author_id, title: `Script ${number % 9}`, tags: ['one', `t${number % 4}`], stats })
  }
  return 60
}

test('SQL answers until the index is ready, with the same responses', async () => {
  await insertScripts()
  const expected = await readLists(sqlSite)
  const site = await createAppOn(sqlSite.database, sqlSite.pool, inMemory)
  const seen = new Set<boolean>()
  while (!seen.has(true)) {
    seen.add(site.catalogue.isInMemory)
    expect(await readLists(site)).toEqual(expected)
    // Cached responses take no time, so the index would never be built.
    await setTimeout(5)
  }
  expect(await readLists(site)).toEqual(expected)
  await site.close()
})

test('an index contains writes that were committed while it was built', async () => {
  await insertScripts()
  const site = await createAppOn(sqlSite.database, sqlSite.pool, inMemory)
  for (let id = 1; id <= 20; id++) {
    await sql`update script_stats set view_count = view_count + 50 where script_id = ${id}`.execute(sqlSite.db)
  }
  await vi.waitUntil(() => site.catalogue.isInMemory, POLL)
  await expect.poll(() => differences(site), POLL).toEqual([])
  await site.close()
})

test('a write of this process is in its next response', async () => {
  const id = await makeScript(sqlSite.db, { title: 'Before' })
  const site = await open()
  expect(await titles(site)).toEqual(['Before'])
  for (let round = 0; round < 20; round++) {
    await sql`update scripts set title = ${`After ${round}`} where id = ${id}`.execute(site.db)
    site.catalogue.invalidate([id])
    expect(await titles(site)).toEqual([`After ${round}`])
  }
  await site.db.deleteFrom('scripts').execute()
  site.catalogue.invalidate([id])
  expect(await titles(site)).toEqual([])
  const next = await makeScript(site.db, { title: 'New', tags: ['new tag'] })
  site.catalogue.invalidate([next])
  expect(await titles(site)).toEqual(['New'])
  expect((await site.app.inject('/api/script-tags')).payload).toContain('new tag')
  await site.close()
})

test('a write of another process reaches the index by the feed', async () => {
  const [site, other] = [await open(), await open()]
  const id = await makeScript(other.db, { title: 'Theirs' })
  other.catalogue.invalidate([id])
  expect(await titles(other)).toEqual(['Theirs'])
  await expect.poll(() => titles(site), POLL).toEqual(['Theirs'])
  await site.close()
  await other.close()
})

test('the index recovers after an outage of the database', async () => {
  await insertScripts()
  const proxy = await startDatabaseProxy(sqlSite.database.connection)
  const pool = openPool(proxy.connection)
  const site = await open(pool)
  await proxy.cut()
  await sql`update script_stats set view_count = view_count + 9 where script_id < 30`.execute(sqlSite.db)
  site.catalogue.invalidate([1])
  // The change cannot be read. The request gets an old response or an error, but does not hang.
  await site.app.inject('/api/scripts')
  await proxy.restore()
  await expect.poll(() => differences(site), POLL).toEqual([])
  await site.close()
  await pool.end()
  await proxy.close()
})

test('a rebuilt index contains changes that are missing from the feed', async () => {
  await insertScripts()
  const site = await open()
  await sql`alter table scripts disable trigger all`.execute(sqlSite.db)
  await sql`update scripts set is_public = false where id < 10`.execute(sqlSite.db)
  site.catalogue.invalidateAll()
  await vi.waitUntil(() => site.catalogue.isInMemory, POLL)
  await expect.poll(() => differences(site), POLL).toEqual([])
  await site.close()
})

async function startWriter(seed: number): Promise<ChildProcess> {
  const env = { ...process.env, CONNECTION: JSON.stringify(sqlSite.database.connection), SEED: String(seed) }
  const writer = fork(`${import.meta.dirname}/../../../tests/support/random-writer.ts`, { env })
  await once(writer, 'message')
  return writer
}

test('every index equals the database after writers were killed midway', async () => {
  await insertScripts()
  const site = await open()
  const random = new Random(TEST_SEED)
  for (let round = 0; round < 3; round++) {
    const writers = await Promise.all(Array.from({ length: 3 }, () => startWriter(random.below(2 ** 31))))
    const late = await open()
    for (const writer of writers) {
      await setTimeout(100 + random.below(200))
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
    await expect.poll(() => differences(site), POLL).toEqual([])
    await expect.poll(() => differences(late), POLL).toEqual([])
    await late.close()
  }
  await site.close()
}, 90_000)
