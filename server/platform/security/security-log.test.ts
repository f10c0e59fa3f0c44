import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Config } from '#server/platform/config.ts'
import { testAccounts } from '#server/operations/fake-discord/test-accounts.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import {
  choosePerson,
  completeSignIn,
  createSignInSite,
  followCallback,
  requestOwnProfile,
  type SignInSite,
  startSignIn,
} from '#tests/support/sign-in.ts'
import { SecurityLog } from './security-log.ts'

interface Line {
  level: number
  msg: string
  event: string
  [field: string]: unknown
}

const [ADMIN = '', MEMBER = ''] = testAccounts.map(({ id }) => id)

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

/** Runs requests against a process of its own, and returns its security events and its whole log. */
async function capture(run: (process: TestApp) => Promise<void>, settings: Partial<Config> = {}, level = 'info') {
  const lines: string[] = []
  const { publicUrl, secretKey, discord } = site.config
  const app = await createAppOn(
    site.database,
    site.pool,
    { publicUrl, secretKey, discord, ...settings },
    { log: level, logTo: { write: (line) => void lines.push(line) } },
  )
  await run(app)
  await app.close()
  const events = lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'security event')
    .map(({ event, network, member_id, reason, action, subject_ids, count }) =>
      JSON.parse(JSON.stringify({ event, network, member_id, reason, action, subject_ids, count })),
    )
  return { events, text: lines.join('') }
}

const network = '127.0.0.1'

describe('an event is logged for', () => {
  test('each sign-in and sign-out, without tokens', async () => {
    const secrets: string[] = []
    let id = 0
    const { events, text } = await capture(async ({ app }) => {
      const { token, cookie } = await completeSignIn(app, MEMBER)
      const first = await requestOwnProfile(app, token, cookie)
      id = first.json<{ id: number }>().id
      const lasting = String((await requestOwnProfile(app, token, cookie)).headers['session-token'])
      const headers = { authorization: `Bearer ${lasting}` }
      await app.inject({ method: 'DELETE', url: '/api/session', headers })
      secrets.push(token, lasting, cookie.split('=')[1] ?? '', String(first.headers['session-token']))
    })
    expect(events).toEqual([
      { event: 'sign_in', network, member_id: id },
      { event: 'sign_out', network, member_id: id },
    ])
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('rejected sign-ins, with the reason', async () => {
    const id = await makeMember(site.db, { discord_id: ADMIN, banned_until: new Date(Date.now() + 3_600_000) })
    const { events } = await capture(async ({ app }) => {
      for (let i = 0; i < 3; i++) await followCallback(app, '/api/discord-callback?code=a&state=b')
      const { authUrl, cookie } = await startSignIn(app)
      await followCallback(app, await choosePerson(authUrl, ADMIN), cookie)
    })
    await site.pool.query('delete from members where id = $1', [id])
    expect(events).toEqual([
      { event: 'sign_in_rejected', network, reason: 'state_mismatch', count: 3 },
      { event: 'sign_in_rejected', network, reason: 'banned', member_id: id, count: 1 },
    ])
  })

  test('an admin role that the setting grants', async () => {
    const { events } = await capture(({ app }) => completeSignIn(app, ADMIN).then(() => undefined), {
      adminDiscordIds: [ADMIN],
    })
    expect(events).toEqual([{ event: 'admin_by_setting', network, member_id: expect.any(Number) }])
  })

  test('requests that are not allowed, counted by network and member', async () => {
    const member_id = await makeMember(site.db)
    const { events } = await capture(async ({ app }) => {
      const headers = await signIn(site.db, member_id)
      for (let i = 0; i < 3; i++) await app.inject('/api/account-data')
      await app.inject({ url: '/api/user-profile', remoteAddress: '2001:db8:1:2:3::4' })
      for (let i = 0; i < 2; i++) await app.inject({ url: '/api/admin-scripts', headers })
    })
    expect(events).toEqual([
      { event: 'unauthenticated', network, count: 3 },
      { event: 'unauthenticated', network: '2001:db8:1:2::/64', count: 1 },
      { event: 'denied', network, member_id, count: 2 },
    ])
  })

  test('exports, and requests past a limit', async () => {
    const member_id = await makeMember(site.db)
    const { events } = await capture(
      async ({ app }) => {
        const headers = await signIn(site.db, member_id)
        for (let i = 0; i < 12; i++) await app.inject({ url: '/api/account-data', headers })
      },
      { rateLimit: true },
    )
    expect(events).toEqual([
      ...Array.from({ length: 10 }, () => ({ event: 'data_export', network, member_id })),
      { event: 'rate_limited', network, member_id, count: 2 },
    ])
  })

  test('deleted accounts', async () => {
    const member_id = await makeMember(site.db, { username: 'Leaving' })
    const { events } = await capture(async ({ app }) => {
      const headers = await signIn(site.db, member_id)
      await app.inject({ method: 'DELETE', url: '/api/account', headers, payload: { username: 'Leaving' } })
    })
    expect(events).toEqual([{ event: 'account_deletion', network, member_id }])
  })

  test('changed roles, at every log level', async () => {
    const member_id = await makeMember(site.db, { is_admin: true })
    const [one, two] = [await makeMember(site.db), await makeMember(site.db, { is_moderator: true })]
    const { events } = await capture(
      async ({ app }) => {
        const headers = await signIn(site.db, member_id)
        const act = (payload: object) => app.inject({ method: 'POST', url: '/api/admin-keys', headers, payload })
        await act({ action: 'make_admin', user_id: one })
        await act({ action: 'bulk_action', bulk_action: 'make_moderator', user_ids: [one, two] })
        await act({ action: 'warn_user', user_id: one, reason: 'Loud' })
      },
      {},
      'error',
    )
    expect(events).toEqual([
      { event: 'role_change', network, member_id, action: 'make_admin', subject_ids: [one] },
      { event: 'role_change', network, member_id, action: 'make_moderator', subject_ids: [one] },
    ])
  })
})

describe('repeated events', () => {
  afterEach(() => void vi.useRealTimers())

  const requestFrom = (ip: string) => ({ ip }) as FastifyRequest

  function createLog(options: { windowMs?: number; maxCounters?: number }) {
    const lines: Partial<Line>[] = []
    const logger = { level: 'info', info: (line: Line) => void lines.push(line), child: () => logger }
    return { lines, log: new SecurityLog(logger as unknown as FastifyBaseLogger, options) }
  }

  test('are written once per window', () => {
    vi.useFakeTimers()
    const { lines, log } = createLog({ windowMs: 1000 })
    for (let i = 0; i < 500; i++) log.count(requestFrom('192.0.2.1'), 'unauthenticated')
    expect(lines).toEqual([])
    vi.advanceTimersByTime(1000)
    log.count(requestFrom('192.0.2.1'), 'unauthenticated')
    vi.advanceTimersByTime(5000)
    const line = { event: 'unauthenticated', network: '192.0.2.1' }
    expect(lines).toEqual([
      { ...line, count: 500 },
      { ...line, count: 1 },
    ])
  })

  test('of very many networks are counted together', () => {
    const { lines, log } = createLog({ maxCounters: 2 })
    for (let i = 1; i <= 9; i++) log.count(requestFrom(`192.0.2.${i}`), 'rate_limited')
    log.count(requestFrom('192.0.2.1'), 'rate_limited')
    log.flush()
    expect(lines).toEqual([
      { event: 'rate_limited', network: '192.0.2.1', count: 2 },
      { event: 'rate_limited', network: '192.0.2.2', count: 1 },
      { event: 'rate_limited', network: 'others', count: 7 },
    ])
  })
})
