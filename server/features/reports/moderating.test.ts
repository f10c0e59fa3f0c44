import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnCase, ReportCase } from '#contract/reports.ts'
import type { ResultOf } from '#contract/operations.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

type Headers = Record<string, string>

let portal: Portal
let moderator: Headers
beforeAll(async () => {
  portal = await createPortal()
  moderator = await signIn(portal.db, await makeMember(portal.db, { username: 'Mod', is_moderator: true }))
})
afterAll(() => portal.close())

const hide = (subject_type: string, subject_id: number, by = moderator) =>
  portal.send('POST /api/moderation', { action: 'hide', subject_type, subject_id, reason: 'Against the rules.' }, by)
const unhide = (subject_type: string, subject_id: number, by = moderator) =>
  portal.send('POST /api/moderation', { action: 'unhide', subject_type, subject_id, reason: 'A mistake.' }, by)
const statusOf = async (scriptId: number, by: Headers = {}) =>
  (await portal.get(`/api/script-details-slug?slug=x-${scriptId}`, by)).status
const ownCases = async (by: Headers) => (await portal.get<{ cases: OwnCase[] }>('/api/own-cases', by)).body.cases

async function isListed(scriptId: number): Promise<boolean> {
  const { body } = await portal.get<{ scripts: { id: number }[] }>('/api/scripts?limit=100', {})
  return body.scripts.some(({ id }) => id === scriptId)
}

describe('a hidden script', () => {
  test('is visible only to its author and moderators, at once', async () => {
    const authorId = await makeMember(portal.db)
    const author = await signIn(portal.db, authorId)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'X' })
    expect(await isListed(id)).toBe(true)
    const { status, body } = await hide('script', id)
    expect([status, body.message]).toEqual([200, 'Script hidden'])
    expect(await isListed(id)).toBe(false)
    expect(
      await Promise.all([{}, await signIn(portal.db), author, moderator, portal.admin].map((by) => statusOf(id, by))),
    ).toEqual([404, 404, 200, 200, 200])
    expect((await portal.app.inject(`/raw/x-${id}`)).statusCode).toBe(404)
    expect((await portal.send(`POST /api/script-rating?id=${id}`, { rating: 5 }, await signIn(portal.db))).status).toBe(
      404,
    )
    expect(await portal.findNotifications(authorId)).toMatchObject([
      { type: 'warning', title: 'Your script was hidden', message: '“X”: Against the rules. You can appeal once.' },
    ])
    expect(await portal.findAuditEntries(authorId)).toMatchObject([
      { action: 'hide_script', before: { is_hidden: false }, after: { is_hidden: true, reason: 'Against the rules.' } },
    ])
    expect((await unhide('script', id)).body.message).toBe('Script visible again')
    expect([await isListed(id), await statusOf(id)]).toEqual([true, 200])
    expect((await portal.findNotifications(authorId))[0]).toMatchObject({
      type: 'success',
      title: 'Your script is visible again',
    })
  })

  test('stays hidden whatever its author changes', async () => {
    const authorId = await makeMember(portal.db)
    const author = await signIn(portal.db, authorId)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'X' })
    await hide('script', id)
    const opened = await portal.send(`PUT /api/script-details?id=${id}`, { is_public: true }, author)
    expect([opened.status, opened.body.code]).toEqual([409, 'hidden'])
    const edited = await portal.send(`PUT /api/script-details?id=${id}`, { description: 'Better.' }, author)
    expect(edited.status).toBe(200)
    await portal.pool.query(`update scripts set is_public = true where id = ${id}`)
    expect(await statusOf(id)).toBe(404)
    await unhide('script', id)
    expect(await statusOf(id)).toBe(200)
  })

  test('that was private is out of sight for moderators, and becomes private again', async () => {
    const id = await makeScript(portal.db, { title: 'X', is_public: false })
    expect((await hide('script', id, portal.admin)).status).toBe(200)
    expect([await statusOf(id, moderator), await statusOf(id, portal.admin)]).toEqual([404, 200])
    expect((await portal.get(`/api/script-versions?id=${id}`, moderator)).status).toBe(404)
    expect((await unhide('script', id)).status).toBe(200)
    expect(await statusOf(id)).toBe(404)
  })

  test('stays private when it is shown again if its author made it private', async () => {
    const authorId = await makeMember(portal.db)
    const author = await signIn(portal.db, authorId)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'X' })
    const change = (payload: object) => portal.send(`PUT /api/script-details?id=${id}`, payload, author)
    const settingOf = async () => {
      const { body } = await portal.get<ResultOf<'GET /api/script-details-slug'>>(
        `/api/script-details-slug?slug=x-${id}`,
        author,
      )
      return [body.script.is_public, body.script.is_public_setting]
    }
    await hide('script', id)
    expect(await settingOf()).toEqual([false, true])
    const { status } = await change({ is_public: false, script_content: 'print("private")' })
    expect([status, await settingOf()]).toEqual([200, [false, false]])
    expect(await statusOf(id, moderator)).toBe(404)
    expect((await unhide('script', id)).status).toBe(200)
    expect([await statusOf(id), await statusOf(id, moderator), await isListed(id)]).toEqual([404, 404, false])
    await change({ is_public: true })
    expect([await statusOf(id), await settingOf()]).toEqual([200, [true, true]])
  })
})

