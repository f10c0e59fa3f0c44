import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testAccounts } from '#server/fake-discord/test-accounts.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { createSignInSite, signInAs, type SignInSite } from '#tests/support/sign-in.ts'
import { deleteExpired } from './sign-in.ts'

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

type Headers = Awaited<ReturnType<typeof signIn>>
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  site.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })

const personOf = (key: string) => testAccounts.find(({ email }) => email === `${key}@example.com`)?.id ?? key
const signInAgain = async (key: string): Promise<Headers> => ({
  authorization: `Bearer ${await signInAs(site.app, personOf(key))}`,
})
const whoIs = async (headers: Headers) =>
  (await ask('GET', '/api/user-profile', headers)).json<{ id: number; username: string; discord_id: string }>()

async function erase(headers: Headers): Promise<void> {
  const { username } = await whoIs(headers)
  expect((await ask('DELETE', '/api/account', headers, { username })).statusCode).toBe(200)
}

async function mute(id: number, duration: number | 'permanent'): Promise<Headers> {
  const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  const body = { action: 'mute_user', user_id: id, reason: 'Shouting', duration }
  expect((await ask('POST', '/api/admin-keys', admin, body)).statusCode).toBe(200)
  return admin
}

const write = (headers: Headers, id: number) => ask('PUT', '/api/user-profiles', headers, { user_id: id, bio: 'Here.' })

/** Mutes a member, who then deletes the account and signs in again. Returns the admin and the new account. */
async function comeBackMuted(person: string, duration: number | 'permanent') {
  const first = await signInAgain(person)
  const { id } = await whoIs(first)
  const admin = await mute(id, duration)
  const { rows } = await sql<{ end: string }>`select muted_until::text as end from members where id = ${id}`.execute(
    site.db,
  )
  await erase(first)
  const headers = await signInAgain(person)
  const again = await whoIs(headers)
  expect(again.id).not.toBe(id)
  return { admin, headers, id: again.id, discordId: again.discord_id, end: rows[0]?.end }
}

const standing = async (id: number) =>
  (await sql<{ end: string | null }>`select muted_until::text as end from members where id = ${id}`.execute(site.db))
    .rows[0]?.end

describe('a mute', () => {
  test.each([
    ['with an end', 'admin', 24],
    ['without one', 'moderator', 'permanent'],
  ] as const)('%s outlives the account of the muted member', async (_name, person, duration) => {
    const { headers, id, end } = await comeBackMuted(person, duration)
    expect(await standing(id)).toBe(end)
    const answer = await write(headers, id)
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'muted'])
  })

  test('that outlived one account also outlives the next', async () => {
    const { headers, end } = await comeBackMuted('ada', 6)
    await erase(headers)
    const { id } = await whoIs(await signInAgain('ada'))
    expect(await standing(id)).toBe(end)
  })

  test('that outlived an account is listed among the sanctions and can be lifted', async () => {
    const { admin, headers, id } = await comeBackMuted('lin', 6)
    const file = (await ask('GET', `/api/admin-user?user_id=${id}`, admin)).json<{ sanctions: object[] }>()
    expect(file.sanctions).toMatchObject([{ kind: 'mute', is_active: true, imposed_by: null }])
    expect((await ask('POST', '/api/admin-keys', admin, { action: 'unmute_user', user_id: id })).statusCode).toBe(200)
    expect((await write(headers, id)).statusCode).toBe(200)
    await erase(headers)
    expect(await standing((await whoIs(await signInAgain('lin'))).id)).toBeNull()
  })

  test('that has expired is not restored, and its row is deleted', async () => {
    const first = await signInAgain('new')
    const { id } = await whoIs(first)
    await mute(id, 1)
    await erase(first)
    await sql`update kept_mutes set muted_until = now() - interval '1 second'`.execute(site.db)
    await deleteExpired(site.db)
    expect((await sql`select from kept_mutes`.execute(site.db)).rows).toEqual([])
  })
})

test('is not stored for a member who is not muted', async () => {
  await erase(await signInAgain('new'))
  expect((await sql`select from kept_mutes`.execute(site.db)).rows).toEqual([])
})
