import pg from 'pg'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createServer } from '#server/platform/http/server.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { FeedFollower, findFeedEnd, findElapsedScripts, removeOldChanges, readClock, readFeed } from './feed.ts'

let site: TestApp
beforeEach(async () => {
  site = await createTestApp()
})
afterEach(() => site.close())

const titles = async () =>
  (await site.app.inject('/api/scripts')).json<ScriptList>().scripts.map((script) => script.title)

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(site.database.connection)
  await client.connect()
  return client
}

/** Waits for the open transactions of other databases on this server, which hold the feed back. */
async function openReader() {
  const waiting = sql<{ count: number }>`select count(*) from catalogue_changes
    where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())`
  await expect.poll(async () => (await waiting.execute(site.db)).rows[0]?.count, { timeout: 60_000 }).toBe(0)
  let position = await findFeedEnd(site.db)
  const seen: number[] = []
  const read = async () => {
    const page = await readFeed(site.db, position)
    position = page.position
    seen.push(...page.scriptIds)
    return seen
  }
  /** Changes this script and returns the ids that were read before that change. */
  const readTo = async (marker: number) => {
    await sql`update script_stats set view_count = view_count + 1 where script_id = ${marker}`.execute(site.db)
    await expect.poll(read, { timeout: 60_000 }).toContain(marker)
    return seen.filter((id) => id !== marker)
  }
  return { read, readTo }
}

test('reads a transaction that commits after a later one, and reads nothing twice', async () => {
  const [first, second, marker] = [await makeScript(site.db), await makeScript(site.db), await makeScript(site.db)]
  const reader = await openReader()
  const [slow, fast] = [await connect(), await connect()]
  await slow.query('begin')
  await slow.query('update script_stats set view_count = 1 where script_id = $1', [first])
  await fast.query('update script_stats set view_count = 1 where script_id = $1', [second])
  await reader.read()
  await slow.query('commit')
  expect((await reader.readTo(marker)).toSorted((a, b) => a - b)).toEqual([first, second])
  await Promise.all([slow.end(), fast.end()])
})

test('misses nothing during concurrent writes', async () => {
  const author_id = await makeMember(site.db)
  const ids: number[] = []
  for (let number = 0; number < 20; number++) ids.push(await makeScript(site.db, { author_id }))
  const marker = await makeScript(site.db, { author_id })
  const reader = await openReader()
  const writing = new AbortController()
  const reading = (async () => {
    while (!writing.signal.aborted) await reader.read()
  })()
  await Promise.all(
    ids.map((id) =>
      site.db.transaction().execute(async (trx) => {
        await sql`update script_stats set view_count = 1 where script_id = ${id}`.execute(trx)
        await sql`select pg_sleep(random() * 0.05)`.execute(trx)
      }),
    ),
  )
  writing.abort()
  await reading
  expect((await reader.readTo(marker)).toSorted((a, b) => a - b)).toEqual(ids)
})

test('contains nothing of a transaction that was rolled back', async () => {
  const [id, marker] = [await makeScript(site.db), await makeScript(site.db)]
  const reader = await openReader()
  const client = await connect()
  await client.query('begin')
  await client.query('update scripts set title = $1 where id = $2', ['Never', id])
  await client.query('rollback')
  await client.end()
  expect(await reader.readTo(marker)).toEqual([])
})

test.each([
  ['its title', sql`update scripts set title = 'Changed' where id = 1`],
  ['its tags', sql`delete from script_tags where script_id = 1`],
  ['its counters', sql`update script_stats set download_count = 5 where script_id = 1`],
  ["its author's name", sql`update members set display_name = 'Changed' where id = 1`],
  ["its author's ban", sql`update members set banned_until = 'infinity' where id = 1`],
  ['its existence', sql`delete from scripts where id = 1`],
])('contains a script when %s changes', async (_name, change) => {
  await makeScript(site.db, { tags: ['one'] })
  const marker = await makeScript(site.db)
  const reader = await openReader()
  await change.execute(site.db)
  // A change of an author also changes their profile, which is recorded as script 0.
  const ids = new Set(await reader.readTo(marker))
  ids.delete(0)
  expect(ids).toEqual(new Set([1]))
})

test('ignores changes that no card shows', async () => {
  const marker = await makeScript(site.db)
  const reader = await openReader()
  await sql`update members set last_seen_at = now(), email = 'a@example.com'`.execute(site.db)
  expect(await reader.readTo(marker)).toEqual([])
})

