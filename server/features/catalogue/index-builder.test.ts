import { readdirSync } from 'node:fs'
import path from 'node:path'
import { CatalogueIndex } from '@scriptyard/catalogue-index'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SORTS } from '#contract/catalogue-names.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeScript } from '#tests/support/factories.ts'
import { waitUntilBlocked } from '#tests/support/locks.ts'
import { makeAuthors, insertScript, randomScript } from '#tests/support/random-catalogue.ts'
import { sample } from '#tests/support/seed.ts'
import { buildIndex } from './index-builder.ts'
import { readRows } from './index-rows.ts'
import type { CatalogueQuery } from './query.ts'
import { SCRIPT_SCHEMA, type ScriptIndex, ScriptIndexQueries } from './script-index.ts'

const never = new AbortController().signal
const POLL = { timeout: 60_000, interval: 50 }

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const authors = await makeAuthors(site.db)
  for (const script of sample(randomScript, 60)) await insertScript(site.db, authors, script)
  const bare = await makeScript(site.db, { title: 'without words' })
  await site.db.deleteFrom('script_search').where('script_id', '=', bare).execute()
})
afterAll(() => site.close())

const source = () => ({ db: site.db, pool: site.pool, dataDir: site.config.dataDir })
const childSource = () => ({ ...source(), maxInProcess: 0 })
const temporaryFiles = () => readdirSync(site.config.dataDir).filter((name) => name.startsWith('catalogue-index'))

const contentOf = async (index: ScriptIndex) => {
  const { version, sections } = await index.save()
  return [version, sections.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')])]
}

const WORDS = ['a', 'e', 'f', 'zoe', 'script', 'ui']
const everything: CatalogueQuery = {
  words: [],
  tags: [],
  flags: [],
  authorId: undefined,
  gameId: undefined,
  minRating: 0,
  minViews: 0,
  uses: [],
  lacks: [],
  hosts: [],
  sort: 'created_at',
  order: 'asc',
  page: 1,
  limit: 100,
}

function answersOf(index: ScriptIndex): unknown[] {
  const queries = new ScriptIndexQueries(index)
  const lists = SORTS.flatMap((sort) =>
    [[], ...WORDS.map((word) => [word])].map((words) => queries.find({ ...everything, sort, words })),
  )
  const completions = WORDS.map((word) => queries.complete({ words: [word], tag: word }))
  return [...lists, ...completions, queries.tags(200), queries.facets(everything)]
}

test('a child process builds the same index and leaves no file', async () => {
  const [inProcess, inChild] = [await buildIndex(source(), never), await buildIndex(childSource(), never)]
  expect(inProcess.size).toBeGreaterThan(30)
  expect(await contentOf(inChild)).toEqual(await contentOf(inProcess))
  expect(temporaryFiles()).toEqual([])
})

test('a bulk build returns the same results as an index to which each script was added', async () => {
  const built = await buildIndex(source(), never)
  const added: ScriptIndex = new CatalogueIndex(SCRIPT_SCHEMA)
  const { ids } = new ScriptIndexQueries(built).find(everything)
  expect(ids).toHaveLength(built.size)
  for (const document of await readRows(site.db, added, ids)) added.put(document)
  expect(answersOf(built)).toEqual(answersOf(added))
})

test('builds an index of an empty catalogue', async () => {
  const empty = await createTestApp()
  const { dataDir } = empty.config
  expect((await buildIndex({ ...empty, dataDir }, never)).size).toBe(0)
  expect((await buildIndex({ ...empty, dataDir, maxInProcess: -1 }, never)).size).toBe(0)
  await empty.close()
})

test('an aborted build rejects at once and closes its connection', async () => {
  const connections = async () => {
    const { rows } = await site.pool.query<{ waiting: boolean }>(
      `select wait_event_type = 'Lock' as waiting from pg_stat_activity
       where datname = current_database() and application_name like 'scriptyard %' and pid <> pg_backend_pid()`,
    )
    return rows
  }
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const controller = new AbortController()
  const building = buildIndex(childSource(), controller.signal)
  const rejection = building.catch((error: Error) => error.message)
  await vi.waitUntil(async () => (await connections()).some(({ waiting }) => waiting), POLL)
  controller.abort()
  expect(await rejection).toMatch('aborted')
  await holder.query('rollback')
  holder.release()
  await vi.waitUntil(async () => (await connections()).length < site.pool.totalCount, POLL)
  expect(temporaryFiles()).toEqual([])
})

test('rejects when its connection ends and when the folder is missing', async () => {
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const rejection = buildIndex(childSource(), never).catch((error: Error) => error.message)
  const terminate = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitUntil(async () => (await site.pool.query(terminate)).rows.length > 0, POLL)
  await holder.query('rollback')
  holder.release()
  expect(await rejection).toMatch('terminating connection')
  await expect(
    buildIndex({ ...childSource(), dataDir: path.join(site.config.dataDir, 'none') }, never),
  ).rejects.toThrow('ENOENT')
})

test.each([0, 1000])('rejects when its connection goes silent (up to %i in this process)', async (maxInProcess) => {
  const line = await startDatabaseProxy(site.database.connection)
  const pool = openPool(line.connection, 1)
  const holder = await site.pool.connect()
  await holder.query('begin')
  await holder.query('lock table tags')
  const rejection = buildIndex({ ...source(), pool, maxInProcess }, never).catch((error: Error) => error.message)
  await waitUntilBlocked(site.pool)
  line.silence()
  await holder.query('rollback')
  holder.release()
  expect(await rejection).toBe('the connection is silent')
  await pool.end()
  await line.close()
})

test('rejects when the child process exits early', async () => {
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,process.exit(3)')
  const rejection = buildIndex(childSource(), never).catch((error: Error) => error.message)
  expect(await rejection).toBe('the process exited (3)')
  vi.unstubAllEnvs()
})

test.each([0, 1000])('rejects when the database is missing (up to %i in this process)', async (maxInProcess) => {
  const pool = openPool({ ...site.database.connection, database: 'not_there' }, 1)
  await expect(buildIndex({ ...source(), pool, maxInProcess }, never)).rejects.toThrow('not_there')
  await pool.end()
})
