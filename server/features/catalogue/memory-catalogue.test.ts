import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ORDERS, SORTS } from '#contract/catalogue-names.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { openPool } from '#server/db/pool.ts'

const PATIENCE = { timeout: 20_000, interval: 100 }
const inMemory = { catalogueIndex: 'memory' } as const

/** The same database behind a server that asks SQL. */
let judge: TestApp
beforeEach(async () => {
  judge = await createTestApp()
})
afterEach(() => judge.close())

async function open(pool = judge.pool): Promise<TestApp> {
  const site = await createAppOn(judge.database, pool, inMemory)
  await vi.waitUntil(() => site.catalogue.isInMemory, PATIENCE)
  return site
}

const titles = async (site: TestApp) =>
  (await site.app.inject('/api/scripts')).json<ScriptList>().scripts.map((script) => script.title)

/** Everything that lists show: each order, flags and tags. */
async function picture(site: TestApp): Promise<Record<string, string>> {
  const lists = SORTS.flatMap((sort) =>
    ORDERS.flatMap((order) => [
      `scripts?limit=100&sort=${sort}&order=${order}`,
      `scripts?limit=100&sort=${sort}&order=${order}&min_views=3&search=script`,
    ]),
  )
  const shown: Record<string, string> = {}
  for (const address of [...lists, 'script-facets', 'script-tags']) {
    shown[address] = (await site.app.inject(`/api/${address}`)).payload
  }
  return shown
}

/** What this server shows otherwise than SQL does. */
async function differences(site: TestApp): Promise<string[]> {
  judge.catalogue.invalidate([])
  const [shown, judged] = [await picture(site), await picture(judge)]
  return Object.keys(judged).filter((address) => shown[address] !== judged[address])
}

async function plantMany(): Promise<number> {
  const authors = [await makeMember(judge.db), await makeMember(judge.db), await makeMember(judge.db)]
  for (let number = 0; number < 60; number++) {
    const author_id = authors[number % 3] ?? 0
    const stats = { view_count: number % 7, five_star: number % 3 }
    await makeScript(judge.db, { author_id, title: `Script ${number % 9}`, tags: ['one', `t${number % 4}`], stats })
  }
  return 60
}

test('SQL answers until the index is there, and nothing changes when it takes over', async () => {
  await plantMany()
  const expected = await picture(judge)
  const site = await createAppOn(judge.database, judge.pool, inMemory)
  const seen = new Set<boolean>()
  while (!seen.has(true)) {
    seen.add(site.catalogue.isInMemory)
    expect(await picture(site)).toEqual(expected)
    // Kept answers take no time at all; the index has to get its turn.
    await setTimeout(5)
  }
  expect(await picture(site)).toEqual(expected)
  await site.close()
})

test('what is written while the index is being built is in it', async () => {
  await plantMany()
  const site = await createAppOn(judge.database, judge.pool, inMemory)
  for (let id = 1; id <= 20; id++) {
    await sql`update script_stats set view_count = view_count + 50 where script_id = ${id}`.execute(judge.db)
  }
  await vi.waitUntil(() => site.catalogue.isInMemory, PATIENCE)
  await expect.poll(() => differences(site), PATIENCE).toEqual([])
  await site.close()
})

test('a write of this process is in the next answer', async () => {
  const id = await makeScript(judge.db, { title: 'Before' })
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

test('a write of another process is in the index soon', async () => {
  const [site, other] = [await open(), await open()]
  const id = await makeScript(other.db, { title: 'Theirs' })
  other.catalogue.invalidate([id])
  expect(await titles(other)).toEqual(['Theirs'])
  await expect.poll(() => titles(site), PATIENCE).toEqual(['Theirs'])
  await site.close()
  await other.close()
})

test('the index is right again after the database was away', async () => {
  await plantMany()
  const line = await startDatabaseProxy(judge.database.connection)
  const pool = openPool(line.connection)
  const site = await open(pool)
  await line.cut()
  await sql`update script_stats set view_count = view_count + 9 where script_id < 30`.execute(judge.db)
  site.catalogue.invalidate([1])
  // The reader's own change cannot be read; it is answered with what is there, or told so, but never kept waiting.
  await site.app.inject('/api/scripts')
  await line.restore()
  await expect.poll(() => differences(site), PATIENCE).toEqual([])
  await site.close()
  await pool.end()
  await line.close()
})

test('starting afresh finds what no feed told of', async () => {
  await plantMany()
  const site = await open()
  await sql`alter table scripts disable trigger all`.execute(judge.db)
  await sql`update scripts set is_public = false where id < 10`.execute(judge.db)
  site.catalogue.startAfresh()
  await vi.waitUntil(() => site.catalogue.isInMemory, PATIENCE)
  await expect.poll(() => differences(site), PATIENCE).toEqual([])
  await site.close()
})

async function startWriter(): Promise<ChildProcess> {
  const env = { ...process.env, CONNECTION: JSON.stringify(judge.database.connection) }
  const writer = fork(`${import.meta.dirname}/../../../tests/support/random-writer.ts`, { env })
  await once(writer, 'message')
  return writer
}

test('after several processes wrote at random and were killed in the middle, every index equals the database', async () => {
  await plantMany()
  const site = await open()
  for (let round = 0; round < 3; round++) {
    const writers = await Promise.all([startWriter(), startWriter(), startWriter()])
    const late = await open()
    for (const writer of writers) {
      await setTimeout(100 + Math.random() * 200)
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
    await expect.poll(() => differences(site), PATIENCE).toEqual([])
    await expect.poll(() => differences(late), PATIENCE).toEqual([])
    await late.close()
  }
  await site.close()
}, 90_000)
