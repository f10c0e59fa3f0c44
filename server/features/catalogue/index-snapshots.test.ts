import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ORDERS, SORTS } from '#contract/catalogue-names.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { insertScript, makeAuthors, randomQuery, randomScript } from '#tests/support/random-catalogue.ts'
import { randomWrite, write } from '#tests/support/random-writes.ts'
import { sample } from '#tests/support/seed.ts'
import { FeedFollower, removeOldChanges } from '#server/features/catalogue/feed.ts'
import { type Catalogue, readQuery } from '#server/features/catalogue/query.ts'
import { sqlCatalogue } from '#server/features/catalogue/sql-catalogue.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import { IndexSnapshots } from './index-snapshots.ts'

const POLL = { timeout: 60_000, interval: 50 }

let site: TestApp
let folder: string
let file: string
let closing: (() => Promise<unknown>)[]
beforeEach(async () => {
  site = await createTestApp()
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-snapshot-'))
  file = path.join(folder, 'catalogue-index')
  closing = []
})
afterEach(async () => {
  await closeAll()
  await site.close()
  rmSync(folder, { recursive: true })
})
async function closeAll() {
  for (const close of closing.splice(0).toReversed()) await close()
}

async function open({ db, pool } = site, isReadOnly = false) {
  const messages: string[] = []
  const record = (_fields: object, text: string) => void messages.push(text)
  const log = Object.assign(Object.create(site.app.log) as FastifyBaseLogger, { warn: record, info: record })
  const follower = new FeedFollower(db, log, { changed: (ids) => memory.enqueue(ids), lost: () => memory.start() })
  const snapshots = new IndexSnapshots({
    db,
    log,
    dataDir: folder,
    minScripts: 1,
    isReadOnly,
    findCheckpoint: () => follower.checkpoint,
  })
  const memory = new MemoryCatalogue({
    db,
    pool,
    dataDir: folder,
    log,
    fallback: sqlCatalogue(db),
    snapshots,
    onApplied: () => {},
  })
  await follower.start()
  memory.start()
  closing.push(
    () => memory.close(),
    () => follower.close(),
  )
  await vi.waitUntil(() => memory.isReady, POLL)
  return { memory, messages }
}

const RESTORED = 'catalogue index restored'
const BUILT = 'catalogue index built'
const DISCARDED = 'catalogue index snapshot discarded'

async function readLists(catalogue: Catalogue): Promise<unknown[]> {
  const lists: unknown[] = [await catalogue.tags(200)]
  for (const sort of SORTS) {
    for (const order of ORDERS) lists.push(await catalogue.find(readQuery({ sort, order, page: 1, limit: 100 })))
  }
  return lists
}
const expectedLists = () => readLists(sqlCatalogue(site.db))

async function insertScripts(): Promise<void> {
  const author_id = await makeMember(site.db)
  for (let number = 0; number < 5; number++)
    await makeScript(site.db, { author_id, title: `Script ${number}`, tags: ['a'] })
}

test('a restored index returns the same results as before and follows further changes', async () => {
  const { db } = site
  const world = { db, authors: await makeAuthors(db), known: [] as Awaited<ReturnType<typeof insertScript>>[] }
  for (const script of sample(randomScript, 120)) world.known.push(await insertScript(db, world.authors, script))
  const { memory } = await open()
  for (const change of sample(randomWrite, 40)) memory.enqueueOwn(await write(world, change))
  await memory.find(readQuery({ sort: 'title', order: 'asc', page: 1, limit: 1 }))
  await closeAll()
  for (const change of sample(randomWrite, 20)) await write(world, change)
  const restored = await open()
  expect(restored.messages).toContain(RESTORED)
  for (const change of sample(randomWrite, 40)) restored.memory.enqueueOwn(await write(world, change))
  for (const { flags, ...rest } of sample(randomQuery, 200)) {
    const on = Object.fromEntries(flags.map((flag) => [flag, 'true' as const]))
    const query = readQuery({ sort: 'created_at', order: 'desc', page: 1, limit: 20, ...rest, ...on })
    expect({ query, ...(await restored.memory.find(query)) }).toEqual({
      query,
      ...(await sqlCatalogue(db).find(query)),
    })
  }
  expect(await readLists(restored.memory)).toEqual(await expectedLists())
}, 60_000)

