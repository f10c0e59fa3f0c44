import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppOn } from '#tests/support/app.ts'
import { makeMember } from '#tests/support/factories.ts'
import {
  completeSignIn,
  requestOwnProfile,
  createSignInSite,
  signInAs,
  type SignInSite,
} from '#tests/support/sign-in.ts'
import { endSessionsOf, hashToken, MAX_SESSIONS, openSession } from './sessions.ts'

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

const statusOf = async (token: string, cookie?: string) => (await requestOwnProfile(site.app, token, cookie)).statusCode
const sessionTokenOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['session-token'])
const signOut = (token: string) =>
  site.app.inject({ method: 'DELETE', url: '/api/session', headers: { authorization: `Bearer ${token}` } })
const setSession = (columns: string) => sql`update sessions set ${sql.raw(columns)}`.execute(site.db)
const countUnused = async (memberId: number) => {
  const unused = sql`select from sessions where member_id = ${memberId} and last_used_at < now() - interval '30 minutes'`
  return (await unused.execute(site.db)).rows.length
}
const expireLoginTokens = () => sql`update login_tokens set created_at = now() - interval '61 seconds'`.execute(site.db)
const OWN_CALLS = ['/api/user-notifications', '/api/sessions', '/api/account-data']
const callWith = async (
  token: string,
  cookie: string | undefined,
  url: string,
  method: 'GET' | 'DELETE' = 'GET',
  app = site.app,
) =>
  (await app.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...(cookie ? { cookie } : {}) } }))
    .statusCode
const setMember = (id: number, columns: object) =>
  site.db.updateTable('members').set(columns).where('id', '=', id).execute()

