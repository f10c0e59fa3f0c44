import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SessionInfo } from '#contract/accounts.ts'
import { createAppOn } from '#tests/support/app.ts'
import { makeMember } from '#tests/support/factories.ts'
import { completeSignIn, createSignInSite, requestOwnProfile, type SignInSite } from '#tests/support/sign-in.ts'
import { openSession } from './sessions.ts'

let site: SignInSite
let memberId: number
let token: string
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  memberId = await makeMember(site.db)
  token = await openSession(site.db, memberId, { device: 'Firefox on Windows' })
})

const authorize = (as: string) => ({ authorization: `Bearer ${as}` })
const list = async (as = token) =>
  (await site.app.inject({ url: '/api/sessions', headers: authorize(as) })).json<{ sessions: SessionInfo[] }>().sessions
const end = async (query: string, as = token) =>
  (await site.app.inject({ method: 'DELETE', url: `/api/sessions${query}`, headers: authorize(as) })).statusCode
const statusOf = async (as: string, { app } = site) =>
  (await app.inject({ url: '/api/user-profile', headers: authorize(as) })).statusCode
const idOf = async (as: string) => (await list(as)).find(({ is_current }) => is_current)?.id ?? ''

describe('the list of sessions', () => {
  test('has the current session first, with device and times, and no token', async () => {
    const other = await openSession(site.db, memberId, { device: 'Safari on iPhone' })
    await sql`update sessions set last_used_at = now() - interval '2 days', created_at = now() - interval '3 days'
      where member_id = ${memberId} and device = 'Safari on iPhone'`.execute(site.db)
    const sessions = await list()
    expect(sessions).toMatchObject([
      { device: 'Firefox on Windows', is_current: true },
      { device: 'Safari on iPhone', is_current: false },
    ])
    const age = Date.now() - Date.parse(sessions[1]?.last_used_at ?? '')
    expect(Math.round(age / 86_400_000)).toBe(2)
    expect(JSON.stringify(sessions)).not.toContain(other)
    expect(Object.keys(sessions[0] ?? {}).toSorted()).toEqual([
      'created_at',
      'device',
      'id',
      'is_current',
      'last_used_at',
    ])
  })

  test('has the browser and the system of a sign-in, and its tokens as one session', async () => {
    const { token: loginToken, cookie } = await completeSignIn(site.app)
    const ask = () =>
      site.app.inject({
        url: '/api/user-profile',
        headers: {
          ...authorize(loginToken),
          cookie,
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
        },
      })
    const [lost, received] = [await ask(), await ask()].map(({ headers }) => String(headers['session-token']))
    expect(await list(received ?? '')).toMatchObject([{ device: 'Firefox on Linux', is_current: true }])
    expect(await idOf(lost ?? '')).toBe(await idOf(received ?? ''))
  })

  test('leaves out expired sessions and those of other members', async () => {
    await openSession(site.db, memberId, { device: 'Old' })
    await sql`update sessions set last_used_at = now() - interval '8 days' where device = 'Old'`.execute(site.db)
    await openSession(site.db, await makeMember(site.db))
    expect(await list()).toHaveLength(1)
  })
})

describe('a member', () => {
  test('ends one session, on every process and in open streams, and keeps the others', async () => {
    const second = await createAppOn(site.database, site.pool)
    await second.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = second.app.server.address() as AddressInfo
    const stolen = await openSession(site.db, memberId)
    const stream = await fetch(`http://127.0.0.1:${port}/api/notification-stream`, { headers: authorize(stolen) })
    expect(await end(`?id=${await idOf(stolen)}`)).toBe(200)
    expect(await stream.text()).toContain('retry:')
    expect([await statusOf(stolen), await statusOf(token)]).toEqual([401, 200])
    expect((await second.app.inject({ url: '/api/sessions', headers: authorize(stolen) })).statusCode).toBe(401)
    await second.close()
  })

  test('ends a session with all tokens of its sign-in and the login token', async () => {
    const { token: loginToken, cookie } = await completeSignIn(site.app)
    const ask = () => requestOwnProfile(site.app, loginToken, cookie)
    const tokens = [await ask(), await ask()].map(({ headers }) => String(headers['session-token']))
    expect(await end(`?id=${await idOf(tokens[0] ?? '')}`, tokens[1])).toBe(200)
    expect(await Promise.all(tokens.map((each) => statusOf(each)))).toEqual([401, 401])
    expect((await ask()).statusCode).toBe(401)
  })

  test('signs out everywhere, also from the session in use and with logins under way', async () => {
    const { token: loginToken, cookie } = await completeSignIn(site.app)
    const first = await requestOwnProfile(site.app, loginToken, cookie)
    const { id } = first.json<{ id: number }>()
    const tokens = [String(first.headers['session-token']), await openSession(site.db, id)]
    expect(await end('?all=true', tokens[0])).toBe(200)
    expect(await Promise.all(tokens.map((each) => statusOf(each)))).toEqual([401, 401])
    expect((await requestOwnProfile(site.app, loginToken, cookie)).statusCode).toBe(401)
    expect(await statusOf(token)).toBe(200)
  })

  test('cannot end a session of another member', async () => {
    const other = await openSession(site.db, await makeMember(site.db))
    expect(await end(`?id=${await idOf(other)}`)).toBe(404)
    expect(await statusOf(other)).toBe(200)
  })

  test.each([
    '',
    '?id=x',
    '?id=',
    '?all=',
    '?all=1',
    '?all=true&id=00000000-0000-0000-0000-000000000000',
    "?id=1' or true",
    '?id=00000000-0000-0000-0000-00000000000g',
  ])('gets 400 for %s, and stays signed in', async (query) => {
    expect(await end(query)).toBe(400)
    expect(await statusOf(token)).toBe(200)
  })

  test('gets 404 for a session that has ended, and only one of two calls ends it', async () => {
    const id = await idOf(await openSession(site.db, memberId))
    const statuses = await Promise.all([end(`?id=${id}`), end(`?id=${id}`)])
    expect(statuses.toSorted()).toEqual([200, 404])
  })

  test('who uses a session while it ends is not shown an error', async () => {
    await sql`update sessions set last_used_at = now() - interval '6 minutes' where member_id = ${memberId}`.execute(
      site.db,
    )
    const statuses = await Promise.all([...Array.from({ length: 8 }, () => statusOf(token)), end('?all=true')])
    expect(statuses.at(-1)).toBe(200)
    expect(statuses.every((status) => status === 200 || status === 401)).toBe(true)
    expect(await statusOf(token)).toBe(401)
  })
})
