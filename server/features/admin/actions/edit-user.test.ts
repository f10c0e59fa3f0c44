import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const edit = (user_id: number, fields: object) => portal.act({ action: 'edit_user', user_id, ...fields })

test('changes the given fields, keeps the others, and audits both states', async () => {
  const id = await makeMember(portal.db, { title: 'Old', notes: 'Keep me' })
  const { status, body } = await edit(id, {
    title: ' Builder ',
    custom_badge: 'OG',
    badge_color: '#AABBCC',
    reputation: 12,
  })
  expect([status, body.message]).toEqual([200, 'User updated successfully'])
  const now = { title: 'Builder', custom_badge: 'OG', badge_color: '#aabbcc', notes: 'Keep me', reputation: 12 }
  expect(body.user).toMatchObject(now)
  expect(await portal.findAuditEntries(id)).toEqual([
    {
      actor_id: portal.adminId,
      action: 'edit_user',
      before: { title: 'Old', custom_badge: null, badge_color: '#6366f1', reputation: 0 },
      after: { title: 'Builder', custom_badge: 'OG', badge_color: '#aabbcc', reputation: 12 },
    },
  ])
})

test('empty text and null clear a field; an edit without changes is not audited', async () => {
  const id = await makeMember(portal.db, { title: 'Old', notes: 'Old' })
  expect((await edit(id, { title: '', notes: null })).body.user).toMatchObject({ title: null, notes: null })
  expect((await edit(id, { title: '  ', notes: '' })).status).toBe(200)
  expect((await edit(id, {})).status).toBe(200)
  expect(await portal.findAuditEntries(id)).toHaveLength(1)
})

describe('reputation', () => {
  test.each([
    [7, 7],
    [7.9, 7],
    [-3.5, -3],
    ['12', 12],
    [' 12 points', 12],
    ['-4x', -4],
    ['points', 0],
    ['', 0],
    ['1e3', 1],
  ])('parses %j as %i', async (input, expected) => {
    const id = await makeMember(portal.db, { reputation: 100 })
    expect((await edit(id, { reputation: input })).body.user.reputation).toBe(expected)
    const { rows } = await portal.pool.query<{ points: number }>(
      `select sum(points) as points from reputation_ledger where receiver_id = ${id}`,
    )
    expect(rows[0]?.points).toBe(expected - 100)
  })

  test('cannot be changed for oneself', async () => {
    const { status, body } = await edit(portal.adminId, { reputation: 5 })
    expect([status, body.code]).toEqual([403, 'own_reputation'])
    expect((await edit(portal.adminId, { reputation: 0, title: 'Founder' })).status).toBe(200)
  })
})

describe('is rejected', () => {
  test.each([
    ['a colour without its sign', { badge_color: 'aabbcc' }, 'badge_color'],
    ['a short colour', { badge_color: '#abc' }, 'badge_color'],
    ['a colour in words', { badge_color: 'red;background:url(x)' }, 'badge_color'],
    ['no colour', { badge_color: null }, 'badge_color'],
    ['a title that is too long', { title: 'a'.repeat(51) }, 'title'],
    ['a badge that is too long', { custom_badge: 'a'.repeat(31) }, 'custom_badge'],
    ['notes that are too long', { notes: 'a'.repeat(5001) }, 'notes'],
    ['a title of marks that make one letter', { title: `a${'\u0301'.repeat(60)}` }, 'title'],
    ['what no database holds', { title: 'a\u0000' }, 'title'],
    ['a bell', { title: 'a\u0007' }, 'title'],
    ['reputation beyond all proportion', { reputation: 1e20 }, 'reputation'],
    ['the same in words', { reputation: '9'.repeat(40) }, 'reputation'],
    ['reputation as a list', { reputation: [5] }, 'reputation'],
  ])('%s', async (_what, fields, field) => {
    const id = await makeMember(portal.db)
    const { status, body } = await edit(id, fields)
    expect([status, body.code]).toEqual([400, 'invalid'])
    expect(Object.keys(body.fields)).toEqual([field])
  })
})

test('changes neither a role nor a name', async () => {
  const id = await makeMember(portal.db, { username: 'Ada' })
  const { status, body } = await edit(id, { title: 'Builder', is_admin: true, username: 'Root' })
  expect([status, body.user]).toMatchObject([200, { title: 'Builder', is_admin: false, username: 'Ada' }])
})
