import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Facets, ScriptList } from '#contract/catalogue.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { findElapsedScripts, readClock } from './feed.ts'

const POLL = { timeout: 60_000, interval: 50 }

async function readLists(site: TestApp) {
  const list = (await site.app.inject('/api/scripts?works_now=true&sort=title')).json<ScriptList>()
  const facets = (await site.app.inject('/api/script-facets')).json<Facets>()
  return { titles: list.scripts.map(({ title }) => title), facet: facets.flags.works_now }
}

test('the index and SQL agree that a script stops working without any write', async () => {
  const sqlSite = await createTestApp()
  const { db } = sqlSite
  const soon = await makeScript(db, { title: 'Soon' })
  await makeScript(db, { title: 'Long', stats: { works_until: new Date(Date.UTC(2100, 0, 1)) } })
  await makeScript(db, { title: 'Never' })
  const site = await createAppOn(sqlSite.database, sqlSite.pool, { catalogueIndex: 'memory' })
  await vi.waitUntil(() => site.catalogue.isInMemory, POLL)
  await sql`update script_stats set works_until = clock_timestamp() + interval '4 seconds'
    where script_id = ${soon}`.execute(db)
  await vi.waitUntil(async () => (await readLists(site)).titles.length === 2, POLL)
  expect(await readLists(site)).toEqual({ titles: ['Soon', 'Long'], facet: 2 })
  await vi.waitUntil(async () => (await readLists(site)).titles.length === 1, POLL)
  const { rows } = await sql<{ is_over: boolean }>`select works_until <= clock_timestamp() as is_over
    from script_stats where script_id = ${soon}`.execute(db)
  expect(rows).toEqual([{ is_over: true }])
  const after = { titles: ['Long'], facet: 1 }
  expect(await readLists(site)).toEqual(after)
  sqlSite.catalogue.invalidate([])
  expect(await readLists(sqlSite)).toEqual(after)
  await site.close()
  await sqlSite.close()
})

test('votes that leave the counts of a week are found in an interval of the clock', async () => {
  const site = await createTestApp()
  const { db } = site
  const script_id = await makeScript(db)
  const before = await readClock(db)
  const week = sql<Date>`now() - interval '7 days'`
  const vote = { script_id, version_number: 1, works: true, weight: 1, is_established: true }
  await db
    .insertInto('works_votes')
    .values([
      { ...vote, member_id: await makeMember(db), voted_at: week },
      { ...vote, member_id: await makeMember(db) },
    ])
    .execute()
  const now = await readClock(db)
  expect(await findElapsedScripts(db, before, now)).toEqual([script_id])
  expect(await findElapsedScripts(db, now, await readClock(db))).toEqual([])
  await site.close()
})
