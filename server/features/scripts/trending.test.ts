import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const DAY_MS = 86_400_000

async function queryNumber(expression: string): Promise<number> {
  const { rows } = await site.pool.query<{ value: number }>(`select ${expression} as value`)
  return rows[0]?.value ?? Number.NaN
}

async function trendOf(script: number): Promise<number> {
  const found = await site.db
    .selectFrom('script_stats')
    .select('trend')
    .where('script_id', '=', script)
    .executeTakeFirstOrThrow()
  return found.trend
}

/** Sum of the weights with a half-life of two days: the value whose logarithm is stored. */
const decayedSum = (events: { weight: number; daysAgo: number }[]) =>
  events.reduce((sum, { weight, daysAgo }) => sum + weight * 2 ** (-daysAgo / 2), 0)

test('an event adds its weight to a score with a half-life of two days', async () => {
  const events = [
    { weight: 40, daysAgo: 6 },
    { weight: 3, daysAgo: 0 },
  ]
  const before = `trend_at(now() - interval '6 days') + ln(40::float8) / ln(2::float8)`
  const now = await queryNumber(`add_trend(${before}, 3) - trend_at(now())`)
  expect(2 ** now).toBeCloseTo(decayedSum(events), 6)
})

test.each([
  ['add_trend(0, 1e9)', 1e9],
  ['add_trend(trend_at(now()) + 3000, 1)', 2 ** 1023],
])('%s neither overflows nor underflows', async (expression, minimum) => {
  const difference = (await queryNumber(expression)) - (await queryNumber('trend_at(now())'))
  expect(difference).toBeGreaterThanOrEqual(Math.log2(minimum) - 0.01)
})

test('evenly distributed events score like separate events', async () => {
  const [perDay, days] = [12, 10]
  const steps = 1000
  const events = Array.from({ length: days * steps }, (_, index) => ({
    weight: perDay / steps,
    daysAgo: index / steps,
  }))
  const createdAt = new Date(Date.now() - days * DAY_MS).toISOString()
  const trend = await queryNumber(`even_trend(${perDay * days}, '${createdAt}') - trend_at(now())`)
  expect(2 ** trend / decayedSum(events)).toBeCloseTo(1, 2)
})

test('three views today trend above a thousand views three weeks ago', async () => {
  const old = await makeScript(site.db, { title: 'Old', stats: { view_count: 1000 } })
  await sql`update script_stats set trend = trend_at(now() - interval '21 days') + ln(1000::float8) / ln(2::float8)
    where script_id = ${old}`.execute(site.db)
  const recent = await makeScript(site.db, { title: 'Young' })
  for (const ip of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
    await site.app.inject({
      method: 'POST',
      url: '/api/script-download',
      payload: { script_id: recent },
      remoteAddress: ip,
    })
  }
  await site.visits.flush()
  site.catalogue.invalidate([old, recent])
  const order = async (sort: string) =>
    (await site.app.inject(`/api/scripts?sort=${sort}`)).json<ScriptList>().scripts.map(({ title }) => title)
  expect(await order('trending')).toEqual(['Young', 'Old'])
  expect(await order('view_count')).toEqual(['Old', 'Young'])
})

test('a good first rating counts once a day, even if it is deleted and repeated', async () => {
  const script = await makeScript(site.db)
  const headers = await signIn(site.db, await makeMember(site.db))
  const url = `/api/script-rating?id=${script}`
  const rate = (rating: number) => site.app.inject({ method: 'POST', url, headers, payload: { rating } })
  await rate(2)
  expect(await trendOf(script)).toBe(0)
  await site.app.inject({ method: 'DELETE', url, headers })
  await rate(5)
  const once = await trendOf(script)
  expect(2 ** (once - (await queryNumber('trend_at(now())')))).toBeCloseTo(5, 2)
  for (let round = 0; round < 3; round++) {
    await site.app.inject({ method: 'DELETE', url, headers })
    await rate(5)
  }
  expect(await trendOf(script)).toBe(once)
})
