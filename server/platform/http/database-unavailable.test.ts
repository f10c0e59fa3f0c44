import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeScript } from '#tests/support/factories.ts'

let database: TestDatabase
let line: DatabaseProxy
let site: TestApp
let id: number
beforeAll(async () => {
  database = await createTestDatabase()
  line = await startDatabaseProxy(database.connection)
  site = await createAppOn(database, openPool(line.connection))
  id = await makeScript(site.db, { title: 'Before' })
})
afterAll(async () => {
  await site.close()
  await site.pool.end()
  await line.close()
  await database.drop()
})

const statusOf = async (url: string) => (await site.app.inject(url)).statusCode
const titles = async () =>
  (await site.app.inject('/api/scripts')).json<ScriptList>().scripts.map((script) => script.title)

test('the site reports an unavailable database and recovers when it is back', async () => {
  expect(await titles()).toEqual(['Before'])
  await line.cut()

  for (const url of [`/raw/before-${id}`, `/api/script-details-slug?slug=before-${id}`, '/api/scripts?page=2']) {
    const answer = await site.app.inject(url)
    expect([answer.statusCode, answer.headers['retry-after'], answer.json<{ code: string }>().code]).toEqual([
      503,
      '2',
      'unavailable',
    ])
  }
  expect([await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/api/site')]).toEqual([503, 200, 200])
  // Cached responses are still served.
  expect(await titles()).toEqual(['Before'])

  await database.pool.query("update scripts set title = 'After'")
  await line.restore()
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf(`/raw/before-${id}`)).toBe(200)
  // A change from that time is not missed.
  await expect.poll(titles, { timeout: 10_000 }).toEqual(['After'])
})

test('visits are counted when an unavailable database is back', async () => {
  const script = await makeScript(site.db)
  const visit = () => site.visits.count(script, 'view', Buffer.from('a visitor of 16B'))
  await line.cut()
  visit()
  await site.visits.flush()
  visit()
  await site.visits.flush()
  await line.restore()
  // The first flush may still get a broken connection and leaves the visits for the next one.
  const countAgain = async () => {
    await site.visits.flush()
    const { rows } = await database.pool.query('select view_count from script_stats where script_id = $1', [script])
    return rows as unknown
  }
  await expect.poll(countAgain, { timeout: 10_000 }).toEqual([{ view_count: 1 }])
  expect(await countAgain()).toEqual([{ view_count: 1 }])
})