describe('a private script', () => {
  test('does not exist for moderators', async () => {
    const authorId = await makeMember(portal.db)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'X', is_public: false })
    const hidden = await hide('script', id)
    expect([hidden.status, hidden.body.code, await statusOf(id, moderator)]).toEqual([404, 'not_found', 404])
    expect(await ownCases(await signIn(portal.db, authorId))).toEqual([])
    expect(await portal.findNotifications(authorId)).toEqual([])
  })

  test('does not show its reviews to moderators', async () => {
    const id = await makeScript(portal.db, { title: 'X' })
    const rated = await portal.send<ResultOf<'POST /api/script-rating'>>(
      `POST /api/script-rating?id=${id}`,
      { rating: 5, review: 'Secret.' },
      await signIn(portal.db),
    )
    await portal.pool.query(`update scripts set is_public = false where id = ${id}`)
    expect((await hide('review', rated.body.rating.id)).status).toBe(404)
    expect((await hide('review', rated.body.rating.id, portal.admin)).status).toBe(200)
  })
})

describe('a hidden review', () => {
  async function makeReview(reviewerId: number) {
    const scriptId = await makeScript(portal.db)
    const by = await signIn(portal.db, reviewerId)
    const { body } = await portal.send<ResultOf<'POST /api/script-rating'>>(
      `POST /api/script-rating?id=${scriptId}`,
      { rating: 5, review: 'Rude.' },
      by,
    )
    return { scriptId, id: body.rating.id, by }
  }
  const read = async (scriptId: number) => {
    const { body } = await portal.get<ResultOf<'GET /api/script-rating'>>(`/api/script-rating?id=${scriptId}`, {})
    return [body.ratings.length, body.summary.rating_count, body.summary.five_star]
  }

  test('does not count, not even after it is rewritten or after a ban and its end', async () => {
    const reviewerId = await makeMember(portal.db)
    const { scriptId, id, by } = await makeReview(reviewerId)
    expect((await hide('review', id)).body.message).toBe('Review hidden')
    expect(await read(scriptId)).toEqual([0, 0, 0])
    await portal.send(`POST /api/script-rating?id=${scriptId}`, { rating: 4, review: 'Still rude.' }, by)
    expect(await read(scriptId)).toEqual([0, 0, 0])
    await portal.act({ action: 'ban_user', user_id: reviewerId, reason: 'Rude', duration: 24 })
    await portal.act({ action: 'unban_user', user_id: reviewerId })
    expect(await read(scriptId)).toEqual([0, 0, 0])
    await portal.send(`POST /api/script-rating?id=${scriptId}`, { rating: 5 }, await signIn(portal.db, reviewerId))
    expect((await unhide('review', id)).body.message).toBe('Review visible again')
    expect(await read(scriptId)).toEqual([1, 1, 1])
  })

  test('shown again while its author is banned counts only after the ban', async () => {
    const reviewerId = await makeMember(portal.db)
    const { scriptId, id } = await makeReview(reviewerId)
    await hide('review', id)
    await portal.act({ action: 'ban_user', user_id: reviewerId, reason: 'Rude', duration: 24 })
    await unhide('review', id)
    expect(await read(scriptId)).toEqual([0, 0, 0])
    await portal.act({ action: 'unban_user', user_id: reviewerId })
    expect(await read(scriptId)).toEqual([1, 1, 1])
  })

  test('can be deleted by its author', async () => {
    const { scriptId, id, by } = await makeReview(await makeMember(portal.db))
    await hide('review', id)
    const answer = await portal.app.inject({ method: 'DELETE', url: `/api/script-rating?id=${scriptId}`, headers: by })
    expect(answer.statusCode).toBe(200)
    expect(await read(scriptId)).toEqual([0, 0, 0])
  })

  test('concurrent hiding, changes and ratings leave a summary that equals a recount', async () => {
    for (let round = 0; round < 10; round++) {
      const reviewerId = await makeMember(portal.db)
      const { scriptId, id, by } = await makeReview(reviewerId)
      await Promise.all([
        hide('review', id),
        portal.send(`POST /api/script-rating?id=${scriptId}`, { rating: 2 }, by),
        portal.act({ action: 'ban_user', user_id: reviewerId, reason: 'Rude', duration: 24 }),
        unhide('review', id, portal.admin),
        hide('review', id, portal.admin),
      ])
      const { rows } = await portal.pool.query<{ stored: number; counted: number }>(`select rating_count as stored,
        (select count(*)::int from ratings r where r.script_id = st.script_id and r.is_counted) as counted
        from script_stats st where script_id = ${scriptId}`)
      expect(rows[0]?.stored).toBe(rows[0]?.counted)
    }
  })
})

