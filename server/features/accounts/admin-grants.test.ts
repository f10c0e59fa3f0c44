import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { testAccounts } from '#server/operations/fake-discord/test-accounts.ts'
import { createAppOn } from '#tests/support/app.ts'
import { createDatabaseBefore } from '#tests/support/database.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { createSignInSite, requestOwnProfile, signInAs, type SignInSite } from '#tests/support/sign-in.ts'

const [ADMIN = '', LATER = ''] = testAccounts.map(({ id }) => id)

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite({ adminDiscordIds: [ADMIN, LATER] })
})
afterAll(() => site.close())

interface Profile {
  id: number
  is_admin: boolean
}

const enter = async (person: string) => {
  const token = await signInAs(site.app, person)
  return (await requestOwnProfile(site.app, token)).json<Profile>()
}
const auditEntries = async (memberId: number) =>
  (
    await site.pool.query<{ actor_id: number; action: string; before: unknown; after: unknown }>(
      'select actor_id, action, before, after from audit_log where member_id = $1 order by id',
      [memberId],
    )
  ).rows
const actAsAdmin = async (payload: object) => {
  const headers = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  return (await site.app.inject({ method: 'POST', url: '/api/admin-keys', headers, payload })).statusCode
}

test('a listed member becomes an admin once, with an audit entry', async () => {
  const { id, is_admin } = await enter(ADMIN)
  expect(is_admin).toBe(true)
  const granted = { actor_id: id, action: 'admin_by_setting', before: { is_admin: false }, after: { is_admin: true } }
  expect(await auditEntries(id)).toEqual([granted])

  expect(await actAsAdmin({ action: 'remove_admin', user_id: id })).toBe(200)
  expect(await enter(ADMIN)).toMatchObject({ id, is_admin: false })
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual(['admin_by_setting', 'remove_admin'])
})

test('a demoted admin does not get the role back with a new account', async () => {
  await site.pool.query('delete from members where discord_id = $1', [ADMIN])
  expect(await enter(ADMIN)).toMatchObject({ is_admin: false })
})

test('a banned member gets the role at the first sign-in after the ban', async () => {
  const id = await makeMember(site.db, { discord_id: LATER, banned_until: new Date(Date.now() + 3_600_000) })
  await expect(enter(LATER)).rejects.toThrow('login_error=banned')
  expect(await auditEntries(id)).toEqual([])
  await site.pool.query('update members set banned_until = null where id = $1', [id])
  expect(await enter(LATER)).toMatchObject({ id, is_admin: true })
})

test('an account that is removed from the setting and listed again becomes an admin again', async () => {
  const restart = async (adminDiscordIds: string[]) =>
    (await createAppOn(site.database, site.pool, { adminDiscordIds })).close()
  await restart([ADMIN, LATER])
  expect(await enter(ADMIN)).toMatchObject({ is_admin: false })
  await restart([LATER])
  expect(await enter(ADMIN)).toMatchObject({ is_admin: true })
})

test('a database from before grants remembers its admins and the demoted ones', async () => {
  const database = await createDatabaseBefore('0036-admin-grants.sql')
  const { pool } = database
  await pool.query(`
    insert into members (discord_id, username, slug, is_admin) values ('1', 'a', 'a', true), ('2', 'b', 'b', false), ('3', 'c', 'c', false);
    insert into audit_log (actor_id, action, subject_type, subject_id)
      select 1, 'remove_admin', 'member', id from members where username = 'b';
  `)
  await migrate(pool)
  const { rows } = await pool.query<{ discord_id: string }>('select discord_id from admin_grants order by 1')
  expect(rows.map(({ discord_id }) => discord_id)).toEqual(['1', '2'])
  await database.drop()
})
