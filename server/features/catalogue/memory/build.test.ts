import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPool } from '#server/db/pool.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'
import { makeAuthors, insertScript, randomScript } from '#tests/support/random-catalogue.ts'
import { sample } from '#tests/support/seed.ts'
import { buildIndex } from './build.ts'
import { MemoryIndex } from './memory-index.ts'
import { KEPT_SORTS } from './orders.ts'
import { readRows } from './read-rows.ts'

const never = new AbortController().signal
const PATIENCE = { timeout: 20_000, interval: 50 }

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const authors = await makeAuthors(site.db)
  for (const given of sample(randomScript, 60)) await insertScript(site.db, authors, given)
  const bare = await makeScript(site.db, { title: 'without words' })
  await site.db.deleteFrom('script_search').where('script_id', '=', bare).execute()
})
afterAll(() => site.close())

const source = () => ({ db: site.db, pool: site.pool, dataDir: site.config.dataDir })
const beside = () => ({ ...source(), mostAtOnce: 0 })
/** Of indexes: what else is in the folder is the site's. */
const filesLeft = () => readdirSync(site.config.dataDir).filter((name) => name.startsWith('catalogue-index'))

async function picture(index: MemoryIndex) {
  const sections = await index.save()
  return sections.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')])
}

/** What each script is found by, and every order. */
function meaning(index: MemoryIndex) {
  const { labels, postings, records, vocabulary, orders } = index
  const names = new Map<number, string>()
  for (const tag of labels.tags) names.set(tag.term, `tag ${tag.name}`)
  for (const [number, word] of vocabulary.words.entries()) {
    for (let place = 0; place < 4; place++) names.set(vocabulary.termAt(number, place), `word ${word} in ${place}`)
  }
  const scripts = [...orders.created_at.toArray()].map((id) => {
    const terms = labels.plain.filter((term) => postings.has(term, id)).map((term) => `plain ${term}`)
    records.eachTerm(id, (term) => {
      expect(postings.has(term, id)).toBe(true)
      if (names.has(term)) terms.push(names.get(term) ?? '')
    })
    return { id, title: Buffer.from(records.title(id)).toString(), terms: terms.toSorted() }
  })
  return {
    scripts,
    words: [...vocabulary.order.toArray()].map((number) => vocabulary.words[number]),
    orders: KEPT_SORTS.map((sort) => [...orders[sort].toArray()]),
    counts: [...names].map(([term, name]) => `${name}: ${postings.count(term)}`).toSorted(),
  }
}

test('an index from a process of its own is the index that is made at once, and no file is left', async () => {
  const [made, handedOver] = [await buildIndex(source(), never), await buildIndex(beside(), never)]
  expect(made.size).toBeGreaterThan(30)
  expect(await picture(handedOver)).toEqual(await picture(made))
  expect(filesLeft()).toEqual([])
})

test('loading all scripts is putting one after the other', async () => {
  const loaded = await buildIndex(source(), never)
  const put = new MemoryIndex()
  const ids = [...loaded.orders.created_at.toArray()].toSorted((a, b) => a - b)
  for (const row of await readRows(site.db, put.labels, ids)) put.put(row)
  for (const tag of loaded.labels.tags) put.labels.addTag(tag)
  expect(meaning(loaded)).toEqual(meaning(put))
})

test('an empty catalogue has an index, too', async () => {
  const empty = await createTestApp()
  const { dataDir } = empty.config
  expect((await buildIndex({ ...empty, dataDir }, never)).size).toBe(0)
  expect((await buildIndex({ ...empty, dataDir, mostAtOnce: -1 }, never)).size).toBe(0)
  await empty.close()
})

test('who no longer needs it does not wait for it, and its connection ends', async () => {
  const connections = async () => {
    const { rows } = await site.pool.query<{ waiting: boolean }>(
      `select wait_event_type = 'Lock' as waiting from pg_stat_activity
       where datname = current_database() and application_name = 'scriptyard' and pid <> pg_backend_pid()`,
    )
    return rows
  }
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const given = new AbortController()
  const building = buildIndex(beside(), given.signal)
  const told = building.catch((error: Error) => error.message)
  await vi.waitUntil(async () => (await connections()).some(({ waiting }) => waiting), PATIENCE)
  given.abort()
  expect(await told).toMatch('aborted')
  await holder.query('rollback')
  holder.release()
  await vi.waitUntil(async () => (await connections()).length < site.pool.totalCount, PATIENCE)
  expect(filesLeft()).toEqual([])
})

test('a connection that ends and a folder that is not there are told as errors', async () => {
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const told = buildIndex(beside(), never).catch((error: Error) => error.message)
  const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitUntil(async () => (await site.pool.query(end)).rows.length > 0, PATIENCE)
  await holder.query('rollback')
  holder.release()
  expect(await told).toMatch('terminating connection')
  await expect(buildIndex({ ...beside(), dataDir: path.join(site.config.dataDir, 'none') }, never)).rejects.toThrow(
    'ENOENT',
  )
})

test('a process that ends before it is done is told as an error', async () => {
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,process.exit(3)')
  const told = buildIndex(beside(), never).catch((error: Error) => error.message)
  expect(await told).toBe('the process that makes it ended (3)')
  vi.unstubAllEnvs()
})

test.each([0, 1000])('a database that cannot be reached is told as an error (%i at once)', async (mostAtOnce) => {
  const pool = openPool({ ...site.database.connection, database: 'not_there' }, 1)
  await expect(buildIndex({ ...source(), pool, mostAtOnce }, never)).rejects.toThrow('not_there')
  await pool.end()
})