describe('hiding on the page', () => {
  test('resolves the open case and notifies its reporters', async () => {
    const id = await makeScript(portal.db, { title: 'X' })
    const reporterId = await makeMember(portal.db)
    await portal.send(
      'POST /api/reports',
      { subject_type: 'script', subject_id: id, reason: 'spam' },
      await signIn(portal.db, reporterId),
    )
    await hide('script', id)
    const { body } = await portal.get<{ cases: ReportCase[] }>('/api/reports?status=resolved', moderator)
    expect(body.cases[0]).toMatchObject({
      subject_id: id,
      decided_by: 'Mod',
      decision: 'Against the rules.',
      is_hidden: true,
    })
    expect((await portal.findNotifications(reporterId))[0]?.title).toBe('Your report was reviewed')
  })

  test('by two at once succeeds once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await makeScript(portal.db)
      const answers = await Promise.all([hide('script', id), hide('script', id, portal.admin)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_hidden')
    }
  })

  test("is rejected for content of moderators and admins and for one's own", async () => {
    for (const role of [{ is_admin: true }, { is_moderator: true }]) {
      const authorId = await makeMember(portal.db, role)
      const id = await makeScript(portal.db, { author_id: authorId, title: 'X' })
      expect((await hide('script', id)).body.code).toBe('protected_author')
      expect((await hide('script', id, await signIn(portal.db, authorId))).body.code).toBe('own_thing')
      expect(await statusOf(id)).toBe(200)
      expect((await hide('script', id, portal.admin)).status).toBe(200)
      expect((await unhide('script', id)).body.code).toBe('protected_author')
    }
  })

  test.each([
    [{ reason: '' }, 'reason'],
    [{ reason: ' ' }, 'reason'],
    [{ reason: undefined }, 'reason'],
    [{ action: 'delete' }, 'action'],
    [{ subject_type: 'profile' }, 'subject_type'],
    [{ subject_id: 0 }, 'subject_id'],
  ])('rejects %j', async (change, field) => {
    const payload = { action: 'hide', subject_type: 'script', subject_id: 1, reason: 'Why', ...change }
    const { status, body } = await portal.send('POST /api/moderation', payload, moderator)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  test('rejects unknown content and content that is not hidden', async () => {
    expect((await hide('script', 2_000_000_000)).status).toBe(404)
    expect((await unhide('review', 2_000_000_000)).status).toBe(404)
    expect((await unhide('script', await makeScript(portal.db))).body.code).toBe('not_hidden')
  })
})

describe('an appeal', () => {
  async function makeHidden() {
    const authorId = await makeMember(portal.db)
    const author = await signIn(portal.db, authorId)
    const id = await makeScript(portal.db, { author_id: authorId, title: 'X' })
    await hide('script', id)
    const [own] = await ownCases(author)
    return { authorId, author, id, caseId: own?.id ?? 0 }
  }
  const appeal = (case_id: number, by: Headers, text = 'It is fine.') =>
    portal.send('POST /api/appeals', { case_id, text }, by)
  const decide = (id: number, action: string, by: Headers) =>
    portal.send('PUT /api/reports', { id, action, decision: 'Looked again.' }, by)

  test('is accepted once, however often it is sent at once', async () => {
    const { author, caseId } = await makeHidden()
    const answers = await Promise.all(Array.from({ length: 5 }, () => appeal(caseId, author)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_appealed')
    expect(await ownCases(author)).toMatchObject([{ can_appeal: false, appeal: 'It is fine.', appeal_status: 'open' }])
  })

  test('if granted by another moderator, shows the content again and notifies the author', async () => {
    const { authorId, author, id, caseId } = await makeHidden()
    await appeal(caseId, author)
    const own = await decide(caseId, 'grant', moderator)
    expect([own.status, own.body.code]).toEqual([403, 'own_decision'])
    expect((await decide(caseId, 'grant', portal.admin)).body.message).toBe('Appeal granted')
    expect(await statusOf(id)).toBe(200)
    expect(await ownCases(author)).toMatchObject([
      { is_hidden: false, appeal_status: 'granted', appeal_decision: 'Looked again.' },
    ])
    expect((await portal.findNotifications(authorId))[0]).toMatchObject({ title: 'Your script is visible again' })
    expect((await portal.findAuditEntries(authorId)).map(({ action }) => action)).toEqual([
      'unhide_script',
      'grant_appeal',
      'hide_script',
    ])
  })

  test('if upheld, changes nothing and cannot be repeated', async () => {
    const { authorId, author, id, caseId } = await makeHidden()
    expect((await decide(caseId, 'uphold', portal.admin)).body.code).toBe('no_appeal')
    await appeal(caseId, author)
    const answers = await Promise.all([decide(caseId, 'uphold', portal.admin), decide(caseId, 'uphold', portal.admin)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await statusOf(id)).toBe(404)
    expect((await portal.findNotifications(authorId))[0]).toMatchObject({
      title: 'The decision about your script was upheld',
    })
    expect((await appeal(caseId, author)).status).toBe(409)
  })

  test('can come only from the author and needs a text', async () => {
    const { author, caseId } = await makeHidden()
    expect((await appeal(caseId, await signIn(portal.db))).status).toBe(404)
    expect((await appeal(2_000_000_000, author)).status).toBe(404)
    expect((await appeal(caseId, author, ' \n ')).body.fields).toHaveProperty('text')
    expect((await appeal(caseId, author, 'a'.repeat(1001))).status).toBe(400)
    expect((await ownCases(author))[0]?.can_appeal).toBe(true)
  })
})
