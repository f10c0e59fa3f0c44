import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReportCase } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

let portal: Portal
let headers: Record<string, string>
beforeAll(async () => {
  portal = await createPortal()
})
beforeEach(async () => {
  headers = await signIn(portal.db)
})
afterAll(() => portal.close())

const report = (payload: object, by = headers) => portal.send('POST /api/reports', payload, by)
const findCases = async (query = '') =>
  (await portal.get<{ cases: ReportCase[] }>(`/api/reports?limit=100&${query}`)).body.cases

async function makeReview(input: { review?: string | null; is_public?: boolean } = {}): Promise<number> {
  const { review = 'Bad words.', is_public = true } = input
  const scriptId = await makeScript(portal.db, { title: 'Spring', is_public })
  const { id } = await portal.db
    .insertInto('ratings')
    .values({ script_id: scriptId, member_id: await makeMember(portal.db), rating: 1, review })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('a report', () => {
  test('of a script reaches the moderators with an excerpt', async () => {
    const authorId = await makeMember(portal.db, { username: 'Ada' })
    const id = await makeScript(portal.db, {
      author_id: authorId,
      title: 'Spring',
      description: '# Spring\n\nSteals **keys**.',
    })
    const input = { subject_type: 'script', subject_id: id, reason: 'malicious', text: ' Look at line 3. ' }
    const { status, body } = await report(input)
    expect([status, body.message]).toEqual([201, 'Thanks. A moderator will review it.'])
    await portal.pool.query(`update scripts set description = 'Harmless.' where id = ${id}`)
    const one = (await findCases()).find(({ subject_id }) => subject_id === id)
    expect(one).toMatchObject({
      subject_type: 'script',
      subject_title: 'Spring',
      subject_excerpt: 'Spring\n\nSteals keys.',
      subject_link: `/scripts/spring-${id}`,
      author_id: authorId,
      author_name: 'Ada',
      status: 'open',
      is_hidden: false,
      report_count: 1,
      reports: [{ reason: 'malicious', text: 'Look at line 3.' }],
    })
  })

  test('can be about a review or a profile', async () => {
    const ratingId = await makeReview({ review: '**Bad** words.' })
    const memberId = await makeMember(portal.db, { username: 'Bob', slug: 'bob', bio: '[Rude.](https://example.com)' })
    expect((await report({ subject_type: 'review', subject_id: ratingId, reason: 'harassment' })).status).toBe(201)
    expect((await report({ subject_type: 'profile', subject_id: memberId, reason: 'nsfw', text: '' })).status).toBe(201)
    const [review, profile] = (await findCases()).slice(-2)
    expect(review).toMatchObject({
      subject_title: 'Review of “Spring”',
      // Reviews are plain text.
      subject_excerpt: '**Bad** words.',
      subject_link: expect.stringMatching(/^\/scripts\/spring-\d+#ratings$/),
    })
    expect(profile).toMatchObject({ subject_title: 'Bob', subject_excerpt: 'Rude.', subject_link: '/profile/bob' })
  })

  test('joins others about the same content', async () => {
    const subject_id = await makeScript(portal.db)
    const reporters = await Promise.all(Array.from({ length: 8 }, () => signIn(portal.db)))
    const answers = await Promise.all(
      reporters.map((by) => report({ subject_type: 'script', subject_id, reason: 'spam' }, by)),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const cases = (await findCases()).filter((one) => one.subject_id === subject_id)
    expect(cases.map(({ report_count }) => report_count)).toEqual([8])
  })

  test('is accepted once per member and content, also after a decision', async () => {
    const subject_id = await makeScript(portal.db)
    const input = { subject_type: 'script', subject_id, reason: 'spam' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(input)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const rejected = answers.filter(({ status }) => status === 409)
    expect(rejected).toHaveLength(9)
    expect(rejected[0]?.body).toMatchObject({ code: 'already_reported', error: "You've already reported this." })
    const id = (await findCases()).find((one) => one.subject_id === subject_id)?.id
    await portal.send('PUT /api/reports', { id, action: 'dismiss' }, portal.admin)
    expect((await report(input)).status).toBe(409)
    expect((await findCases()).some((one) => one.subject_id === subject_id)).toBe(false)
  })

  test('after a decision opens a new case', async () => {
    const subject_id = await makeScript(portal.db)
    const input = { subject_type: 'script', subject_id, reason: 'spam' }
    await report(input)
    const id = (await findCases()).find((one) => one.subject_id === subject_id)?.id
    await portal.send('PUT /api/reports', { id, action: 'resolve', decision: 'Spam.' }, portal.admin)
    expect((await report(input, await signIn(portal.db))).status).toBe(201)
    expect((await findCases()).filter((one) => one.subject_id === subject_id)).toMatchObject([{ report_count: 1 }])
  })

  test('can come from a muted member', async () => {
    const by = await signIn(portal.db, await makeMember(portal.db, { muted_until: 'infinity' }))
    expect(
      (await report({ subject_type: 'script', subject_id: await makeScript(portal.db), reason: 'spam' }, by)).status,
    ).toBe(201)
  })

  test('is limited to twenty a day, also for concurrent ones', async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, () => makeScript(portal.db)))
    const answers = await Promise.all(
      ids.map((subject_id) => report({ subject_type: 'script', subject_id, reason: 'spam' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const rejected = answers.filter(({ status }) => status === 429)
    expect(rejected).toHaveLength(5)
    expect(rejected[0]?.body.code).toBe('too_many_reports')
    await portal.pool.query(`update reports set created_at = created_at - interval '25 hours'`)
    expect(
      (await report({ subject_type: 'script', subject_id: await makeScript(portal.db), reason: 'spam' })).status,
    ).toBe(201)
  })
})

describe('is rejected:', () => {
  test("one's own content", async () => {
    const memberId = await makeMember(portal.db)
    const by = await signIn(portal.db, memberId)
    const scriptId = await makeScript(portal.db, { author_id: memberId, is_public: false })
    for (const [subject_type, subject_id] of [
      ['script', scriptId],
      ['profile', memberId],
    ] as const) {
      const { status, body } = await report({ subject_type, subject_id, reason: 'spam' }, by)
      expect([status, body.code]).toEqual([403, 'own_thing'])
    }
  })

  test('content that the reporter cannot see', async () => {
    const banned = await makeMember(portal.db, { banned_until: 'infinity' })
    const things = [
      ['script', await makeScript(portal.db, { is_public: false })],
      ['script', await makeScript(portal.db, { author_id: banned })],
      ['review', await makeReview({ is_public: false })],
      ['review', await makeReview({ review: null })],
      ['profile', banned],
      ['script', 2_000_000_000],
      ['review', 2_000_000_000],
      ['profile', 2_000_000_000],
    ]
    for (const [subject_type, subject_id] of things) {
      const { status, body } = await report({ subject_type, subject_id, reason: 'spam' })
      expect([subject_type, status, body.code]).toEqual([subject_type, 404, 'not_found'])
    }
  })

  test.each([
    ['no reason', { reason: undefined }, 'reason'],
    ['an unknown reason', { reason: 'dislike' }, 'reason'],
    ['"other" without words', { reason: 'other' }, 'text'],
    ['"other" with blank words', { reason: 'other', text: ' ' }, 'text'],
    ['an unknown type', { subject_type: 'giveaway' }, 'subject_type'],
    ['an id in words', { subject_id: '1' }, 'subject_id'],
    ['no id', { subject_id: undefined }, 'subject_id'],
    ['a text that is too long', { text: 'a'.repeat(1001) }, 'text'],
    ['control characters', { text: 'a\u0007' }, 'text'],
    ['a field that is not known', { reporter_id: 1 }, 'reporter_id'],
  ])('%s', async (_what, change, field) => {
    const { status, body } = await report({ subject_type: 'script', subject_id: 1, reason: 'spam', ...change })
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'invalid', [field]])
  })
})

test("a case is deleted with its author's account and remaining if only the content is deleted", async () => {
  const authorId = await makeMember(portal.db)
  const [first, second] = [
    await makeScript(portal.db, { author_id: authorId, title: 'First' }),
    await makeScript(portal.db, { author_id: authorId }),
  ]
  for (const subject_id of [first, second]) await report({ subject_type: 'script', subject_id, reason: 'spam' })
  await portal.pool.query(`delete from scripts where id = ${first}`)
  const remaining = (await findCases()).find((one) => one.subject_id === first)
  expect(remaining).toMatchObject({ subject_title: 'First', subject_link: null, is_hidden: false })
  await portal.pool.query(`delete from members where id = ${authorId}`)
  expect((await findCases()).filter((one) => [first, second].includes(one.subject_id))).toEqual([])
})