describe('a login token', () => {
  test('is exchanged for a session token', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const answer = await requestOwnProfile(site.app, token, cookie)
    expect(answer.json()).toMatchObject({ username: expect.stringMatching(/^newcomer_/), is_admin: false })
    expect(answer.headers['cache-control']).toBe('no-store')
    const lasting = sessionTokenOf(answer)
    expect(lasting).toMatch(/^[\w-]{43}$/)
    expect([await statusOf(lasting), await statusOf(token)]).toEqual([200, 401])
    expect((await requestOwnProfile(site.app, lasting)).headers['session-token']).toBeUndefined()
  })

  test('gets another token of the same session if the first response was lost', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const lost = sessionTokenOf(await requestOwnProfile(site.app, token, cookie))
    const received = sessionTokenOf(await requestOwnProfile(site.app, token, cookie))
    expect(received).not.toBe(lost)
    // The lost request may be handled after the repeated one.
    expect([await statusOf(lost), await statusOf(received)]).toEqual([200, 200])
    await signOut(received)
    expect([await statusOf(lost), await statusOf(received)]).toEqual([401, 401])
  })

  test('is invalid after its session has ended', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    await signOut(sessionTokenOf(await requestOwnProfile(site.app, token, cookie)))
    expect(await statusOf(token, cookie)).toBe(401)
  })

  test('is rejected in another browser, before and after its first use', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const elsewhere = async () => [await statusOf(token), await statusOf(token, `sign-in=${'A'.repeat(43)}`)]
    expect(await elsewhere()).toEqual([401, 401])
    expect(await statusOf(token, cookie)).toBe(200)
    expect(await elsewhere()).toEqual([401, 401])
  })

  test('opens nothing before it is exchanged, and is exchanged within a minute', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    for (const url of OWN_CALLS) expect(await callWith(token, cookie, url)).toBe(401)
    expect(await callWith(token, cookie, '/api/session', 'DELETE')).toBe(401)
    await expireLoginTokens()
    expect(await statusOf(token, cookie)).toBe(401)
  })

  test('stays valid in its browser as long as the session, and nowhere else', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    await requestOwnProfile(site.app, token, cookie)
    await expireLoginTokens()
    const second = await createAppOn(site.database, site.pool)
    for (const url of OWN_CALLS) {
      expect(await callWith(token, cookie, url)).toBe(200)
      expect(await callWith(token, `other=1; ${cookie}`, url, 'GET', second.app)).toBe(200)
      expect(await callWith(token, undefined, url)).toBe(401)
      expect(await callWith(token, `sign-in=${'A'.repeat(43)}`, url)).toBe(401)
      // The cookie alone authenticates nothing.
      expect((await site.app.inject({ url, headers: { cookie } })).statusCode).toBe(401)
    }
    await second.close()
    const answer = await requestOwnProfile(site.app, token, cookie)
    expect([answer.statusCode, answer.headers['session-token']]).toEqual([200, undefined])
  })

  test('is one session with the session token, and ends with it', async () => {
    for (const end of [
      (token: string, cookie: string) => callWith(token, cookie, '/api/session', 'DELETE'),
      (_token: string, cookie: string, lasting: string) => callWith(lasting, cookie, '/api/session', 'DELETE'),
      (_token: string, _cookie: string, lasting: string) => callWith(lasting, undefined, '/api/session', 'DELETE'),
      (token: string, cookie: string) => callWith(token, cookie, '/api/sessions?all=true', 'DELETE'),
      (_token: string, _cookie: string, lasting: string) =>
        callWith(lasting, undefined, '/api/sessions?all=true', 'DELETE'),
    ]) {
      const { token, cookie } = await completeSignIn(site.app)
      const lasting = sessionTokenOf(await requestOwnProfile(site.app, token, cookie))
      const headers = { authorization: `Bearer ${token}`, cookie }
      const { sessions } = (await site.app.inject({ url: '/api/sessions', headers })).json()
      expect(sessions).toMatchObject([{ is_current: true }])
      expect(await end(token, cookie, lasting)).toBe(200)
      expect([await statusOf(token, cookie), await statusOf(lasting)]).toEqual([401, 401])
      expect(await callWith(token, cookie, '/api/user-notifications')).toBe(401)
    }
  })

  test('ends with a ban, and after the time of a session', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const { id } = (await requestOwnProfile(site.app, token, cookie)).json()
    await setMember(id, { banned_until: 'infinity' })
    expect(await callWith(token, cookie, '/api/user-notifications')).toBe(401)
    await setMember(id, { banned_until: null })
    expect(await callWith(token, cookie, '/api/user-notifications')).toBe(200)
    await expireLoginTokens()
    await sql`update sessions set last_used_at = now() - interval '8 days' where member_id = ${id}`.execute(site.db)
    expect(await statusOf(token, cookie)).toBe(401)
  })

  test('has the rights of its member', async () => {
    const { token, cookie } = await completeSignIn(site.app, site.fakeDiscord.adminId)
    const { id } = (await requestOwnProfile(site.app, token, cookie)).json()
    await setMember(id, { is_admin: true })
    expect(await callWith(token, cookie, '/api/admin-keys?type=stats')).toBe(200)
    expect(await callWith(token, undefined, '/api/admin-keys?type=stats')).toBe(401)
  })

  test('needs a cookie that lives longer than the session', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const { headers } = await requestOwnProfile(site.app, token, cookie)
    expect(headers['set-cookie']).toBe(`${cookie}; Path=/; Max-Age=2678400; HttpOnly; SameSite=Lax`)
  })

  test('counts as one session with the session token', async () => {
    const first = await completeSignIn(site.app)
    const { id } = (await requestOwnProfile(site.app, first.token, first.cookie)).json()
    for (let i = 1; i < MAX_SESSIONS; i++) await openSession(site.db, id)
    expect(await statusOf(first.token, first.cookie)).toBe(200)
    await sql`update sessions set last_used_at = now() - interval '1 hour' where browser_hash is not null
      or sign_in_hash is not null`.execute(site.db)
    await expireLoginTokens()
    await openSession(site.db, id)
    expect(await statusOf(first.token, first.cookie)).toBe(401)
    const { rows } = await site.pool.query('select from sessions where member_id = $1', [id])
    expect(rows).toHaveLength(MAX_SESSIONS)
  })

  test('sent twenty times at once to two processes opens one session', async () => {
    const second = await createAppOn(site.database, site.pool)
    const { token, cookie } = await completeSignIn(site.app)
    const apps = Array.from({ length: 20 }, (_, number) => (number % 2 ? site.app : second.app))
    const tokens = (await Promise.all(apps.map((app) => requestOwnProfile(app, token, cookie)))).map(sessionTokenOf)
    expect(new Set(tokens).size).toBe(20)
    await signOut(tokens[0] ?? '')
    expect(await Promise.all(tokens.map((each) => statusOf(each)))).toEqual(tokens.map(() => 401))
    await second.close()
  })

  test('is rejected once its member is banned', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const { rows } = await site.pool.query<{ member_id: number }>(
      'select member_id from login_tokens order by created_at desc limit 1',
    )
    await setMember(rows[0]?.member_id ?? 0, { banned_until: 'infinity' })
    expect(await statusOf(token, cookie)).toBe(401)
  })
})

