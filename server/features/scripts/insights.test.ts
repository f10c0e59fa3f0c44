import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptInsights } from '#contract/insights.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { referrerHost } from './referrer.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const ask = async (headers: object, query: object = {}) => {
  const answer = await site.app.inject({
    url: '/api/script-insights',
    query: query as never,
    headers: headers as never,
  })
  return { status: answer.statusCode, body: answer.json<ScriptInsights & { code?: string }>() }
}
const view = (script: number, ip: string, headers: object = {}, { app } = site) =>
  app.inject({
    url: '/api/script-details-slug',
    query: { slug: `x-${script}` },
    remoteAddress: ip,
    headers: headers as never,
  })
const download = (script: number, ip: string) => site.app.inject({ url: `/raw/x-${script}`, remoteAddress: ip })
const rate = async (script: number, rating: number, headers?: object) =>
  site.app.inject({
    method: 'POST',
    url: `/api/script-rating?id=${script}`,
    headers: (headers ?? (await signIn(site.db))) as never,
    payload: { rating },
  })
const today = () => new Date().toISOString().slice(0, 10)

describe('the insights of an author', () => {
  test('have views, downloads and first ratings per day and version', async () => {
    const author = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id: author })
    const headers = await signIn(site.db, author)
    const rater = await signIn(site.db)
    for (const ip of ['10.1.0.1', '10.1.0.2', '10.1.0.1']) await view(script, ip)
    await download(script, '10.1.0.1')
    for (const stars of [5, 3]) await rate(script, stars, rater)
    await rate(script, 2)
    await site.visits.flush()
    await site.app.inject({
      method: 'PUT',
      url: `/api/script-details?id=${script}`,
      headers,
      payload: { script_content: 'return 2', version: '2.0.0' },
    })
    await view(script, '10.1.0.3')
    await site.visits.flush()

    const { body } = await ask(headers, { id: script, days: 7 })
    expect(body.days).toHaveLength(7)
    const sums = { views: 3, downloads: 1, ratings: 2, average_rating: 3.5 }
    expect(body.days.at(-1)).toEqual({ day: today(), ...sums })
    expect(body.days[0]).toMatchObject({ views: 0, average_rating: null })
    expect(body.scripts).toMatchObject([{ id: script, ...sums }])
    expect(body.versions).toMatchObject([
      { number: 2, version: '2.0.0', views: 1, downloads: 0, ratings: 0 },
      { number: 1, views: 2, downloads: 1, ratings: 2 },
    ])
  })

  test('add up all own scripts, and have no version list then', async () => {
    const author = await makeMember(site.db)
    const scripts = [
      await makeScript(site.db, { author_id: author }),
      await makeScript(site.db, { author_id: author, is_public: false }),
    ]
    await makeScript(site.db)
    await sql`insert into script_days (script_id, day, version_number, views, downloads)
      select id, utc_day(now()) - 1, 1, 5, 2 from unnest(${scripts}::int[]) id`.execute(site.db)
    const { body } = await ask(await signIn(site.db, author), {})
    expect(body.days).toHaveLength(30)
    expect(body.days.at(-2)).toMatchObject({ views: 10, downloads: 4 })
    expect(new Set(body.scripts.map(({ id }) => id))).toEqual(new Set(scripts))
    expect(body.versions).toEqual([])
  })

  test('are empty for a member without scripts', async () => {
    const { status, body } = await ask(await signIn(site.db))
    expect(status).toBe(200)
    expect([body.scripts, body.versions, body.referrers]).toEqual([[], [], []])
  })

  test('are for the author only', async () => {
    const script = await makeScript(site.db)
    const hidden = await makeScript(site.db, { is_public: false })
    const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
    const other = await signIn(site.db)
    expect((await ask({}, { id: script })).status).toBe(401)
    expect((await ask(other, { id: script })).body.code).toBe('not_the_author')
    expect((await ask(admin, { id: script })).status).toBe(403)
    expect((await ask(other, { id: hidden })).status).toBe(404)
    expect((await ask(other, { id: 2_000_000_000 })).status).toBe(404)
  })

  test.each([{ days: 0 }, { days: 401 }, { days: 'x' }, { id: 'x' }, { id: 0 }])('reject %j', async (query) => {
    expect((await ask(await signIn(site.db), query)).status).toBe(400)
  })
})

