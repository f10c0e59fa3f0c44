import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnCase, ReportCase } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeCase } from '#tests/support/reports.ts'

type Headers = Record<string, string>

let portal: Portal
let moderator: Headers
let second: Headers
let moderatorId: number
beforeAll(async () => {
  portal = await createPortal()
  moderatorId = await makeMember(portal.db, { username: 'Mod', is_moderator: true })
  moderator = await signIn(portal.db, moderatorId)
  second = await signIn(portal.db, await makeMember(portal.db, { username: 'Second', is_moderator: true }))
})
afterAll(() => portal.close())

interface Decided {
  message: string
  case: ReportCase
  code: string
  error: string
  fields: Record<string, string>
}

const decide = (payload: object, by = moderator) => portal.send<Decided>('PUT /api/reports', payload, by)
const ownCases = async (by: Headers) => (await portal.get<{ cases: OwnCase[] }>('/api/own-cases', by)).body.cases

/** A reported script with its people. */
async function makeReported(author: Parameters<typeof makeMember>[1] = {}) {
  const { db } = portal
  const authorId = await makeMember(db, author)
  const scriptId = await makeScript(db, { author_id: authorId, title: 'Spring' })
  const reporterId = await makeMember(db)
  const payload = { subject_type: 'script', subject_id: scriptId, reason: 'spam' }
  await portal.send('POST /api/reports', payload, await signIn(db, reporterId))
  const { id } = await db
    .selectFrom('report_cases')
    .select('id')
    .where('subject_id', '=', scriptId)
    .where('subject_type', '=', 'script')
    .executeTakeFirstOrThrow()
  return { id, authorId, scriptId, reporterId, author: await signIn(db, authorId) }
}

const isVisible = async (scriptId: number, by: Headers = {}) =>
  (await portal.get(`/api/script-details-slug?slug=spring-${scriptId}`, by)).status === 200

test('a reported script that its author made private is not hidden, and stays out of sight for moderators', async () => {
  const { id, scriptId, author } = await makeReported()
  await portal.send(`PUT /api/script-details?id=${scriptId}`, { is_public: false }, author)
  const { status, body } = await decide({ id, action: 'hide', decision: 'Spam' })
  expect([status, body.error]).toEqual([404, 'This script is no longer public.'])
  expect(await isVisible(scriptId, moderator)).toBe(false)
  expect((await decide({ id, action: 'hide', decision: 'Spam' }, portal.admin)).status).toBe(200)
  expect([await isVisible(scriptId, moderator), await isVisible(scriptId, portal.admin)]).toEqual([false, true])
})

describe('a claim', () => {
  test('keeps other moderators out until it is released', async () => {
    const { id } = await makeReported()
    const claimed = await decide({ id, action: 'claim' })
    expect([claimed.status, claimed.body.message]).toEqual([200, 'Report claimed'])
    expect(claimed.body.case).toMatchObject({ status: 'claimed', claimed_by: 'Mod' })
    for (const action of ['claim', 'release', 'resolve', 'dismiss', 'hide']) {
      const { status, body } = await decide({ id, action, decision: 'Why' }, second)
      expect([action, status, body.code, body.error]).toEqual([action, 409, 'claimed', 'Mod has claimed this report.'])
    }
    expect((await decide({ id, action: 'claim' })).body.error).toBe("You've already claimed this report.")
    expect((await decide({ id, action: 'release' })).body.case).toMatchObject({ status: 'open', claimed_by: null })
    expect((await decide({ id, action: 'release' })).body.code).toBe('not_claimed')
    expect((await decide({ id, action: 'claim' }, second)).body.case.claimed_by).toBe('Second')
  })

  test('can be released by an admin', async () => {
    const { id } = await makeReported()
    await decide({ id, action: 'claim' })
    expect((await decide({ id, action: 'release' }, portal.admin)).status).toBe(200)
  })

  test('of two concurrent ones one succeeds and the other gets the name', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await makeReported()
      const answers = await Promise.all([decide({ id, action: 'claim' }), decide({ id, action: 'claim' }, second)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body.error).toMatch(
        /^(Mod|Second) has claimed this report\.$/,
      )
    }
  })
})