test('a restored index knows which bans have ended', async () => {
  const author_id = await makeMember(site.db, { banned_until: new Date(Date.now() + 2500) })
  await insertScripts()
  await makeScript(site.db, { author_id, title: 'Back' })
  await open()
  await closeAll()
  await sql`select pg_sleep(3)`.execute(site.db)
  const { memory, messages } = await open()
  expect(messages).toContain(RESTORED)
  expect(await readLists(memory)).toEqual(await expectedLists())
})

test('only the process that owns the data folder writes and discards the snapshot', async () => {
  await insertScripts()
  await open(site, true)
  await closeAll()
  expect(existsSync(file)).toBe(false)
  await open()
  await closeAll()
  expect((await open(site, true)).messages).toContain(RESTORED)
  await closeAll()
  writeFileSync(file, 'half')
  const { memory, messages } = await open(site, true)
  expect(messages).toContain(BUILT)
  expect(await readLists(memory)).toEqual(await expectedLists())
  await closeAll()
  expect(readFileSync(file, 'utf8')).toBe('half')
})

test('removes old temporary files of processes that were killed', async () => {
  const [old, fresh] = [`${file}.old`, `${file}.fresh`]
  for (const one of [old, fresh]) writeFileSync(one, 'half')
  utimesSync(old, 0, Date.now() / 1000 - 2 * 60 * 60)
  await open(site, true)
  expect(existsSync(old)).toBe(true)
  await open()
  expect(existsSync(old)).toBe(false)
  expect(existsSync(fresh)).toBe(true)
})

const damages: [string, () => Promise<void> | void][] = [
  ['is truncated', () => truncateSync(file, 2000)],
  ['is empty', () => writeFileSync(file, '')],
  ['is another file', () => writeFileSync(file, 'x'.repeat(5000))],
  [
    'has one wrong bit',
    () => {
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
      writeFileSync(file, bytes)
    },
  ],
  [
    'is older than the change feed',
    async () => {
      await insertScripts()
      await sql`update catalogue_changes set changed_at = now() - interval '2 hours'`.execute(site.db)
      await removeOldChanges(site.db)
    },
  ],
]
test.each(damages)('discards a snapshot that %s and logs it', async (_, damage) => {
  await insertScripts()
  await open()
  await closeAll()
  expect(existsSync(file)).toBe(true)
  await damage()
  const { memory, messages } = await open()
  expect(messages).toEqual(expect.arrayContaining([DISCARDED, BUILT]))
  expect(await readLists(memory)).toEqual(await expectedLists())
})

test('discards the snapshot of another database', async () => {
  await insertScripts()
  await open()
  await closeAll()
  const other = await createTestApp()
  const { memory, messages } = await open(other)
  expect(messages).toEqual(expect.arrayContaining([DISCARDED, BUILT]))
  expect(await memory.tags(10)).toEqual([])
  await closeAll()
  await other.close()
})

/** Waits for transactions of other tests on this server: the feed ends at the oldest one that is still running. */
const waitUntilFeedIsComplete = () =>
  vi.waitUntil(async () => {
    const { rows } = await sql<{ is_complete: boolean }>`select max(transaction_id) <
      pg_snapshot_xmin(pg_current_snapshot()) as is_complete from catalogue_changes`.execute(site.db)
    return rows[0]?.is_complete
  }, POLL)

test('a snapshot stays usable over an hour without changes', async () => {
  await insertScripts()
  await waitUntilFeedIsComplete()
  await open()
  await closeAll()
  await sql`update catalogue_changes set changed_at = now() - interval '2 hours'`.execute(site.db)
  await removeOldChanges(site.db)
  expect((await open()).messages).toContain(RESTORED)
})
