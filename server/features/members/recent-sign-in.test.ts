import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function signInAgo(age: string) {
  const id = await makeMember(site.db)
  const headers = await signIn(site.db, id)
  await site.pool.query('update sessions set created_at = now() - $2::interval where member_id = $1', [id, age])
  return { id, username: await nameOf(id), headers }
}

const nameOf = async (id: number) =>
  (await site.db.selectFrom('members').select('username').where('id', '=', id).executeTakeFirstOrThrow()).username
const exists = async (id: number) =>
  (await site.db.selectFrom('members').select('id').where('id', '=', id).execute()).length === 1

const REQUIRED = {
  error: 'For your security, sign in with Discord again to continue.',
  code: 'reauthentication_required',
}

test('an account is deleted only after a recent sign-in', async () => {
  const before = await signInAgo('11 minutes')
  const erase = (member: typeof before) =>
    site.app.inject({
      method: 'DELETE',
      url: '/api/account',
      headers: member.headers,
      payload: { username: member.username },
    })
  const rejected = await erase(before)
  expect([rejected.statusCode, rejected.json()]).toEqual([403, REQUIRED])
  expect(await exists(before.id)).toBe(true)

  const recent = await signInAgo('9 minutes')
  expect((await erase(recent)).statusCode).toBe(200)
  expect(await exists(recent.id)).toBe(false)
})

test('data is exported only after a recent sign-in', async () => {
  const ask = async (age: string) =>
    site.app.inject({ url: '/api/account-data', headers: (await signInAgo(age)).headers })
  const rejected = await ask('11 minutes')
  expect([rejected.statusCode, rejected.json()]).toEqual([403, REQUIRED])
  expect((await ask('9 minutes')).statusCode).toBe(200)
})

test('everything else works throughout the session', async () => {
  const { headers } = await signInAgo('6 days')
  expect((await site.app.inject({ url: '/api/user-profile', headers })).statusCode).toBe(200)
  expect((await site.app.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(200)
})