describe('a decision', () => {
  test('notifies the author and the reporter and is audited', async () => {
    const { id, authorId, reporterId, author } = await makeReported()
    const { status, body } = await decide({ id, action: 'resolve', decision: ' It is spam. ' })
    expect([status, body.message]).toEqual([200, 'Report resolved'])
    expect(body.case).toMatchObject({ status: 'resolved', decided_by: 'Mod', decision: 'It is spam.' })
    const received = await portal.findNotifications(authorId)
    expect(received).toMatchObject([
      {
        type: 'warning',
        title: 'A moderator made a decision about your script',
        message: expect.stringContaining('It is spam.'),
      },
    ])
    expect((await portal.findNotifications(reporterId))[0]).toMatchObject({
      title: 'Your report was reviewed',
      message: '“Spring”: Thanks for your report. We agreed with it and told the author why.',
    })
    expect(await ownCases(author)).toMatchObject([
      { id, subject_title: 'Spring', decision: 'It is spam.', can_appeal: true, appeal: null, is_hidden: false },
    ])
    expect(JSON.stringify(await ownCases(author))).not.toMatch(/Mod|report/)
    expect((await portal.findAuditEntries(authorId))[0]).toMatchObject({
      actor_id: moderatorId,
      action: 'resolve_report',
    })
  })

  test('to hide resolves the case, and the author can appeal at once', async () => {
    const { id, authorId, scriptId, reporterId, author } = await makeReported()
    const { status, body } = await decide({ id, action: 'hide', decision: 'It is spam.' })
    expect([status, body.case.status, body.case.is_hidden, body.case.decided_by]).toEqual([
      200,
      'resolved',
      true,
      'Mod',
    ])
    expect(await isVisible(scriptId)).toBe(false)
    expect(await portal.findNotifications(authorId)).toMatchObject([
      { title: 'Your script was hidden', message: '“Spring”: It is spam. You can appeal once.', link: '/appeals' },
    ])
    expect((await portal.findNotifications(reporterId))[0]?.message).toContain('We took action.')
    expect(await ownCases(author)).toMatchObject([
      { id, subject_id: scriptId, decision: 'It is spam.', is_hidden: true, can_appeal: true },
    ])
    const actions = (await portal.findAuditEntries(authorId)).map(({ action }) => action)
    expect(actions).toEqual(['resolve_report', 'hide_script'])
    expect((await decide({ id, action: 'dismiss' })).body.code).toBe('already_decided')
    expect((await portal.send('POST /api/appeals', { case_id: id, text: 'It is not.' }, author)).status).toBe(201)
  })

  test('to dismiss notifies only the reporter and shows hidden content again', async () => {
    const { id, authorId, scriptId, reporterId, author } = await makeReported()
    await portal.db
      .updateTable('scripts')
      .set({ hidden_at: new Date(), was_public: true, is_public: false })
      .where('id', '=', scriptId)
      .execute()
    expect((await decide({ id, action: 'dismiss' })).body.case).toMatchObject({ status: 'dismissed', is_hidden: false })
    expect(await isVisible(scriptId)).toBe(true)
    expect((await portal.findNotifications(reporterId))[0]?.message).toContain('found no rule violation')
    expect((await portal.findNotifications(authorId)).map(({ title }) => title)).toEqual([
      'Your script is visible again',
    ])
    expect(await ownCases(author)).toEqual([])
  })

  test('succeeds once: the second moderator gets the name of the first', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, authorId } = await makeReported()
      const answers = await Promise.all([
        decide({ id, action: 'resolve', decision: 'Spam.' }),
        decide({ id, action: 'dismiss' }, second),
      ])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const rejected = answers.find(({ status }) => status === 409)?.body
      expect([rejected?.code, rejected?.error]).toEqual([
        'already_decided',
        expect.stringMatching(/^(Mod|Second) already decided this report\.$/),
      ])
      expect(await portal.findAuditEntries(authorId)).toHaveLength(1)
    }
  })

  test('on a profile cannot hide it', async () => {
    const memberId = await makeMember(portal.db)
    const id = await makeCase(portal.db, { author_id: memberId, subject_id: memberId })
    expect((await decide({ id, action: 'hide', decision: 'Rude.' })).body.code).toBe('not_hideable')
    expect((await decide({ id, action: 'resolve', decision: 'Rude.' })).status).toBe(200)
  })
})

