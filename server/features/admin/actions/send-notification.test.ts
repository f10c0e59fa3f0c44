import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const send = (payload: object) => portal.act({ action: 'send_notification', ...payload })

interface Inbox {
  notifications: { title: string; message: string; type: string }[]
}

async function readInbox(memberId: number) {
  const { body } = await portal.get<Inbox>('/api/user-notifications', await signIn(portal.db, memberId))
  return body.notifications.map(({ title, message, type }) => ({ title, message, type }))
}

test('reaches only the selected member, as info by default', async () => {
  const [id, other] = [await makeMember(portal.db), await makeMember(portal.db)]
  const { status, body } = await send({ title: ' Hello ', message: 'Line\nby line', user_id: id })
  expect([status, body.message]).toEqual([200, 'Notification sent successfully'])
  expect(await readInbox(id)).toEqual([{ title: 'Hello', message: 'Line\nby line', type: 'info' }])
  expect(await readInbox(other)).toEqual([])
  expect(await portal.findAuditEntries(id)).toMatchObject([
    { action: 'send_notification', after: { title: 'Hello', message: 'Line\nby line', type: 'info' } },
  ])
})

test('reaches everyone when sent to all, even if a member is selected', async () => {
  const [id, other] = [await makeMember(portal.db), await makeMember(portal.db)]
  expect(
    (await send({ title: 'News', message: 'For all', type: 'success', user_id: id, send_to_all: true })).status,
  ).toBe(200)
  for (const member of [id, other]) {
    expect(await readInbox(member)).toEqual([{ title: 'News', message: 'For all', type: 'success' }])
  }
  expect(await portal.findAuditEntries(id)).toEqual([])
  const { body } = await portal.get<{ rows: object[] }>('/api/audit-log?limit=1')
  expect(body.rows).toMatchObject([{ action: 'send_notification', subject_type: 'notification', subject_name: 'News' }])
})

test.each([
  [{ message: 'Text' }, ['title']],
  [{ title: 'Title' }, ['message']],
  [{ title: ' ', message: '\n' }, ['title', 'message']],
  [{}, ['title', 'message']],
])('%j: title and message are required', async (payload, fields) => {
  const { status, body } = await send({ ...payload, send_to_all: true })
  expect([status, body.error, Object.keys(body.fields)]).toEqual([400, 'Title and message are required', fields])
})

test.each([
  ['nobody', {}, 400, 'user_id'],
  ['nobody, explicitly', { user_id: null, send_to_all: false }, 400, 'user_id'],
  ['an unknown type', { send_to_all: true, type: 'danger' }, 400, 'type'],
  ['all in words', { send_to_all: 'yes' }, 400, 'send_to_all'],
  ['a title that is too long', { send_to_all: true, title: 'a'.repeat(101) }, 400, 'title'],
  ['a message that is too long', { send_to_all: true, message: 'a'.repeat(1001) }, 400, 'message'],
  ['somebody who is not there', { user_id: 2_000_000_000 }, 404, undefined],
])('is rejected for %s', async (_what, more, status, field) => {
  const answer = await send({ title: 'Title', message: 'Text', ...more })
  expect([answer.status, Object.keys(answer.body.fields ?? {})[0]]).toEqual([status, field])
  const { rows } = await portal.pool.query(`select 1 from notifications where title = 'Title'`)
  expect(rows).toEqual([])
})
