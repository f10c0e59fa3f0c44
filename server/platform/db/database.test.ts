import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { openDatabase } from './database.ts'

let site: TestApp
let reported: (readonly number[])[]

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(() => {
  reported = []
})

const openReporting = () => openDatabase(site.pool, (ids) => void reported.push(ids.toSorted((a, b) => a - b)))

async function listTitles(): Promise<string[]> {
  const response = await site.app.inject('/api/scripts')
  return response.json<ScriptList>().scripts.map((script) => script.title)
}

test('a list shows what a transaction wrote as soon as it has committed', async () => {
  const id = await makeScript(site.db, { title: 'Before' })
  expect(await listTitles()).toContain('Before')
  await site.db.transaction().execute(async (trx) => {
    await trx.updateTable('scripts').set({ title: 'After' }).where('id', '=', id).execute()
  })
  expect(await listTitles()).toContain('After')
  expect(await listTitles()).not.toContain('Before')
})

test('a transaction reports each script it changed once, and 0 for a profile', async () => {
  const [first, second] = [await makeScript(site.db), await makeScript(site.db)]
  await openReporting()
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable('scripts').set({ title: 'Once' }).where('id', '=', first).execute()
      await trx.updateTable('scripts').set({ title: 'Twice' }).where('id', 'in', [first, second]).execute()
    })
  const memberId = await makeMember(site.db)
  await openReporting()
    .transaction()
    .execute((trx) => trx.updateTable('members').set({ bio: 'New' }).where('id', '=', memberId).execute())
  expect(reported).toEqual([[first, second], [0]])
})

test('a transaction that fails, only reads, or changes nothing that is shown reports nothing', async () => {
  const db = openReporting()
  const id = await makeScript(site.db)
  const failing = db.transaction().execute(async (trx) => {
    await trx.updateTable('scripts').set({ title: 'Never' }).where('id', '=', id).execute()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await db.transaction().execute((trx) => trx.selectFrom('scripts').select('id').execute())
  await db.transaction().execute((trx) => trx.updateTable('members').set({ last_seen_at: new Date() }).execute())
  expect(reported).toEqual([])
})

test('a commit that a deferred constraint rejects reports nothing and throws', async () => {
  const id = await makeScript(site.db)
  const write = openReporting()
    .transaction()
    .execute((trx) => trx.updateTable('scripts').set({ current_version: 99 }).where('id', '=', id).execute())
  await expect(write).rejects.toThrow(/foreign key/)
  expect(reported).toEqual([])
})

test('a transaction whose failed statement was ignored throws instead of losing its writes silently', async () => {
  const db = openReporting()
  const write = db.transaction().execute(async (trx) => {
    await trx
      .insertInto('members')
      .values({ discord_id: '1', username: '', slug: '' })
      .execute()
      .catch(() => {})
    await trx
      .selectFrom('no_such_table' as 'scripts')
      .select('id')
      .execute()
      .catch(() => {})
  })
  await expect(write).rejects.toThrow(/aborted/)
  expect(await db.selectFrom('members').select('id').where('discord_id', '=', '1').execute()).toEqual([])
  expect(reported).toEqual([])
})

test('a transaction that PostgreSQL ends because of a deadlock runs again', async () => {
  const [first, second] = [await makeScript(site.db), await makeScript(site.db)]
  const db = openReporting()
  let waiting = 2
  let start = () => {}
  const bothLocked = new Promise<void>((resolve) => {
    start = resolve
  })
  let attempts = 0
  const lockBoth = (ids: [number, number]) =>
    db.transaction().execute(async (trx) => {
      attempts++
      await sql`update scripts set title = title || '!' where id = ${ids[0]}`.execute(trx)
      if (--waiting <= 0) start()
      await bothLocked
      await sql`update scripts set title = title || '!' where id = ${ids[1]}`.execute(trx)
      return ids
    })
  expect(await Promise.all([lockBoth([first, second]), lockBoth([second, first])])).toEqual([
    [first, second],
    [second, first],
  ])
  expect(attempts).toBeGreaterThan(2)
  const { rows } = await sql<{ title: string }>`select title from scripts where id in (${first}, ${second})`.execute(db)
  expect(rows.map(({ title }) => title)).toEqual([expect.stringMatching(/[^!]!!$/), expect.stringMatching(/[^!]!!$/)])
  expect(reported).toHaveLength(2)
})

test('a transaction that meets a deadlock again and again fails', async () => {
  let attempts = 0
  const failing = openReporting()
    .transaction()
    .execute(async (trx) => {
      attempts++
      await sql`do $$ begin raise 'deadlock' using errcode = '40P01'; end $$`.execute(trx)
    })
  await expect(failing).rejects.toMatchObject({ code: '40P01' })
  expect(attempts).toBe(4)
})
