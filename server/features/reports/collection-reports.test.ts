import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CollectionPage, CollectionSummary } from '#contract/collections.ts'
import type { OwnCase, ReportCase } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

type Headers = Record<string, string>

let portal: Portal
let moderator: Headers
let second: Headers
beforeAll(async () => {
  portal = await createPortal()
  moderator = await signIn(portal.db, await makeMember(portal.db, { username: 'Mod', is_moderator: true }))
  second = await signIn(portal.db, await makeMember(portal.db, { username: 'Second', is_moderator: true }))
})
afterAll(() => portal.close())

let ownerId: number
let owner: Headers
let reporter: Headers
let collection: CollectionSummary
beforeEach(async () => {
  ownerId = await makeMember(portal.db, { display_name: 'Ada' })
  owner = await signIn(portal.db, ownerId)
  reporter = await signIn(portal.db)
  collection = await create({ description: 'Bad words.' })
})

interface Answer {
  message: string
  code: string
  case: ReportCase
}

const create = async (fields: object) => {
  const script_id = await makeScript(portal.db, { title: 'Spring' })
  const body = { name: 'Lamps', is_public: true, script_id, ...fields }
  return (await portal.send<{ collection: CollectionSummary }>('POST /api/collections', body, owner)).body.collection
}
const report = (by = reporter, subject_id = collection.id) =>
  portal.send<Answer>('POST /api/reports', { subject_type: 'collection', subject_id, reason: 'nsfw' }, by)
const read = (by: Headers = {}) => portal.get<CollectionPage>(`/api/collection?slug=${collection.slug}`, by)
const listed = async (by: Headers = {}) =>
  (await portal.get<{ collections: CollectionSummary[] }>(`/api/collections?user_id=${ownerId}`, by)).body.collections
const findCase = async () => {
  const { body } = await portal.get<{ cases: ReportCase[] }>('/api/reports?limit=100', moderator)
  return body.cases.find(
    ({ subject_type, subject_id }) => subject_type === 'collection' && subject_id === collection.id,
  )
}
const decide = (payload: object, by = moderator) => portal.send<Answer>('PUT /api/reports', payload, by)
const moderate = (action: 'hide' | 'unhide', by = moderator) =>
  portal.send<Answer>(
    'POST /api/moderation',
    { action, subject_type: 'collection', subject_id: collection.id, reason: 'No.' },
    by,
  )

describe('a report of a collection', () => {
  test('is a case with its link, its owner and its texts', async () => {
    const [{ script }] = (await read()).body.items as [CollectionPage['items'][number]]
    const note = { collection_id: collection.id, script_id: script.id, note: 'A rude note.' }
    await portal.send('PUT /api/collection-items', note, owner)
    expect((await report()).status).toBe(201)
    expect(await findCase()).toMatchObject({
      subject_title: 'Lamps',
      subject_link: `/collections/${collection.slug}`,
      subject_excerpt: 'Bad words.\nA rude note.',
      author_id: ownerId,
      author_name: 'Ada',
      report_count: 1,
      is_hidden: false,
    })
  })

  test('is rejected for a private, hidden, unknown or own one, and of a banned owner', async () => {
    const statusOf = async (by = reporter, id = collection.id) => (await report(by, id)).status
    expect(await statusOf(owner)).toBe(403)
    expect(await statusOf(reporter, 2_000_000)).toBe(404)
    expect(await statusOf(reporter, (await create({ is_public: false })).id)).toBe(404)
    await moderate('hide')
    expect(await statusOf()).toBe(404)
    await moderate('unhide')
    await portal.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', ownerId).execute()
    expect(await statusOf()).toBe(404)
  })
})

describe('a hidden collection', () => {
  test('exists for its owner and the staff only; the owner reads why, appeals and gets it back', async () => {
    await report()
    const { id } = (await findCase()) ?? { id: 0 }
    const decided = await decide({ id, action: 'hide', decision: 'Not for everyone.' })
    expect(decided.body.case).toMatchObject({ status: 'resolved', is_hidden: true })
    expect([(await read()).status, (await read(reporter)).status]).toEqual([404, 404])
    expect([await listed(), await listed(reporter)]).toEqual([[], []])
    for (const by of [owner, moderator]) {
      expect((await read(by)).body.collection).toMatchObject({ is_hidden: true, is_public: true })
      expect(await listed(by)).toMatchObject([{ id: collection.id, is_hidden: true }])
    }
    const { cases } = (await portal.get<{ cases: OwnCase[] }>('/api/own-cases', owner)).body
    expect(cases).toMatchObject([
      { id, subject_type: 'collection', decision: 'Not for everyone.', is_hidden: true, can_appeal: true },
    ])
    await portal.send('POST /api/appeals', { case_id: id, text: 'It is harmless.' }, owner)
    expect((await decide({ id, action: 'grant', decision: 'Right.' }, second)).body.case.is_hidden).toBe(false)
    expect((await read()).body.collection.is_hidden).toBe(false)
    const { rows } = await portal.pool.query<{ title: string }>(
      'select title from notifications where member_id = $1 order by id',
      [ownerId],
    )
    expect(rows.map(({ title }) => title)).toEqual(['Your collection was hidden', 'Your collection is visible again'])
  })

  test('stays hidden when its owner makes it private and public again', async () => {
    await moderate('hide')
    for (const is_public of [false, true]) {
      await portal.send('PUT /api/collections', { id: collection.id, is_public }, owner)
    }
    expect((await read()).status).toBe(404)
    expect((await moderate('hide')).body.code).toBe('already_hidden')
    expect((await moderate('unhide')).body.message).toBe('Collection visible again')
    expect((await read()).status).toBe(200)
    expect((await moderate('unhide')).body.code).toBe('not_hidden')
  })

  test('is in the audit log by its name', async () => {
    await moderate('hide')
    const { body } = await portal.get<{ rows: { action: string; subject_name: string }[] }>('/api/audit-log?limit=1')
    expect(body.rows).toMatchObject([{ action: 'hide_collection', subject_name: 'Lamps' }])
  })
})

test('a private collection does not exist for moderators, also with a case', async () => {
  await report()
  const { id } = (await findCase()) ?? { id: 0 }
  await portal.send('PUT /api/collections', { id: collection.id, is_public: false }, owner)
  expect((await decide({ id, action: 'hide', decision: 'No.' })).status).toBe(404)
  expect((await moderate('hide')).status).toBe(404)
  expect((await read(moderator)).status).toBe(404)
})

test('a deleted collection leaves a case that can be dismissed', async () => {
  await report()
  await portal.send('DELETE /api/collections', { id: collection.id }, owner)
  const reportCase = await findCase()
  expect(reportCase?.id).toBeGreaterThan(0)
  expect((await decide({ id: reportCase?.id, action: 'dismiss' })).body.case.status).toBe('dismissed')
})
