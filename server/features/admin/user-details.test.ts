import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResultOf } from '#contract/operations.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const read = (userId: number | string) =>
  portal.get<ResultOf<'GET /api/admin-user'>>(`/api/admin-user?user_id=${userId}`)

test('contain all sanctions, audit entries, scripts and reviews', async () => {
  const id = await makeMember(portal.db, { username: 'Ada' })
  const headers = await signIn(portal.db, id)
  const scriptId = await makeScript(portal.db, { title: 'Spring' })
  await portal.send(`POST /api/script-rating?id=${scriptId}`, { rating: 4, review: 'Good.' }, headers)
  const openId = await makeScript(portal.db, { author_id: id, title: 'Open' })
  const closedId = await makeScript(portal.db, { author_id: id, title: 'Closed', is_public: false })
  await portal.act({ action: 'mute_user', user_id: id, reason: 'Loud', duration: 1 })
  await portal.act({ action: 'unmute_user', user_id: id })
  await portal.act({ action: 'warn_user', user_id: id, reason: 'Be kind', severity: 'severe', duration: 'permanent' })
  await portal.act({ action: 'ban_user', user_id: id, reason: 'Spam', duration: 24 })

  const { status, body } = await read(id)
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ id, username: 'Ada', is_banned: true, warning_count_active: 1 })
  expect(body.sanctions).toMatchObject([
    { kind: 'ban', severity: null, reason: 'Spam', imposed_by: 'First Admin', is_active: true, lifted_by: null },
    { kind: 'warning', severity: 'severe', reason: 'Be kind', ends_at: null, is_active: true },
    {
      kind: 'mute',
      reason: 'Loud',
      is_active: false,
      lifted_by: 'First Admin',
      lifted_at: expect.stringMatching(/Z$/),
    },
  ])
  expect(body.audit.map(({ action }) => action)).toEqual(['ban_user', 'warn_user', 'unmute_user', 'mute_user'])
  expect(body.scripts).toMatchObject([
    { id: closedId, is_public: false, is_hidden: false, is_author_banned: true },
    { id: openId, is_public: true },
  ])
  expect(body.reviews).toMatchObject([
    { script_id: scriptId, script_title: 'Spring', script_slug: `spring-${scriptId}`, rating: 4, review: 'Good.' },
  ])
})

test('are empty for a new member', async () => {
  const { body } = await read(await makeMember(portal.db))
  expect(body).toMatchObject({ sanctions: [], audit: [], scripts: [], reviews: [] })
})

test('responds 404 for an unknown id and 400 without one', async () => {
  expect((await read(2_000_000_000)).status).toBe(404)
  for (const id of ['', '0', 'Ada', '99999999999', '1.5']) expect((await read(id)).status).toBe(400)
})