describe('referrers', () => {
  test('are hosts without paths, and count views only', async () => {
    const author = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id: author })
    const own = new URL(site.config.publicUrl).host
    await view(script, '10.2.0.1', { referer: 'https://www.example.com/secret/path?token=x' })
    await view(script, '10.2.0.2', { referer: 'https://example.com/' })
    await view(script, '10.2.0.3', { referer: `http://${own}/popular` })
    await view(script, '10.2.0.4')
    await download(script, '10.2.0.5')
    await site.visits.flush()
    const { body } = await ask(await signIn(site.db, author), { id: script })
    expect(body.referrers).toEqual([{ host: 'example.com', views: 2 }])
    expect(body.days.at(-1)).toMatchObject({ views: 4, downloads: 1 })
  })

  test('are bounded per script and day; the rest is one row', async () => {
    const author = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id: author })
    for (let i = 0; i < 30; i++) {
      await view(script, `10.3.0.${i}`, { referer: `https://host${i}.example/` })
      if (i === 14) await site.visits.flush()
    }
    await site.visits.flush()
    await view(script, '10.3.1.1', { referer: 'https://host3.example/' })
    await site.visits.flush()
    const { rows } = await sql<{ host: string; views: number }>`select host, views from script_referrers
      where script_id = ${script} order by host`.execute(site.db)
    expect(rows).toHaveLength(21)
    expect(rows[0]).toEqual({ host: '', views: 10 })
    expect(rows.find(({ host }) => host === 'host3.example')?.views).toBe(2)
  })

  test.each([
    [undefined, ''],
    ['', ''],
    ['nonsense', ''],
    ['about:blank', ''],
    ['javascript:alert(1)', ''],
    ['https://Forum.Example.COM:8443/a?b#c', 'forum.example.com'],
    ['https://user:word@example.com/', 'example.com'],
    ['https://site.test/x', ''],
    [`https://example.com/${'x'.repeat(3000)}`, ''],
  ])('%j counts as %j', (header, host) => {
    expect(referrerHost(header, 'site.test')).toBe(host)
  })
})

test('two processes and raters count the same script at once without losing or locking', async () => {
  const second = await createAppOn(site.database, site.pool, { secretKey: site.config.secretKey })
  const author = await makeMember(site.db)
  const scripts = [await makeScript(site.db, { author_id: author }), await makeScript(site.db, { author_id: author })]
  for (let i = 0; i < 20; i++) {
    for (const script of scripts) await view(script, `10.4.${i}.1`, {}, i % 2 ? site : second)
  }
  const ratings = scripts.flatMap((script) => [4, 5, 1].map((stars) => rate(script, stars)))
  const answers = await Promise.all([...ratings, site.visits.flush(), second.visits.flush()])
  expect(answers.slice(0, 6).map((answer) => answer && answer.statusCode)).toEqual(Array(6).fill(200))
  const { body } = await ask(await signIn(site.db, author))
  expect(body.days.at(-1)).toMatchObject({ views: 40, ratings: 6 })
  await second.close()
})

test('old days are deleted, and all of them with the script', async () => {
  const script = await makeScript(site.db)
  await sql`insert into script_days (script_id, day, version_number, views)
    select ${script}::int, utc_day(now()) - ago, 1, 1 from unnest(array[0, 399, 400, 500]) ago`.execute(site.db)
  await sql`insert into script_referrers (script_id, day, host, views)
    select ${script}::int, utc_day(now()) - ago, 'a.example', 1 from unnest(array[0, 401]) ago`.execute(site.db)
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select (select count(*) from script_days where script_id = ${script})
      + (select count(*) from script_referrers where script_id = ${script}) as n`.execute(site.db)
    return rows[0]?.n
  }
  await deleteDueData(site.db)
  expect(await count()).toBe(3)
  await site.db.deleteFrom('scripts').where('id', '=', script).execute()
  expect(await count()).toBe(0)
})
