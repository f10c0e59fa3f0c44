import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { CommentPage } from '#contract/comments.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import { demoScripts } from '#demo/catalogue.ts'
import { demoCollections } from '#demo/collections.ts'
import { demoComments } from '#demo/comments.ts'
import { demoGiveaways } from '#demo/giveaways.ts'
import { demoFavorites, demoFollows, demoWatches } from '#demo/interests.ts'
import { demoMembers } from '#demo/members.ts'
import { demoStaff } from '#demo/members/staff.ts'
import { demoCases, demoMute } from '#demo/moderation.ts'
import { demoHistories } from '#demo/versions.ts'
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
  const hidden = new Set(demoCases.filter(({ decision }) => decision?.action === 'hide').map(({ script }) => script))
  const expected = demoScripts.filter(({ isPublic, file }) => isPublic && !hidden.has(file)).map(({ title }) => title)
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

test('versions are listed with notes and older dates, and the script has the date of the newest', async () => {
  const { rows } = await sql<{ versions: number; ordered: boolean; notes: number }>`select count(*) as versions,
      array_agg(v.created_at order by v.number) = array_agg(v.created_at order by v.created_at) as ordered,
      count(v.changelog) as notes
    from script_versions v group by script_id having count(*) > 1`.execute(site.db)
  expect(rows).toHaveLength(Object.keys(demoHistories).length)
  for (const { versions, ordered, notes } of rows) {
    expect(ordered).toBe(true)
    expect(notes).toBe(versions - 1)
  }
  const { rows: stale } = await sql`select from scripts s join script_versions v on v.script_id = s.id
    and v.number = s.current_version where v.created_at <> s.updated_at or v.version <> s.version`.execute(site.db)
  expect(stale).toEqual([])
})

test('cards show the summaries', () => {
  const summaries = new Map(list.scripts.map(({ title, summary }) => [title, summary]))
  for (const { title, summary } of demoScripts.filter((script) => script.summary && summaries.has(script.title))) {
    expect(summaries.get(title)).toBe(summary)
  }
})

test('votes are for current versions only', async () => {
  const { rows } = await sql`select from works_votes v join scripts s on s.id = v.script_id
    join script_versions n on n.script_id = s.id and n.number = v.version_number
    where v.version_number <> s.current_version or v.voted_at < n.created_at`.execute(site.db)
  expect(rows).toEqual([])
})

test('favorites, follows and watched scripts are counted', async () => {
  const { rows } = await sql<Record<string, number>>`select (select count(*) from favorites) as favorites,
    (select sum(favorite_count)::int from script_stats) as favorite_counts, (select count(*) from follows) as follows,
    (select sum(follower_count)::int from follower_counts) as follower_counts, (select count(*) from watches) as watches`.execute(
    site.db,
  )
  const [favorites, follows, watches] = [demoFavorites, demoFollows, demoWatches].map(
    (lists) => Object.values(lists).flat().length,
  )
  expect(rows).toEqual([{ favorites, favorite_counts: favorites, follows, follower_counts: follows, watches }])
})

test('moderators find open reports, a dismissed one, and an appeal against a hidden script', async () => {
  const { rows } = await sql<Record<string, unknown>>`select c.subject_type, c.status, c.appeal_status,
      c.decided_at > c.created_at and coalesce(c.appealed_at > c.decided_at, true) as ordered,
      (select hidden_at is not null from scripts where id = c.subject_id and c.subject_type = 'script') as hidden
    from report_cases c order by c.id`.execute(site.db)
  const open = { status: 'open', appeal_status: null, ordered: null }
  expect(rows).toEqual([
    { ...open, subject_type: 'review', hidden: null },
    { ...open, subject_type: 'script', hidden: false },
    { subject_type: 'script', status: 'dismissed', appeal_status: null, ordered: true, hidden: false },
    { subject_type: 'script', status: 'resolved', appeal_status: 'open', ordered: true, hidden: true },
  ])
})

test('one member is muted after a warning, and none of the accounts for signing in', async () => {
  const { rows } = await sql<{ discord_id: string; kinds: string[] }>`select m.discord_id,
      array_agg(s.kind order by s.id) as kinds
    from members m join sanctions s on s.member_id = m.id where m.muted_until > now() group by m.id`.execute(site.db)
  const { discordId } = demoMembers.find(({ key }) => key === demoMute.member) ?? {}
  expect(rows).toEqual([{ discord_id: discordId, kinds: ['warning', 'mute'] }])
  expect(demoStaff.map((member) => member.discordId)).not.toContain(discordId)
})