describe('permissions', () => {
  test('moderators cannot decide on moderators and admins; admins can', async () => {
    for (const role of [{ is_admin: true }, { is_moderator: true }]) {
      const { id, scriptId } = await makeReported(role)
      for (const action of ['claim', 'resolve', 'dismiss', 'hide']) {
        const { status, body } = await decide({ id, action, decision: 'Why' })
        expect([action, status, body.code]).toEqual([action, 403, 'protected_author'])
      }
      expect(await isVisible(scriptId)).toBe(true)
      expect((await decide({ id, action: 'resolve', decision: 'Why' }, portal.admin)).status).toBe(200)
    }
  })

  test('nobody can decide on their own content, not even admins', async () => {
    for (const role of [{ is_admin: true }, { is_moderator: true }]) {
      const { id, author } = await makeReported(role)
      const { status, body } = await decide({ id, action: 'dismiss' }, author)
      expect([status, body.code]).toEqual([403, 'own_thing'])
    }
  })

  test('a moderator who lost the role during the request cannot decide', async () => {
    for (let round = 0; round < 10; round++) {
      const memberId = await makeMember(portal.db, { is_moderator: true })
      const by = await signIn(portal.db, memberId)
      const { id, scriptId } = await makeReported()
      const [decided, demoted] = await Promise.all([
        decide({ id, action: 'hide', decision: 'Why' }, by),
        portal.act({ action: 'remove_moderator', user_id: memberId }),
      ])
      expect(demoted.status).toBe(200)
      expect([200, 403]).toContain(decided.status)
      expect(await isVisible(scriptId)).toBe(decided.status === 403)
      expect((await decide({ id, action: 'unhide', decision: 'Why' }, by)).status).toBe(403)
    }
  })
})

describe('a case in the queue', () => {
  const find = async (id: number, by = moderator) => {
    const { body } = await portal.get<{ cases: ReportCase[] }>('/api/reports?status=all&limit=100', by)
    return body.cases.find((each) => each.id === id)
  }

  test('has the earlier decisions about its author, newest first', async () => {
    const { id, authorId } = await makeReported()
    const day = (n: number) => new Date(Date.UTC(2026, 0, n))
    for (let n = 1; n <= 6; n++) {
      const status = n % 2 === 0 ? 'resolved' : 'dismissed'
      const values = { status, decision: `Number ${n}`, decided_at: day(n), decided_by: moderatorId }
      await makeCase(portal.db, { subject_id: 1000 + n, author_id: authorId, ...values })
    }
    await makeCase(portal.db, { subject_id: 1007, author_id: authorId })
    const found = await find(id)
    expect([found?.earlier_case_count, found?.earlier_cases.length]).toEqual([6, 5])
    expect(found?.earlier_cases[0]).toEqual({
      id: expect.any(Number),
      subject_type: 'profile',
      subject_title: 'A thing',
      status: 'resolved',
      decision: 'Number 6',
      decided_at: day(6).toISOString(),
    })
  })

  test('says who cannot decide it, as the decision itself does', async () => {
    const { id, author } = await makeReported({ is_moderator: true })
    expect((await find(id, author))?.cannot_decide).toBe('own_thing')
    expect((await find(id))?.cannot_decide).toBe('protected_author')
    expect((await find(id, portal.admin))?.cannot_decide).toBe(null)

    const appealed = await makeReported()
    await decide({ id: appealed.id, action: 'hide', decision: 'Spam.' })
    expect((await find(appealed.id))?.cannot_decide).toBe(null)
    await portal.send('POST /api/appeals', { case_id: appealed.id, text: 'No.' }, appealed.author)
    expect((await find(appealed.id))?.cannot_decide).toBe('own_decision')
    expect((await find(appealed.id, second))?.cannot_decide).toBe(null)
    expect((await decide({ id: appealed.id, action: 'grant', decision: 'Why' })).body.code).toBe('own_decision')
  })
})

