import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ratingOperations, type RatingSummary, type Review } from '#contract/ratings.ts'
import { syncVotes } from './summary.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp
let script: number
beforeAll(async () => {
  site = await createTestApp()
  script = await makeScript(site.db, { stats: { five_star: 1, two_star: 2 } })
  const [kim, lou, gone, banned] = [
    await makeMember(site.db, { username: 'kim', slug: 'kim', display_name: 'Kim' }),
    await makeMember(site.db, { username: 'lou', slug: 'lou' }),
    await makeMember(site.db),
    await makeMember(site.db, { banned_until: 'infinity' }),
  ]
  const date = (day: number) => new Date(Date.UTC(2026, 0, day))
  await site.db
    .insertInto('ratings')
    .values([
      { script_id: script, member_id: kim, rating: 5, review: 'Good', created_at: date(1) },
      { script_id: script, member_id: lou, rating: 2, review: '  \n ', created_at: date(2) },
      { script_id: script, member_id: gone, rating: 2, review: 'Bad', created_at: date(3) },
      { script_id: script, member_id: banned, rating: 1, review: 'Spam', created_at: date(4) },
    ])
    .execute()
  // The summary contains the banned member's rating until the votes are settled.
  await site.db.updateTable('script_stats').set({ one_star: 1 }).where('script_id', '=', script).execute()
  await site.db.transaction().execute((trx) => syncVotes(trx, banned))
  await site.db.deleteFrom('members').where('id', '=', gone).execute()
})
afterAll(() => site.close())

const get = async () =>
  (await site.app.inject(`/api/script-rating?id=${script}`)).json<{ ratings: Review[]; summary: RatingSummary }>()

test('lists reviews first, newest first, without banned members and with deleted members as anonymous', async () => {
  const body = await get()
  expect(Value.Check(ratingOperations['GET /api/script-rating'].response[200], body)).toBe(true)
  expect(body.ratings.map(({ rating, reviewer_name }) => [rating, reviewer_name])).toEqual([
    [2, 'Deleted member'],
    [5, 'Kim'],
    [2, 'lou'],
  ])
})

test('the summary is the mean and the count of each star', async () => {
  expect((await get()).summary).toEqual({
    average_rating: 3,
    rating_count: 3,
    one_star: 0,
    two_star: 2,
    three_star: 0,
    four_star: 0,
    five_star: 1,
  })
})

test('the comments of a script are its reviews with text', async () => {
  const response = await site.app.inject(`/api/script-details-slug?slug=a-script-${script}`)
  expect(response.json<{ comments: Review[] }>().comments.map(({ review }) => review)).toEqual(['Bad', 'Good'])
})

test.each(['0', '-1', 'x', '', '99999999999'])('rejects the script id %j', async (id) => {
  expect((await site.app.inject(`/api/script-rating?id=${id}`)).statusCode).toBe(400)
})

test('a member cannot have two ratings of one script', async () => {
  const duplicate = sql`insert into ratings (script_id, member_id, rating) select script_id, member_id, 3 from ratings
    where member_id is not null limit 1`
  await expect(duplicate.execute(site.db)).rejects.toMatchObject({ code: '23505' })
})
