import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '#contract/admin.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

interface Log {
  rows: AuditRow[]
  next_before_id: number | null
  actions: string[]
}

let portal: Portal
let otherId: number
let adaId: number
let bobId: number

beforeAll(async () => {
  portal = await createPortal()
  otherId = await makeMember(portal.db, { username: 'Second Admin', is_admin: true })
  adaId = await makeMember(portal.db, { username: 'Ada' })
  bobId = await makeMember(portal.db, { username: 'Bob' })
  const other = await signIn(portal.db, otherId)
  await portal.act({ action: 'warn_user', user_id: adaId, reason: 'Be kind' })
  await portal.act({ action: 'edit_user', user_id: bobId, title: 'New' }, other)
  await portal.act({ action: 'mute_user', user_id: adaId, reason: 'Loud' }, other)
  await portal.pool.query(`insert into audit_log (actor_id, action, subject_type, subject_id, created_at) values
    (2000000000, 'ban_user', 'member', 2000000000, '2020-01-31T12:00:00Z'),
    (2000000000, 'script_delete', 'script', 2000000000, '2020-02-01T00:00:00Z')`)
})
afterAll(() => portal.close())

const read = async (query = '') => (await portal.get<Log>(`/api/audit-log?${query}`)).body
const actions = async (query: string) => (await read(query)).rows.map(({ action }) => action)

test('returns actor, action, subject and both states, newest first', async () => {
  const { rows } = await read(`member_id=${bobId}`)
  expect(rows).toEqual([
    {
      id: expect.any(Number),
      actor_id: otherId,
      actor_name: 'Second Admin',
      action: 'edit_user',
      subject_type: 'member',
      subject_id: bobId,
      subject_name: 'Bob',
      member_id: bobId,
      before: { title: null },
      after: { title: 'New' },
      created_at: expect.stringMatching(/Z$/),
    },
  ])
})

describe('filters', () => {
  test('by admin, member and action, alone and together', async () => {
    expect(await actions(`actor_id=${otherId}`)).toEqual(['mute_user', 'edit_user'])
    expect(await actions(`member_id=${adaId}`)).toEqual(['mute_user', 'warn_user'])
    expect(await actions('action=warn_user')).toEqual(['warn_user'])
    expect(await actions(`actor_id=${otherId}&member_id=${adaId}&action=mute_user`)).toEqual(['mute_user'])
    expect(await actions('action=warn%')).toEqual([])
  })

  test.each([
    ['from=2020-01-31&to=2020-01-31', ['ban_user']],
    ['from=2020-01-31T12:00:00Z&to=2020-02-01T00:00:00Z', ['script_delete', 'ban_user']],
    ['from=2020-02-01&to=2020-02-01', ['script_delete']],
    ['to=2020-01-30', []],
  ])('by time: %s', async (query, expected) => {
    expect(await actions(query)).toEqual(expected)
  })

  test('lists all actions in the log', async () => {
    const all = ['ban_user', 'edit_user', 'mute_user', 'script_delete', 'warn_user']
    expect((await read()).actions).toEqual(all)
  })
})

test('pages by the last id without gaps or repetition', async () => {
  const all = (await read('limit=100')).rows
  const seen: AuditRow[] = []
  let before: number | null = null
  do {
    const page: Log = await read(`limit=2${before ? `&before_id=${before}` : ''}`)
    seen.push(...page.rows)
    before = page.next_before_id
  } while (before)
  expect(seen).toEqual(all)
})

test('names disappear with their accounts', async () => {
  const { rows } = await read('to=2020-12-31')
  expect(rows.map(({ actor_name, subject_name }) => [actor_name, subject_name])).toEqual([
    ['Deleted member', 'Deleted script'],
    ['Deleted member', 'Deleted member'],
  ])
})

test.each([
  ['actor_id=0', 'actor_id'],
  ['actor_id=Ada', 'actor_id'],
  ['member_id=99999999999', 'member_id'],
  ['before_id=-1', 'before_id'],
  ['limit=0', 'limit'],
  ['from=yesterday', 'from'],
  ['from=2020-02-30', 'from'],
  ['to=2020-13-01', 'to'],
  ['to=2020-01-01T00', 'to'],
  [`action=${'a'.repeat(41)}`, 'action'],
])('rejects %s', async (query, field) => {
  const { status, body } = await portal.get<{ fields: object }>(`/api/audit-log?${query}`)
  expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
})

test('the database rejects changes of entries', async () => {
  for (const statement of ['update audit_log set actor_id = 1', 'delete from audit_log', 'truncate audit_log']) {
    await expect(portal.pool.query(statement)).rejects.toThrow('append-only')
  }
})
