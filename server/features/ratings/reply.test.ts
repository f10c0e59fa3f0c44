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
const { rate, reply, read, told, set } = ratingRequests(() => ({ site, script, headers }))

describe('the author answers', () => {
  let own: Headers
  let ratingId: number
  beforeEach(async () => {
    own = await signIn(site.db, author)
    ratingId = (await rate({ rating: 2, review: 'Why?' })).json<{ rating: Review }>().rating.id
  })

  test('a review once, and the reviewer hears of it', async () => {
    const answer = await reply({ rating_id: ratingId, reply: ' Because. ' }, own)
    expect(Value.Check(ratingOperations['PUT /api/rating-reply'].response[200], answer.json())).toBe(true)
    expect((await read()).ratings[0]).toMatchObject({ reply: 'Because.', replied_at: expect.any(String) })
    expect((await told(member))[0]).toMatchObject({
      title: 'Reply to your review',
      message: expect.stringMatching(/replied to your review of “Spring”\.$/),
    })
    const again = await reply({ rating_id: ratingId, reply: 'And because.' }, own)
    expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([409, 'already_answered'])
    expect((await read()).ratings[0]?.reply).toBe('Because.')
  })

  test('once, of however many answers at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reply({ rating_id: ratingId, reply: `No. ${index}` }, own)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await told(member)).toHaveLength(1)
  })

  test('and the answer stays when the review is changed', async () => {
    await reply({ rating_id: ratingId, reply: 'Because.' }, own)
    await rate({ rating: 5, review: 'I see.' })
    expect((await read()).ratings[0]).toMatchObject({ review: 'I see.', reply: 'Because.' })
  })

  test('not what is only stars', async () => {
    await rate({ rating: 2 })
    expect((await reply({ rating_id: ratingId, reply: 'Why?' }, own)).json()).toMatchObject({ code: 'no_review' })
  })

  test('and nobody else, be it an admin', async () => {
    await set(member, { is_admin: true })
    const as = [headers, await signIn(site.db), {}]
    const answers = await Promise.all(as.map((each) => reply({ rating_id: ratingId, reply: 'Me!' }, each)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 401])
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', script).execute()
    expect((await reply({ rating_id: ratingId, reply: 'Me!' }, await signIn(site.db))).statusCode).toBe(404)
  })

  test('and not while muted', async () => {
    await set(author, { muted_until: 'infinity' })
    expect((await reply({ rating_id: ratingId, reply: 'Hm.' }, own)).statusCode).toBe(403)
  })

  test.each([{ reply: '' }, { reply: ' \n' }, { reply: 'x'.repeat(2001) }, { reply: '\u0001' }, {}, { reply: null }])(
    'not with %j',
    async (payload) => {
      expect((await reply({ rating_id: ratingId, ...payload }, own)).statusCode).toBe(400)
      expect((await read()).ratings[0]?.reply).toBeNull()
    },
  )

  test.each([2_000_000_000])('not what is not there', async (id) => {
    expect((await reply({ rating_id: id, reply: 'Hm.' }, own)).statusCode).toBe(404)
  })
})
