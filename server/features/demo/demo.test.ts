import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import { demoScripts } from '#demo/catalogue.ts'
import { demoGiveaways } from '#demo/giveaways.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fillWithDemo } from './service.ts'

let site: TestApp
let filled: boolean[]
let list: ScriptList
beforeAll(async () => {
  site = await createTestApp()
  filled = await Promise.all([fillWithDemo(site.db, site), fillWithDemo(site.db, site)])
  list = (await site.app.inject('/api/scripts?limit=100')).json<ScriptList>()
})
afterAll(() => site.close())

test('two servers that start with an empty database insert the demo data once', () => {
  expect(filled.filter(Boolean)).toHaveLength(1)
})

test('a database with data is not changed', async () => {
  expect(await fillWithDemo(site.db, site)).toBe(false)
})

test('every public demo script is listed and found by its title', async () => {
  const expected = demoScripts.filter(({ isPublic }) => isPublic).map(({ title }) => title)
  expect(list.scripts.map(({ title }) => title).toSorted()).toEqual(expected.toSorted())
  for (const { title, id } of list.scripts) {
    const found = await site.app.inject({ url: '/api/scripts', query: { search: title } })
    expect(found.json<ScriptList>().scripts.map((script) => script.id)).toContain(id)
  }
})

test('the stored star counts match a recount', async () => {
  const { rows } = await sql`select st.script_id from script_stats st left join lateral (
      select count(*) filter (where rating = 1) as one, count(*) filter (where rating = 5) as five, count(*) as all
      from ratings r where r.script_id = st.script_id) c on true
    where st.one_star <> c.one or st.five_star <> c.five or st.rating_count <> c.all`.execute(site.db)
  expect(rows).toEqual([])
})

test('every author with good ratings has reputation that matches the ledger', async () => {
  const { rows } = await sql<{ has_good_rating: boolean; reputation: number; sum: number }>`select m.reputation,
      coalesce((select sum(points)::int from reputation_ledger where receiver_id = m.id), 0) as sum,
      exists (select from scripts s join ratings r on r.script_id = s.id where s.author_id = m.id and r.rating >= 4) as has_good_rating
    from members m`.execute(site.db)
  expect(rows.filter(({ reputation, sum }) => reputation !== sum)).toEqual([])
  expect(rows.filter(({ has_good_rating, reputation }) => has_good_rating !== reputation > 0)).toEqual([])
  expect(rows.filter(({ reputation }) => reputation > 0).length).toBeGreaterThan(8)
})

test('no demo member exceeds the daily reputation limit or gives points today', async () => {
  const { rows } = await sql`select from reputation_ledger
    group by giver_id, day having count(*) > 3 or day >= (now() at time zone 'UTC')::date`.execute(site.db)
  expect(rows).toEqual([])
})

test('every cover and avatar in the lists exists', async () => {
  const paths = new Set(
    list.scripts.flatMap(({ image, image_card, author_avatar }) => [image, image_card, author_avatar]),
  )
  expect(paths.size).toBeGreaterThan(24)
  for (const address of paths) expect((await site.app.inject(address)).statusCode, address).toBe(200)
})

test('every active demo giveaway is listed, and the ended one has winners', async () => {
  const { data } = (await site.app.inject('/api/giveaways')).json<{ data: { giveaways: Giveaway[] } }>()
  const expected = demoGiveaways.filter(({ isActive }) => isActive)
  expect(data.giveaways.map(({ title }) => title).toSorted()).toEqual(expected.map(({ title }) => title).toSorted())
  const ended = data.giveaways.filter(({ is_ended }) => is_ended)
  expect(ended.map(({ winners }) => winners.length)).toEqual([2])
  for (const { title, entry_count } of data.giveaways) {
    expect(entry_count).toBe(expected.find((giveaway) => giveaway.title === title)?.entrants.length)
  }
})
