import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

describe.each([
  [
    'admin',
    'make_admin',
    'remove_admin',
    'User made admin successfully',
    'Admin role removed successfully',
    'an admin',
  ],
  [
    'moderator',
    'make_moderator',
    'remove_moderator',
    'User made moderator successfully',
    'Moderator role removed successfully',
    'a moderator',
  ],
])('%s', (role, make, remove, made, removed, inWords) => {
  test('is granted and removed, with an audit entry each', async () => {
    const id = await makeMember(portal.db, { username: 'Ada' })
    const granted = await portal.act({ action: make, user_id: id })
    expect([granted.status, granted.body.message]).toEqual([200, made])
    expect(granted.body.user).toMatchObject({ [`is_${role}`]: true })
    const taken = await portal.act({ action: remove, user_id: id })
    expect([taken.status, taken.body.message]).toEqual([200, removed])
    expect(taken.body.user).toMatchObject({ is_admin: false, is_moderator: false })
    expect(await portal.findAuditEntries(id)).toEqual([
      { actor_id: portal.adminId, action: remove, before: { [`is_${role}`]: true }, after: { [`is_${role}`]: false } },
      { actor_id: portal.adminId, action: make, before: { [`is_${role}`]: false }, after: { [`is_${role}`]: true } },
    ])
  })

  test('the second admin with the same action gets an error', async () => {
    const id = await makeMember(portal.db, { username: 'Bob' })
    const none = await portal.act({ action: remove, user_id: id })
    expect([none.status, none.body.error]).toEqual([409, `Bob is not ${inWords}.`])
    await portal.act({ action: make, user_id: id })
    const again = await portal.act({ action: make, user_id: id })
    expect([again.status, again.body.error]).toEqual([409, `Bob is already ${inWords}.`])
  })

  test('is not granted to banned members', async () => {
    const id = await makeMember(portal.db, { banned_until: 'infinity' })
    const { status, body } = await portal.act({ action: make, user_id: id })
    expect([status, body.code]).toEqual([409, 'banned'])
  })
})

test('admins cannot remove their own admin role, but their own moderator role', async () => {
  const id = await makeMember(portal.db, { is_admin: true, is_moderator: true })
  const headers = await signIn(portal.db, id)
  const own = await portal.act({ action: 'remove_admin', user_id: id }, headers)
  expect([own.status, own.body.code]).toEqual([403, 'own_account'])
  expect((await portal.act({ action: 'remove_moderator', user_id: id }, headers)).status).toBe(200)
})

test('a demoted admin is rejected at once', async () => {
  const id = await makeMember(portal.db, { is_admin: true })
  const headers = await signIn(portal.db, id)
  expect((await portal.get('/api/admin-keys?type=stats', headers)).status).toBe(200)
  await portal.act({ action: 'remove_admin', user_id: id })
  for (const url of [
    '/api/admin-keys?type=stats',
    '/api/admin-keys?type=users',
    '/api/audit-log',
    '/api/admin-scripts',
  ]) {
    const { status, body } = await portal.get<{ code: string }>(url, headers)
    expect([status, body.code]).toEqual([403, 'forbidden'])
  }
  expect((await portal.act({ action: 'make_admin', user_id: id }, headers)).status).toBe(403)
})

test('the last admin cannot be demoted or banned', async () => {
  const alone = await createPortal()
  await makeMember(alone.db, { is_admin: true, banned_until: 'infinity' })
  for (const action of [
    { action: 'remove_admin', user_id: alone.adminId },
    { action: 'ban_user', user_id: alone.adminId, reason: 'Spam', duration: 1 },
  ]) {
    const { status, body } = await alone.act(action)
    expect([status, body.code]).toEqual([409, 'last_admin'])
  }
  await alone.close()
})

describe('concurrent actions of admins on each other', () => {
  const ACTIONS = [{ action: 'remove_admin' }, { action: 'ban_user', reason: 'Mutual', duration: 'permanent' }]

  test.each(ACTIONS)('with $action leave one of two', async (action) => {
    const { db, pool } = portal
    for (let round = 0; round < 20; round++) {
      await pool.query('update members set is_admin = false')
      const [a, b] = [await makeMember(db, { is_admin: true }), await makeMember(db, { is_admin: true })]
      const [asA, asB] = [await signIn(db, a), await signIn(db, b)]
      const answers = await Promise.all([
        portal.act({ ...action, user_id: b }, asA),
        portal.act({ ...action, user_id: a }, asB),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.every(({ status }) => status === 200 || status === 401 || status === 403)).toBe(true)
      expect(await countAdmins()).toBe(1)
    }
  })

  test('of five in a cycle leave at least one, without a deadlock', async () => {
    const { db, pool } = portal
    for (let round = 0; round < 20; round++) {
      await pool.query('update members set is_admin = false')
      const ids = await Promise.all(Array.from({ length: 5 }, () => makeMember(db, { is_admin: true })))
      const headers = await Promise.all(ids.map((id) => signIn(db, id)))
      const answers = await Promise.all(
        ids.map((_, index) => {
          const action = ACTIONS[index % 2] ?? {}
          return portal.act({ ...action, user_id: ids[(index + 1) % ids.length] }, headers[index])
        }),
      )
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect(await countAdmins()).toBeGreaterThanOrEqual(1)
    }
  })

  async function countAdmins(): Promise<number> {
    const { rows } = await portal.pool.query<{ count: number }>(
      'select count(*) as count from members where is_admin and (banned_until is null or banned_until <= now())',
    )
    return rows[0]?.count ?? 0
  }
})
