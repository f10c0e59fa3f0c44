import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const bulk = (bulk_action: unknown, user_ids: unknown, more: object = {}, headers?: Record<string, string>) =>
  portal.act({ action: 'bulk_action', bulk_action, user_ids, ...more }, headers)
const makeThree = () => Promise.all([makeMember(portal.db), makeMember(portal.db), makeMember(portal.db)])

test.each([
  ['ban', { reason: 'Spam', duration: 168 }, 'ban_user', {}],
  ['unban', {}, 'unban_user', { banned_until: 'infinity' }],
  ['make_moderator', {}, 'make_moderator', {}],
  ['remove_moderator', {}, 'remove_moderator', { is_moderator: true }],
  ['warn', { reason: 'Be kind' }, 'warn_user', {}],
])('%s changes all members and writes an audit entry for each', async (action, more, written, columns) => {
  const ids = await makeThree()
  await portal.db.updateTable('members').set(columns).where('id', 'in', ids).set({ title: null }).execute()
  const { status, body } = await bulk(action, ids, more)
  expect([status, body]).toEqual([200, { message: 'Bulk action completed for 3 users', failed: [] }])
  for (const id of ids) expect((await portal.findAuditEntries(id)).map((row) => row.action)).toEqual([written])
})

test('a failure for one member is reported and does not affect the others', async () => {
  const [a, b, c] = await makeThree()
  await makeMember(portal.db, { is_admin: true })
  await portal.db
    .updateTable('members')
    .set({ banned_until: 'infinity', username: 'Gone' })
    .where('id', '=', b)
    .execute()
  const { body } = await bulk('ban', [a, b, portal.adminId, 2_000_000_000, c, a], {
    reason: 'Spam',
    duration: 'permanent',
  })
  expect(body.message).toBe('Bulk action completed for 2 users')
  expect(body.failed).toEqual([
    { user_id: b, error: 'Gone is already banned.' },
    { user_id: portal.adminId, error: "You can't do this to your own account. Ask another admin." },
    { user_id: 2_000_000_000, error: 'This user was not found.' },
  ])
})

test('stops when the admin loses the role', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => makeMember(portal.db)))
  const id = await makeMember(portal.db, { is_admin: true })
  const headers = await signIn(portal.db, id)
  const running = bulk('warn', ids, { reason: 'Be kind' }, headers)
  await portal.act({ action: 'remove_admin', user_id: id })
  const { rows } = await portal.pool.query<{ count: number }>(
    `select count(*) as count from sanctions where imposed_by = ${id}`,
  )
  const { status, body } = await running
  const after = await portal.pool.query<{ count: number }>(
    `select count(*) as count from sanctions where imposed_by = ${id}`,
  )
  expect([status, body.code]).toEqual([403, 'forbidden'])
  expect(after.rows).toEqual(rows)
  expect(after.rows[0]?.count).toBeLessThan(40)
})

test('two admins acting on the same members change each once, without a deadlock', async () => {
  const other = await signIn(portal.db, await makeMember(portal.db, { is_admin: true }))
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all(Array.from({ length: 6 }, () => makeMember(portal.db)))
    const ban = { reason: 'Spam', duration: 24 }
    const answers = await Promise.all([bulk('ban', ids, ban), bulk('ban', ids.toReversed(), ban, other)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.flatMap(({ body }) => body.failed)).toHaveLength(6)
    for (const id of ids) expect(await portal.findAuditEntries(id)).toHaveLength(1)
  }
})

describe('is rejected', () => {
  test.each([
    ['an unknown action', 'delete', [1], {}, 'bulk_action'],
    ['no action', undefined, [1], {}, 'bulk_action'],
    ['nobody', 'unban', [], {}, 'user_ids'],
    ['1,500 at once', 'unban', Array.from({ length: 1500 }, (_, index) => index + 1), {}, 'user_ids'],
    ['101 at once', 'unban', Array.from({ length: 101 }, (_, index) => index + 1), {}, 'user_ids'],
    ['ids in words', 'unban', ['one'], {}, 'user_ids'],
    ['one id without a list', 'unban', 1, {}, 'user_ids'],
    ['a ban without a reason', 'ban', [1], { duration: 24 }, 'reason'],
    ['a ban with a blank reason', 'ban', [1], { reason: '  ', duration: 24 }, 'reason'],
    ['a ban without a duration', 'ban', [1], { reason: 'Spam' }, 'duration'],
    ['a ban with a malformed duration', 'ban', [1], { reason: 'Spam', duration: 'eternal' }, 'duration'],
    ['a warning without a reason', 'warn', [1], { reason: null }, 'reason'],
  ])('%s', async (_what, action, ids, more, field) => {
    const { status, body } = await bulk(action, ids, more)
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'invalid', [field]])
  })
})
