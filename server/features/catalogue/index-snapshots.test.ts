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
import type { Catalogue } from '#server/features/catalogue/catalogue.ts'
import { FeedFollower, removeOldChanges } from '#server/features/catalogue/feed.ts'
import { readQuery } from '#server/features/catalogue/query.ts'
import { sqlCatalogue } from '#server/features/catalogue/sql-catalogue.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import { IndexSnapshots } from './index-snapshots.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

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

/** A catalogue in memory with its feed and its snapshot, and what it had to say at its start. */
async function open({ db, pool } = site, isReadOnly = false) {
  const said: string[] = []
  const say = (_details: object, text: string) => void said.push(text)
  const log = Object.assign(Object.create(site.app.log) as FastifyBaseLogger, { warn: say, info: say })
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
  await vi.waitUntil(() => memory.isReady, PATIENCE)
  return { memory, said }
}

const READ = 'catalogue index restored'
const BUILT = 'catalogue index built'
const THROWN_AWAY = 'catalogue index snapshot discarded'

async function pictureOf(catalogue: Catalogue): Promise<unknown[]> {
  const picture: unknown[] = [await catalogue.tags(200)]
  for (const sort of SORTS) {
    for (const order of ORDERS) picture.push(await catalogue.find(readQuery({ sort, order, page: 1, limit: 100 })))
  }
  return picture
}
const judged = () => pictureOf(sqlCatalogue(site.db))

async function plantSome(): Promise<void> {
  const author_id = await makeMember(site.db)
  for (let number = 0; number < 5; number++)
    await makeScript(site.db, { author_id, title: `Script ${number}`, tags: ['a'] })
}

test('an index that was written and read again answers as before, and goes on with every change', async () => {
  const { db } = site
  const world = { db, authors: await makeAuthors(db), known: [] as Awaited<ReturnType<typeof insertScript>>[] }
  for (const given of sample(randomScript, 120)) world.known.push(await insertScript(db, world.authors, given))
  const { memory } = await open()
  for (const change of sample(randomWrite, 40)) memory.enqueueOwn(await write(world, change))
  await memory.find(readQuery({ sort: 'title', order: 'asc', page: 1, limit: 1 }))
  await closeAll()
  for (const change of sample(randomWrite, 20)) await write(world, change)
  const again = await open()
  expect(again.said).toContain(READ)
  for (const change of sample(randomWrite, 40)) again.memory.enqueueOwn(await write(world, change))
  for (const { flags, ...asked } of sample(randomQuery, 200)) {
    const on = Object.fromEntries(flags.map((flag) => [flag, 'true' as const]))
    const query = readQuery({ sort: 'created_at', order: 'desc', page: 1, limit: 20, ...asked, ...on })
    expect({ query, ...(await again.memory.find(query)) }).toEqual({ query, ...(await sqlCatalogue(db).find(query)) })
  }
  expect(await pictureOf(again.memory)).toEqual(await judged())
}, 60_000)

test('bans that ended meanwhile are known', async () => {
  const author_id = await makeMember(site.db, { banned_until: new Date(Date.now() + 2500) })
  await plantSome()
  await makeScript(site.db, { author_id, title: 'Back' })
  await open()
  await closeAll()
  await sql`select pg_sleep(3)`.execute(site.db)
  const { memory, said } = await open()
  expect(said).toContain(READ)
  expect(await pictureOf(memory)).toEqual(await judged())
})

test('one process of several writes it, and the others read it and leave it alone', async () => {
  await plantSome()
  await open(site, true)
  await closeAll()
  expect(existsSync(file)).toBe(false)
  await open()
  await closeAll()
  expect((await open(site, true)).said).toContain(READ)
  await closeAll()
  writeFileSync(file, 'half')
  const { memory, said } = await open(site, true)
  expect(said).toContain(BUILT)
  expect(await pictureOf(memory)).toEqual(await judged())
  await closeAll()
  expect(readFileSync(file, 'utf8')).toBe('half')
})

test('what a killed process left is removed once it is old', async () => {
  const [old, fresh] = [`${file}.old`, `${file}.fresh`]
  for (const one of [old, fresh]) writeFileSync(one, 'half')
  utimesSync(old, 0, Date.now() / 1000 - 2 * 60 * 60)
  await open(site, true)
  expect(existsSync(old)).toBe(true)
  await open()
  expect(existsSync(old)).toBe(false)
  expect(existsSync(fresh)).toBe(true)
})

const breakages: [string, () => Promise<void> | void][] = [
  ['is cut off', () => truncateSync(file, 2000)],
  ['is empty', () => writeFileSync(file, '')],
  ['is something else', () => writeFileSync(file, 'x'.repeat(5000))],
  [
    'has a wrong bit in the middle',
    () => {
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
      writeFileSync(file, bytes)
    },
  ],
  [
    'is older than the feed reaches back',
    async () => {
      await plantSome()
      await sql`update catalogue_changes set changed_at = now() - interval '2 hours'`.execute(site.db)
      await removeOldChanges(site.db)
    },
  ],
]
test.each(breakages)('a snapshot that %s is thrown away with a line in the log', async (_what, damage) => {
  await plantSome()
  await open()
  await closeAll()
  expect(existsSync(file)).toBe(true)
  await damage()
  const { memory, said } = await open()
  expect(said).toEqual(expect.arrayContaining([THROWN_AWAY, BUILT]))
  expect(await pictureOf(memory)).toEqual(await judged())
})

test('the snapshot of another database is thrown away', async () => {
  await plantSome()
  await open()
  await closeAll()
  const other = await createTestApp()
  const { memory, said } = await open(other)
  expect(said).toEqual(expect.arrayContaining([THROWN_AWAY, BUILT]))
  expect(await memory.tags(10)).toEqual([])
  await closeAll()
  await other.close()
})

test('a quiet hour makes no snapshot too old', async () => {
  await plantSome()
  await open()
  await closeAll()
  await sql`update catalogue_changes set changed_at = now() - interval '2 hours'`.execute(site.db)
  await removeOldChanges(site.db)
  expect((await open()).said).toContain(READ)
})