test("finds the scripts of authors whose bans ended in an interval of the database's clock", async () => {
  const before = await readClock(site.db)
  const [ended, active, endedEarlier] = [
    await makeMember(site.db),
    await makeMember(site.db),
    await makeMember(site.db),
  ]
  await sql`update members set banned_until = now() where id = ${ended}`.execute(site.db)
  await sql`update members set banned_until = now() + interval '1 hour' where id = ${active}`.execute(site.db)
  await sql`update members set banned_until = now() - interval '1 hour' where id = ${endedEarlier}`.execute(site.db)
  const id = await makeScript(site.db, { author_id: ended })
  for (const author_id of [active, endedEarlier]) await makeScript(site.db, { author_id })
  const now = await readClock(site.db)
  expect(await findElapsedScripts(site.db, before, now)).toEqual([id])
  expect(await findElapsedScripts(site.db, now, await readClock(site.db))).toEqual([])
})

test('lists show a write of another process', async () => {
  await makeScript(site.db, { title: 'Before' })
  expect(await titles()).toEqual(['Before'])
  await sql`update scripts set title = 'After'`.execute(site.db)
  await expect.poll(titles, { timeout: 60_000 }).toEqual(['After'])
})

test('delivers changes whose transaction ids a promoted replica assigns a second time', async () => {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const { log } = createServer({ log: 'warn', logTo, trustProxy: [], isHttps: false })
  const line = await startDatabaseProxy(site.database.connection)
  const pool = openPool(line.connection)
  const delivered: number[] = []
  const listener = { changed: (ids: number[]) => void delivered.push(...ids), lost: () => {} }
  const follower = new FeedFollower(openDatabase(pool), log, listener)
  await follower.start()
  const readUntil = () => Number(follower.checkpoint?.position.transactionId)
  const start = readUntil()
  const written = await makeScript(site.db)
  await expect.poll(() => delivered, { timeout: 60_000 }).toContain(written)
  // Transactions of other tests on this server may keep the follower from reading on.
  await expect.poll(readUntil, { timeout: 60_000 }).toBeGreaterThan(start + 1)
  const end = readUntil()
  await line.cut()
  await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('change feed read failed')
  const script_id = written + 1
  await sql`insert into catalogue_changes (transaction_id, script_id)
    values (${String(end - 1)}::xid8, ${script_id})`.execute(site.db)
  await line.restore()
  await expect.poll(() => delivered, { timeout: 60_000 }).toContain(script_id)
  await follower.close()
  await pool.end()
  await line.close()
})

test("lists of two servers show each other's writes, and their own writes at once", async () => {
  const other = await createAppOn(site.database, site.pool)
  const titlesOnOther = async () =>
    (await other.app.inject('/api/scripts')).json<ScriptList>().scripts.map((script) => script.title)
  const id = await makeScript(site.db, { title: 'Before' })
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual(['Before'])
  await expect.poll(titlesOnOther, { timeout: 60_000 }).toEqual(['Before'])
  await sql`update scripts set title = 'After'`.execute(other.db)
  other.catalogue.invalidate([id])
  expect(await titlesOnOther()).toEqual(['After'])
  await expect.poll(titles, { timeout: 60_000 }).toEqual(['After'])
  await other.close()
})

test('facets and tags show a write of another process', async () => {
  const read = async (path: string) => (await site.app.inject(path)).payload
  const [facets, tags] = [await read('/api/script-facets'), await read('/api/script-tags')]
  await makeScript(site.db, { tags: ['new'] })
  await expect.poll(() => read('/api/script-tags'), { timeout: 60_000 }).not.toBe(tags)
  expect(await read('/api/script-facets')).not.toBe(facets)
  expect(await read('/api/script-tags')).toContain('"new"')
})

test('removes changes that are older than an hour', async () => {
  await makeScript(site.db)
  const marker = await makeScript(site.db)
  await sql`update catalogue_changes set changed_at = now() - interval '61 minutes' where script_id = 1`.execute(
    site.db,
  )
  await removeOldChanges(site.db)
  const { rows } = await sql<{ script_id: number }>`select distinct script_id from catalogue_changes`.execute(site.db)
  expect(rows).toEqual([{ script_id: marker }])
})

test('lists show a write of this process at once', async () => {
  const id = await makeScript(site.db, { title: 'Before' })
  await titles()
  await sql`update scripts set title = 'After'`.execute(site.db)
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual(['After'])
})

test('the scripts of a banned author are unlisted until the ban ends', async () => {
  const author_id = await makeMember(site.db)
  const id = await makeScript(site.db, { author_id, title: 'Theirs' })
  await site.db
    .updateTable('members')
    .set({ banned_until: new Date(Date.now() + 60_000) })
    .execute()
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual([])
  expect((await site.app.inject(`/raw/theirs-${id}`)).statusCode).toBe(404)
  await site.db
    .updateTable('members')
    .set({ banned_until: new Date(Date.now() - 1000) })
    .execute()
  site.catalogue.invalidate([id])
  expect(await titles()).toEqual(['Theirs'])
})
