import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ratingOperations, type RatingSummary, type Review } from '#contract/ratings.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { type Headers, makeRatingScene, ratingRequests, type Ratings } from '#tests/support/ratings.ts'

let site: TestApp
let author: number
let script: number
let member: number
let headers: Headers
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  ;({ author, script, member, headers } = await makeRatingScene(site))
})
const { rate, remove, reply, get, read, readNotifications, set } = ratingRequests(() => ({ site, script, headers }))
const stars = ({ one_star, two_star, three_star, four_star, five_star }: RatingSummary) => [
  one_star,
  two_star,
  three_star,
  four_star,
  five_star,
]

test('a rating is stored, summarized, returned to its member as own_rating, and notified to the author', async () => {
  const response = await rate({ rating: 4, review: ' Fine.\r\nReally.\rYes. ' })
  expect(Value.Check(ratingOperations['POST /api/script-rating'].response[200], response.json())).toBe(true)
  expect(response.json()).toMatchObject({
    rating: { rating: 4, review: 'Fine.\nReally.\nYes.', reviewer_name: 'Ada', edited_at: null },
    summary: { average_rating: 4, rating_count: 1, four_star: 1 },
  })
  const { ratings, own_rating, summary } = await read(headers)
  expect(own_rating).toEqual(ratings[0])
  expect(summary).toEqual(response.json<Ratings>().summary)
  expect((await read()).own_rating).toBeNull()
  expect(await readNotifications(author)).toEqual([
    {
      title: 'New review',
      message: 'Ada reviewed your script “Spring”.',
      link: `/scripts/spring-${script}#ratings`,
    },
  ])
})

test('responses to visitors are cacheable, responses to members are not', async () => {
  expect((await get()).headers['cache-control']).toBe('no-cache')
  expect((await get(headers)).headers['cache-control']).toBe('no-store')
})

test('a second rating replaces the first and sets edited_at', async () => {
  await rate({ rating: 1, review: 'Bad.' })
  const before = (await read()).ratings
  const response = await rate({ rating: 5, review: null })
  expect(response.json<{ rating: Review }>().rating).toEqual({
    ...before[0],
    rating: 5,
    review: null,
    edited_at: expect.any(String),
  })
  expect(stars((await read()).summary)).toEqual([0, 0, 0, 0, 1])
  expect((await read()).ratings).toHaveLength(1)
})

test('repeating the same rating changes nothing', async () => {
  await rate({ rating: 3 })
  const { ratings } = await read()
  await rate({ rating: 3, review: '  \n\t ' })
  expect((await read()).ratings).toEqual(ratings)
})

test('the author is notified of a first rating and a first review, not of every change', async () => {
  await rate({ rating: 3 })
  await rate({ rating: 4 })
  await rate({ rating: 4, review: 'Words.' })
  await rate({ rating: 5, review: 'Other words.' })
  await remove()
  await rate({ rating: 5 })
  expect((await readNotifications(author)).map(({ message }) => message)).toEqual([
    'Ada reviewed your script “Spring”.',
    'Ada rated your script “Spring”.',
  ])
})

test('a rating can be deleted once', async () => {
  await rate({ rating: 2 })
  const response = await remove()
  expect(Value.Check(ratingOperations['DELETE /api/script-rating'].response[200], response.json())).toBe(true)
  expect(response.json()).toMatchObject({ summary: { rating_count: 0, average_rating: 0 } })
  expect((await remove()).statusCode).toBe(404)
})