test('comments have their replies in order, mentions and helpful votes', async () => {
  const { rows } = await sql<{ script_id: number; title: string }>`select distinct c.script_id, s.title
    from comments c join scripts s on s.id = c.script_id order by s.title`.execute(site.db)
  expect(rows).toHaveLength(new Set(demoComments.map(({ script }) => script)).size)
  let count = 0
  for (const { script_id } of rows) {
    const page = (await site.app.inject(`/api/script-comments?id=${script_id}`)).json<CommentPage>()
    count += page.threads.length
    for (const { created_at, replies } of page.threads) {
      const times = [created_at, ...replies.map((reply) => reply.created_at)]
      expect(times).toEqual(times.toSorted())
    }
    if (script_id !== rows.find(({ title }) => title === 'Lobby Teleport Pads')?.script_id) continue
    const [thread] = page.threads
    expect(thread?.helpful_count).toBe(2)
    expect(thread?.replies.at(-1)?.mentions).toEqual([{ name: 'renata.s', slug: expect.any(String) }])
  }
  expect(count).toBe(demoComments.length)
})

test('collections show their scripts in order, and private ones only to their owners', async () => {
  const { rows } = await sql<{ id: number; name: string; is_public: boolean; item_count: number; age: number }>`
    select id, name, is_public, item_count, round(extract(epoch from now() - updated_at) / 86400)::int as age
    from collections order by id`.execute(site.db)
  expect(rows.map(({ id: _id, ...row }) => row)).toEqual(
    demoCollections.map(({ name, isPublic, items, updatedDaysAgo }) => ({
      name,
      is_public: isPublic,
      item_count: items.length,
      age: updatedDaysAgo,
    })),
  )
  for (const { id, is_public } of rows) {
    expect((await site.app.inject(`/api/collection?slug=x-${id}`)).statusCode).toBe(is_public ? 200 : 404)
  }
})

test('the statistics of the site show downloads of every day and all of them in total', async () => {
  const { rows } = await sql<{ days: number; lowest: number; total: number; expected: number }>`select
      count(distinct day) filter (where day > utc_day(now()) - 30 and downloads > 0) as days, min(downloads) as lowest,
      sum(downloads)::int as total, (select sum(download_count)::int from script_stats) as expected
    from daily_stats`.execute(site.db)
  const [{ days, lowest, total, expected } = { days: 0, lowest: -1, total: -1, expected: 0 }] = rows
  expect(days).toBe(30)
  expect(lowest).toBeGreaterThanOrEqual(0)
  expect(total).toBe(expected)
})

test('the days of a script add up to its public counts and ratings, as far back as days are stored', async () => {
  const { rows } = await sql<{ title: string; is_stored: boolean; daily: number[]; public: number[] }>`select s.title,
      s.created_at > now() - interval '399 days' as is_stored,
      array[sum(d.views), sum(d.downloads), sum(d.ratings), sum(d.rating_sum)]::int[] as daily,
      array[st.view_count, st.download_count, st.rating_count,
        (select coalesce(sum(rating), 0) from ratings where script_id = s.id)]::int[] as public
    from scripts s join script_stats st on st.script_id = s.id join script_days d on d.script_id = s.id
    group by s.id, st.script_id`.execute(site.db)
  expect(rows.length).toBeGreaterThan(40)
  const stored = rows.filter(({ is_stored }) => is_stored)
  expect(stored.length).toBeGreaterThan(20)
  expect(stored.map(({ title, daily }) => [title, daily])).toEqual(stored.map((row) => [row.title, row.public]))
  for (const row of rows) {
    for (const [index, sum] of row.daily.entries()) expect(sum, row.title).toBeLessThanOrEqual(row.public[index] ?? 0)
  }
})

test('the ratings of each day are those that members gave on it, also in the statistics of the site', async () => {
  const { rows } = await sql<{ day: string }>`
    with rated as (select utc_day(created_at) as day, count(*) as n from ratings group by 1),
      counted as (select day, sum(ratings) as n from script_days group by 1),
      site_days as (select day, sum(ratings) as n from daily_stats group by 1)
    select day::text from rated full join counted using (day) full join site_days using (day)
    where day > utc_day(now()) - 365
      and (coalesce(rated.n, 0) <> coalesce(counted.n, 0) or coalesce(rated.n, 0) <> coalesce(site_days.n, 0))`.execute(
    site.db,
  )
  expect(rows).toEqual([])
})