describe('the queue', () => {
  test('lists waiting cases oldest first and the others by status', async () => {
    const fresh = await createPortal()
    const subject = await makeMember(fresh.db)
    const day = (n: number) => new Date(Date.UTC(2026, 0, n))
    const done = { decision: 'Why', decided_at: new Date() }
    const ids = {
      open: await makeCase(fresh.db, { subject_id: 1, author_id: subject, created_at: day(3) }),
      claimed: await makeCase(fresh.db, {
        subject_id: 2,
        author_id: subject,
        created_at: day(2),
        status: 'claimed',
        claimed_by: fresh.adminId,
      }),
      resolved: await makeCase(fresh.db, {
        subject_id: 3,
        author_id: subject,
        created_at: day(1),
        status: 'resolved',
        ...done,
      }),
      dismissed: await makeCase(fresh.db, {
        subject_id: 4,
        author_id: subject,
        created_at: day(4),
        status: 'dismissed',
        ...done,
      }),
      appealed: await makeCase(fresh.db, {
        subject_id: 5,
        author_id: subject,
        created_at: day(5),
        status: 'resolved',
        ...done,
        appeal: 'No.',
        appealed_at: new Date(),
        appeal_status: 'open',
      }),
    }
    const list = async (query: string) => {
      const { body } = await fresh.get<{ cases: ReportCase[]; pagination: object }>(`/api/reports?${query}`)
      return { ids: body.cases.map(({ id }) => id), pagination: body.pagination }
    }
    expect((await list('')).ids).toEqual([ids.claimed, ids.open, ids.appealed])
    expect((await list('status=open')).ids).toEqual([ids.open])
    expect((await list('status=claimed')).ids).toEqual([ids.claimed])
    expect((await list('status=appealed')).ids).toEqual([ids.appealed])
    expect((await list('status=resolved')).ids).toEqual([ids.appealed, ids.resolved])
    expect((await list('status=dismissed')).ids).toEqual([ids.dismissed])
    expect(await list('status=all&limit=2&page=3')).toEqual({
      ids: [ids.resolved],
      pagination: { page: 3, limit: 2, total: 5, pages: 3 },
    })
    await fresh.close()
  })
})

describe('is rejected:', () => {
  test.each([
    ['an unknown action', { action: 'burn' }, 'action'],
    ['no action', { action: undefined }, 'action'],
    ['a decision without a word', { action: 'resolve' }, 'decision'],
    ['hiding without a reason', { action: 'hide', decision: '  ' }, 'decision'],
    ['showing without a reason', { action: 'unhide', decision: null }, 'decision'],
    ['a decision that is too long', { action: 'dismiss', decision: 'a'.repeat(1001) }, 'decision'],
    ['no id', { id: undefined, action: 'claim' }, 'id'],
    ['an id in words', { id: '1', action: 'claim' }, 'id'],
    ['a field that is not known', { action: 'claim', status: 'resolved' }, 'status'],
  ])('%s', async (_what, change, field) => {
    const { status, body } = await decide({ id: 1, ...change })
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'invalid', [field]])
  })

  test('an unknown case', async () => {
    expect((await decide({ id: 2_000_000_000, action: 'claim' })).status).toBe(404)
  })

  test.each(['status=gone', 'page=0', 'limit=101'])('the queue with %s', async (query) => {
    expect((await portal.get(`/api/reports?${query}`)).status).toBe(400)
  })
})
