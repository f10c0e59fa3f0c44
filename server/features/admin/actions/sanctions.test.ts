import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const HOUR_MS = 3_600_000
const hoursUntil = (end: unknown) => Math.round((new Date(String(end)).getTime() - Date.now()) / HOUR_MS)

describe('a mute', () => {
  test('lasts a day by default, and the member is notified', async () => {
    const id = await makeMember(portal.db)
    const headers = await signIn(portal.db, id)
    const { status, body } = await portal.act({ action: 'mute_user', user_id: id, reason: 'Too loud' })
    expect([status, body.message]).toEqual([200, 'User muted successfully'])
    expect(hoursUntil(body.user.mute_expires_at)).toBe(24)
    expect(body.user).toMatchObject({ is_muted: true, is_banned: false })
    expect(await portal.findNotifications(id)).toMatchObject([
      { type: 'warning', title: 'You are muted', message: expect.stringMatching(/until .* UTC\. Reason: Too loud$/) },
    ])
    expect((await portal.get('/api/user-profile', headers)).status).toBe(200)
    const scriptId = await makeScript(portal.db)
    const rejected = await portal.send(`POST /api/script-rating?id=${scriptId}`, { rating: 5 }, headers)
    expect([rejected.status, rejected.body.code]).toEqual([403, 'muted'])
  })

  test('is lifted, and the member is notified', async () => {
    const id = await makeMember(portal.db)
    await portal.act({ action: 'mute_user', user_id: id, reason: 'Too loud', duration: 'permanent' })
    const { status, body } = await portal.act({ action: 'unmute_user', user_id: id })
    expect([status, body.message, body.user.is_muted]).toEqual([200, 'User unmuted successfully', false])
    expect((await portal.findNotifications(id))[0]).toMatchObject({ title: 'Your mute was lifted' })
    expect((await portal.findAuditEntries(id)).map(({ action }) => action)).toEqual(['unmute_user', 'mute_user'])
  })
})

describe('a warning', () => {
  test('is minor and lasts thirty days by default', async () => {
    const id = await makeMember(portal.db)
    const { status, body } = await portal.act({ action: 'warn_user', user_id: id, reason: 'Be kind' })
    expect([status, body.message, body.user.warning_count_active]).toEqual([200, 'Warning issued successfully', 1])
    const [sanction] = await portal.db.selectFrom('sanctions').selectAll().where('member_id', '=', id).execute()
    expect(sanction).toMatchObject({ kind: 'warning', severity: 'minor', reason: 'Be kind' })
    expect(hoursUntil(sanction?.ends_at)).toBe(30 * 24)
    expect(await portal.findNotifications(id)).toMatchObject([
      {
        type: 'warning',
        title: 'You got a minor warning',
        message: expect.stringMatching(/^Be kind\n\nExpires /),
      },
    ])
  })

  test.each(['minor', 'moderate', 'severe'])('can be %s and permanent', async (severity) => {
    const id = await makeMember(portal.db)
    const warning = { action: 'warn_user', user_id: id, reason: 'Be kind', severity, duration: 'permanent' }
    expect((await portal.act(warning)).status).toBe(200)
    expect((await portal.act({ ...warning, duration: 7 })).body.user.warning_count_active).toBe(2)
    expect((await portal.findNotifications(id))[1]).toMatchObject({ message: "Be kind\n\nIt doesn't expire." })
  })
})

describe('errors', () => {
  const SANCTIONS = [
    { action: 'ban_user', reason: 'Spam', duration: 24 },
    { action: 'mute_user', reason: 'Spam', duration: 24 },
    { action: 'warn_user', reason: 'Spam' },
  ]

  test.each(SANCTIONS)('$action of oneself', async (action) => {
    await makeMember(portal.db, { is_admin: true })
    const { status, body } = await portal.act({ ...action, user_id: portal.adminId })
    expect([status, body.code]).toEqual([403, 'own_account'])
  })

  test('an action that another admin has already done', async () => {
    const id = await makeMember(portal.db, { username: 'Bob' })
    const other = await signIn(portal.db, await makeMember(portal.db, { is_admin: true }))
    for (const [action, code, error] of [
      [{ action: 'ban_user', reason: 'Spam', duration: 24 }, 'already_banned', 'Bob is already banned.'],
      [{ action: 'unban_user' }, 'not_banned', 'Bob is not banned.'],
      [{ action: 'mute_user', reason: 'Spam' }, 'already_muted', 'Bob is already muted.'],
      [{ action: 'unmute_user' }, 'not_muted', 'Bob is not muted.'],
    ] as const) {
      expect((await portal.act({ ...action, user_id: id })).status).toBe(200)
      const second = await portal.act({ ...action, user_id: id }, other)
      expect([second.status, second.body.code, second.body.error]).toEqual([409, code, error])
    }
  })

  test.each([
    ['no reason', { action: 'ban_user', duration: 24 }, 'reason'],
    ['an empty reason', { action: 'ban_user', reason: '', duration: 24 }, 'reason'],
    ['a blank reason', { action: 'mute_user', reason: ' \n\u200b ' }, 'reason'],
    ['a reason with control characters', { action: 'warn_user', reason: 'a\u0007b' }, 'reason'],
    ['a reason that is too long', { action: 'warn_user', reason: 'a'.repeat(1001) }, 'reason'],
    ['a reason that is a number', { action: 'warn_user', reason: 5 }, 'reason'],
    ['no duration', { action: 'ban_user', reason: 'Spam' }, 'duration'],
    ['a duration of nothing', { action: 'ban_user', reason: 'Spam', duration: 0 }, 'duration'],
    ['a duration below nothing', { action: 'mute_user', reason: 'Spam', duration: -1 }, 'duration'],
    ['a duration in words', { action: 'mute_user', reason: 'Spam', duration: 'a day' }, 'duration'],
    ['a duration of ages', { action: 'ban_user', reason: 'Spam', duration: 1e20 }, 'duration'],
    ['an unknown severity', { action: 'warn_user', reason: 'Spam', severity: 'major' }, 'severity'],
  ])('%s', async (_what, action, field) => {
    const id = await makeMember(portal.db)
    const { status, body } = await portal.act({ user_id: id, ...action })
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'invalid', [field]])
    expect(await portal.findAuditEntries(id)).toEqual([])
  })

  test.each([undefined, 0, -1, 1.5, 2_147_483_648, 'one', '', null])('the id %s', async (user_id) => {
    const { status, body } = await portal.act({ action: 'unban_user', user_id })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['user_id']])
  })

  test('an unknown id', async () => {
    for (const action of [...SANCTIONS, { action: 'unban_user' }, { action: 'unmute_user' }]) {
      const { status, body } = await portal.act({ ...action, user_id: 2_000_000_000 })
      expect([status, body.code, body.error]).toEqual([404, 'user_not_found', 'This user was not found.'])
    }
  })

  test.each([undefined, 'delete_user', 'constructor', '__proto__', 5, null, ['ban_user']])(
    'the action %s',
    async (action) => {
      const { status, body } = await portal.act({ action, user_id: portal.adminId })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['action']])
    },
  )
})
