import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ratingOperations, type Review } from '#contract/ratings.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { type Headers, makeRatingScene, ratingRequests } from '#tests/support/ratings.ts'

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
const { rate, reply, read, readNotifications, set } = ratingRequests(() => ({ site, script, headers }))

describe('replying to a review', () => {
  let own: Headers
  let ratingId: number
  beforeEach(async () => {
    own = await signIn(site.db, author)
    ratingId = (await rate({ rating: 2, review: 'Why?' })).json<{ rating: Review }>().rating.id
  })

  test('succeeds once and notifies the reviewer', async () => {
    const response = await reply({ rating_id: ratingId, reply: ' Because. ' }, own)
    expect(Value.Check(ratingOperations['PUT /api/rating-reply'].response[200], response.json())).toBe(true)
    expect((await read()).ratings[0]).toMatchObject({ reply: 'Because.', replied_at: expect.any(String) })
    expect((await readNotifications(member))[0]).toMatchObject({
      title: 'Reply to your review',
      message: expect.stringMatching(/replied to your review of “Spring”\.$/),
    })
    const second = await reply({ rating_id: ratingId, reply: 'And because.' }, own)
    expect([second.statusCode, second.json<{ code: string }>().code]).toEqual([409, 'already_answered'])
    expect((await read()).ratings[0]?.reply).toBe('Because.')
  })

  test('succeeds once for 20 concurrent replies', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reply({ rating_id: ratingId, reply: `No. ${index}` }, own)),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await readNotifications(member)).toHaveLength(1)
  })

  test('keeps the reply when the review changes', async () => {
    await reply({ rating_id: ratingId, reply: 'Because.' }, own)
    await rate({ rating: 5, review: 'I see.' })
    expect((await read()).ratings[0]).toMatchObject({ review: 'I see.', reply: 'Because.' })
  })

  test('fails for a rating without a review', async () => {
    await rate({ rating: 2 })
    expect((await reply({ rating_id: ratingId, reply: 'Why?' }, own)).json()).toMatchObject({ code: 'no_review' })
  })

  test('is allowed only to the author of the script, not even to admins', async () => {
    await set(member, { is_admin: true })
    const callers = [headers, await signIn(site.db), {}]
    const responses = await Promise.all(callers.map((caller) => reply({ rating_id: ratingId, reply: 'Me!' }, caller)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 401])
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', script).execute()
    expect((await reply({ rating_id: ratingId, reply: 'Me!' }, await signIn(site.db))).statusCode).toBe(404)
  })

  test('fails while the author is muted', async () => {
    await set(author, { muted_until: 'infinity' })
    expect((await reply({ rating_id: ratingId, reply: 'Hm.' }, own)).statusCode).toBe(403)
  })

  test.each([{ reply: '' }, { reply: ' \n' }, { reply: 'x'.repeat(2001) }, { reply: '\u0001' }, {}, { reply: null }])(
    'rejects %j',
    async (payload) => {
      expect((await reply({ rating_id: ratingId, ...payload }, own)).statusCode).toBe(400)
      expect((await read()).ratings[0]?.reply).toBeNull()
    },
  )

  test.each([2_000_000_000])('fails for the unknown rating %d', async (id) => {
    expect((await reply({ rating_id: id, reply: 'Hm.' }, own)).statusCode).toBe(404)
  })
})