describe('a session', () => {
  test('ends permanently when its member signs out, and only this one', async () => {
    const memberId = await makeMember(site.db)
    const [one, other] = [await openSession(site.db, memberId), await openSession(site.db, memberId)]
    const headers = { authorization: `Bearer ${one}` }
    expect((await site.app.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(200)
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200])
  })

  test.each([
    ['members', false, '6 days 23 hours', 200],
    ['members', false, '7 days 1 minute', 401],
    ['admins', true, '11 hours 59 minutes', 200],
    ['admins', true, '12 hours 1 minute', 401],
  ])('of %s (admin: %j) unused for %s gets status %i', async (_who, is_admin, idle, status) => {
    const token = await openSession(site.db, await makeMember(site.db, { is_admin }))
    await setSession(`last_used_at = now() - interval '${idle}'`)
    expect(await statusOf(token)).toBe(status)
  })

  test.each([
    ['29 days 23 hours', 200],
    ['30 days 1 minute', 401],
  ])('in constant use and %s old gets status %i', async (age, status) => {
    const token = await openSession(site.db, await makeMember(site.db))
    await setSession(`created_at = now() - interval '${age}', last_used_at = now()`)
    expect(await statusOf(token)).toBe(status)
  })

  test('ends with a ban and does not return after it', async () => {
    const memberId = await makeMember(site.db)
    const token = await openSession(site.db, memberId)
    await site.db.transaction().execute(async (trx) => {
      await trx.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', memberId).execute()
      await endSessionsOf(trx, memberId)
    })
    expect(await statusOf(token)).toBe(401)
    await setMember(memberId, { banned_until: null })
    expect(await statusOf(token)).toBe(401)
  })

  test('ends when its member signs in too often, the longest unused one first', async () => {
    const memberId = await makeMember(site.db)
    const tokens: string[] = []
    for (let i = 0; i < MAX_SESSIONS; i++) tokens.push(await openSession(site.db, memberId))
    const [oldest = '', used = '', ...others] = tokens
    await setSession("last_used_at = now() - interval '1 hour'")
    await statusOf(oldest)
    await expect.poll(() => countUnused(memberId)).toBe(MAX_SESSIONS - 1)
    await sql`update sessions set last_used_at = now() - interval '2 hours' where token_hash = ${hashToken(used)}`.execute(
      site.db,
    )
    const latest = await openSession(site.db, memberId)
    expect([await statusOf(used), await statusOf(oldest), await statusOf(latest)]).toEqual([401, 200, 200])
    expect(await Promise.all(others.map((token) => statusOf(token)))).toEqual(others.map(() => 200))
  })

  test('has the current rights of its member', async () => {
    const memberId = await makeMember(site.db)
    const token = await openSession(site.db, memberId)
    const headers = { authorization: `Bearer ${token}` }
    const ask = async () => (await site.app.inject({ url: '/api/giveaways?admin=true', headers })).statusCode
    expect(await ask()).toBe(403)
    await setMember(memberId, { is_admin: true })
    expect(await ask()).toBe(200)
    await setMember(memberId, { is_admin: false })
    expect(await ask()).toBe(403)
  })

  test('records its last use every five minutes, not with every request', async () => {
    const memberId = await makeMember(site.db)
    const token = await openSession(site.db, memberId)
    const writes = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const { rows } = await site.pool.query<{ last_used: Date | null; version: string }>(
        'select last_seen_at as last_used, xmin::text as version from members where id = $1',
        [memberId],
      )
      return rows[0]?.version
    }
    const before = await writes()
    for (let call = 0; call < 5; call++) await statusOf(token)
    expect(await writes()).toBe(before)
    await setSession("last_used_at = now() - interval '6 minutes'")
    await statusOf(token)
    const after = await writes()
    expect(after).not.toBe(before)
    for (let call = 0; call < 5; call++) await statusOf(token)
    expect(await writes()).toBe(after)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Basic ${'A'.repeat(43)}`,
    `Bearer ${'A'.repeat(43)} x`,
    `Bearer ${'ä'.repeat(43)}`,
  ])('is not accepted in the header %j', async (authorization) => {
    expect((await site.app.inject({ url: '/api/user-profile', headers: { authorization } })).statusCode).toBe(401)
  })
})

test('a member who signs in again keeps id, slug and rights and gets the current name', async () => {
  const { adminId } = site.fakeDiscord
  const first = (await requestOwnProfile(site.app, await signInAs(site.app, adminId))).json<{
    id: number
    slug: string
  }>()
  await setMember(first.id, { username: 'Former name', is_moderator: true })
  const again = (await requestOwnProfile(site.app, await signInAs(site.app, adminId))).json<Record<string, unknown>>()
  expect(again).toMatchObject({ id: first.id, slug: first.slug, username: 'marlow', is_moderator: true })
})
