import pg from 'pg'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/makers.ts'
import { findFeedEnd, readFeed } from './feed.ts'

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

test('a transaction that commits after a later one is not missed', async () => {
  const [first, second] = [await makeScript(site.db), await makeScript(site.db)]
  let position = await findFeedEnd(site.db)
  const [slow, quick] = [await connect(), await connect()]
  const seen: number[] = []
  const read = async () => {
    const page = await readFeed(site.db, position)
    position = page.position
    seen.push(...page.scriptIds)
  }
  await slow.query('begin')
  await slow.query('update script_stats set view_count = 1 where script_id = $1', [first])
  await quick.query('update script_stats set view_count = 1 where script_id = $1', [second])
  await read()
  await slow.query('commit')
  await read()
  expect(seen.toSorted((a, b) => a - b)).toEqual([first, second])
  await Promise.all([slow.end(), quick.end()])
})

test('a transaction that was rolled back leaves no trace', async () => {
  const id = await makeScript(site.db)
  const position = await findFeedEnd(site.db)
  const client = await connect()
  await client.query('begin')
  await client.query('update scripts set title = $1 where id = $2', ['Never', id])
  await client.query('rollback')
  await client.end()
  expect((await readFeed(site.db, position)).scriptIds).toEqual([])
})

test.each([
  ['its title', sql`update scripts set title = 'Changed'`],
  ['its tags', sql`delete from script_tags`],
  ['its counters', sql`update script_stats set download_count = 5`],
  ["its author's name", sql`update members set display_name = 'Changed'`],
  ["its author's ban", sql`update members set banned_until = 'infinity'`],
])('a script is named when %s changes', async (_what, change) => {
  const id = await makeScript(site.db, { tags: ['one'] })
  const position = await findFeedEnd(site.db)
  await change.execute(site.db)
  expect((await readFeed(site.db, position)).scriptIds).toEqual([id])
})

test('a change that no card shows names nothing', async () => {
  await makeScript(site.db)
  const position = await findFeedEnd(site.db)
  await sql`update members set last_seen_at = now(), email = 'a@example.com'`.execute(site.db)
  expect((await readFeed(site.db, position)).scriptIds).toEqual([])
})

test('lists follow a write of another process', async () => {
  await makeScript(site.db, { title: 'Before' })
  expect(await titles()).toEqual(['Before'])
  await sql`update scripts set title = 'After'`.execute(site.db)
  await expect.poll(titles, { timeout: 5000 }).toEqual(['After'])
})

test('lists show a write of this process at once', async () => {
  const id = await makeScript(site.db, { title: 'Before' })
  await titles()
  await sql`update scripts set title = 'After'`.execute(site.db)
  site.catalogue.noteChanged([id])
  expect(await titles()).toEqual(['After'])
})

test('the scripts of a banned author go and come back when the ban is over', async () => {
  const author_id = await makeMember(site.db)
  const id = await makeScript(site.db, { author_id, title: 'Theirs' })
  await site.db
    .updateTable('members')
    .set({ banned_until: new Date(Date.now() + 60_000) })
    .execute()
  site.catalogue.noteChanged([id])
  expect(await titles()).toEqual([])
  expect((await site.app.inject(`/raw/theirs-${id}`)).statusCode).toBe(404)
  await site.db
    .updateTable('members')
    .set({ banned_until: new Date(Date.now() - 1000) })
    .execute()
  site.catalogue.noteChanged([id])
  expect(await titles()).toEqual(['Theirs'])
})