describe('rejects', () => {
  const failure = async (request: Promise<{ statusCode: number; json(): { code: string } }>) => {
    const settled = await request
    const rows = await site.db.selectFrom('ratings').select('id').where('script_id', '=', script).execute()
    expect([rows, stars((await read(await signIn(site.db, author))).summary)]).toEqual([[], [0, 0, 0, 0, 0]])
    return [settled.statusCode, settled.json().code]
  }

  test.each([
    [{ rating: 0 }],
    [{ rating: 6 }],
    [{ rating: 2.5 }],
    [{ rating: '6' }],
    [{ rating: null }],
    [{ rating: 1e9 }],
    [{ rating: true }],
    [{ rating: [5] }],
    [{}],
    [{ review: 'Only words.' }],
    [{ rating: 5, review: 'x'.repeat(2001) }],
    [{ rating: 5, review: '😀'.repeat(2001) }],
    [{ rating: 5, review: 'a\0b' }],
    [{ rating: 5, review: 'a\u0007b' }],
    [{ rating: 5, review: '\ud800' }],
    [{ rating: 5, review: 7 }],
  ])('%j', async (payload: object) => {
    expect((await failure(rate(payload)))[0]).toBe(400)
  })

  test('the member’s own script, public or private', async () => {
    const own = await signIn(site.db, author)
    expect(await failure(rate({ rating: 5 }, own))).toEqual([403, 'own_script'])
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', script).execute()
    expect(await failure(rate({ rating: 5 }, own))).toEqual([403, 'own_script'])
  })
  test('a private script, even for an admin', async () => {
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', script).execute()
    await set(member, { is_admin: true })
    expect(await failure(rate({ rating: 5 }))).toEqual([404, 'script_not_found'])
  })
  test('an unknown script', async () => {
    expect(await failure(rate({ rating: 5 }, headers, 2_000_000_000))).toEqual([404, 'script_not_found'])
    expect((await failure(rate({ rating: 5 }, headers, 'x')))[0]).toBe(400)
  })
  test('a script of a banned author', async () => {
    await set(author, { banned_until: 'infinity' })
    expect((await rate({ rating: 5 })).statusCode).toBe(404)
    await set(author, { banned_until: null })
    expect((await rate({ rating: 5 })).statusCode).toBe(200)
  })
  test('muted and banned members, visitors and unknown tokens', async () => {
    await set(member, { muted_until: 'infinity' })
    expect(await failure(rate({ rating: 5 }))).toEqual([403, 'muted'])
    await set(member, { banned_until: 'infinity' })
    expect(await failure(rate({ rating: 5 }))).toEqual([401, 'unauthorized'])
    expect(await failure(rate({ rating: 5 }, {}))).toEqual([401, 'unauthorized'])
    expect(await failure(rate({ rating: 5 }, { 'user-id': String(member) }))).toEqual([401, 'unauthorized'])
  })
})

test.each([
  'x'.repeat(2000),
  '😀'.repeat(2000),
  'tab\tand\nline',
  '"; drop table ratings; --',
  '\u202eright to left\u202c',
])('any other review text is stored unchanged (%#)', async (review) => {
  expect((await rate({ rating: 5, review })).statusCode).toBe(200)
  expect((await read()).ratings[0]?.review).toBe(review)
})

test.each(['', '   ', '\n\t', '\u200b\u2060', null, undefined])(
  'the review %j is stored as no review',
  async (review) => {
    expect((await rate({ rating: 5, review })).json()).toMatchObject({ rating: { review: null } })
  },
)

test('a muted member can delete their rating', async () => {
  await rate({ rating: 5 })
  await set(member, { muted_until: 'infinity' })
  expect((await remove()).statusCode).toBe(200)
})

test('the ratings of a private script are visible only to its author and admins', async () => {
  await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', script).execute()
  const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  const seen = [await get(), await get(headers), await get(admin), await get(await signIn(site.db, author))]
  expect(seen.map(({ statusCode }) => statusCode)).toEqual([404, 404, 200, 200])
})

test.each([
  ['newest', ['New 3', 'Mid 5', 'Old 1', 'Stars only']],
  ['highest', ['Mid 5', 'New 3', 'Old 1', 'Stars only']],
  ['lowest', ['Old 1', 'New 3', 'Mid 5', 'Stars only']],
])('sorting by %s puts ratings with a review first', async (sort, expected) => {
  const date = (day: number) => new Date(Date.UTC(2026, 0, day))
  const ratings: [number, string | null, number][] = [
    [1, 'Old 1', 1],
    [5, 'Mid 5', 2],
    [3, 'New 3', 3],
    [4, null, 4],
  ]
  for (const [rating, review, day] of ratings) {
    const row = { script_id: script, member_id: await makeMember(site.db), rating, review, created_at: date(day) }
    await site.db.insertInto('ratings').values(row).execute()
  }
  expect((await read({}, `&sort=${sort}`)).ratings.map(({ review }) => review ?? 'Stars only')).toEqual(expected)
})

test.each(['best', 'NEWEST', 'newest,lowest', '1'])('rejects the unknown sort %s', async (sort) => {
  expect((await get({}, `&sort=${sort}`)).statusCode).toBe(400)
})

test('a rating is visible at once in lists of this server, and a reply is added to the change feed', async () => {
  await site.app.inject('/api/scripts')
  await rate({ rating: 5, review: 'Good.' })
  const card = (await site.app.inject(`/api/scripts?author=${author}`)).json<{
    scripts: { rating_average: number }[]
  }>()
  expect(card.scripts[0]?.rating_average).toBe(5)
  const changes = sql<{ count: number }>`select count(*) from catalogue_changes where script_id = ${script}`
  const before = (await changes.execute(site.db)).rows[0]?.count ?? 0
  const { ratings } = await read()
  await reply({ rating_id: ratings[0]?.id, reply: 'Thanks.' }, await signIn(site.db, author))
  expect((await changes.execute(site.db)).rows[0]?.count).toBeGreaterThan(before)
})
