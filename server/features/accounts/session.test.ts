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
import { endSessionsOf, openSession } from './sessions.ts'

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

const statusOf = async (token: string, cookie?: string) => (await requestOwnProfile(site.app, token, cookie)).statusCode
const setSession = (columns: string) => sql`update sessions set ${sql.raw(columns)}`.execute(site.db)
const setMember = (id: number, columns: object) =>
  site.db.updateTable('members').set(columns).where('id', '=', id).execute()

describe('a login token', () => {
  test('is spent by its first use, which returns a session token', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const answer = await requestOwnProfile(site.app, token, cookie)
    expect(answer.json()).toMatchObject({ username: expect.stringMatching(/^newcomer_/), is_admin: false })
    expect(answer.headers['cache-control']).toBe('no-store')
    const lasting = String(answer.headers['session-token'])
    expect(lasting).toMatch(/^[\w-]{43}$/)
    expect([await statusOf(token, cookie), await statusOf(token), await statusOf(lasting)]).toEqual([401, 401, 200])
    expect((await requestOwnProfile(site.app, lasting)).headers['session-token']).toBeUndefined()
  })

  test('is rejected in another browser and is not spent there', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(token, `sign-in=${'A'.repeat(43)}`)).toBe(401)
    expect(await statusOf(token, cookie)).toBe(200)
  })

  test('is accepted only by the call that exchanges it', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const headers = { authorization: `Bearer ${token}`, cookie }
    for (const url of ['/api/user-notifications', '/api/account-data']) {
      expect((await site.app.inject({ url, headers })).statusCode).toBe(401)
    }
    expect((await site.app.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(401)
    expect(await statusOf(token, cookie)).toBe(200)
  })

  test('is valid for a minute', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    await sql`update handoffs set created_at = now() - interval '61 seconds'`.execute(site.db)
    expect(await statusOf(token, cookie)).toBe(401)
  })

  test('sent twenty times at once to two processes opens one session', async () => {
    const second = await createAppOn(site.database, site.pool)
    const { token, cookie } = await completeSignIn(site.app)
    const apps = Array.from({ length: 20 }, (_, number) => (number % 2 ? site.app : second.app))
    const answers = await Promise.all(apps.map((app) => requestOwnProfile(app, token, cookie)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(19)
    await second.close()
  })

  test('is rejected once its member is banned', async () => {
    const { token, cookie } = await completeSignIn(site.app)
    const { rows } = await site.pool.query<{ member_id: number }>(
      'select member_id from handoffs order by created_at desc limit 1',
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

  test('records its last use once a minute, not with every request', async () => {
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
    await setSession("last_used_at = now() - interval '2 minutes'")
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
