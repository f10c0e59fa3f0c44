import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

let site: SignInSite
let admin: { authorization: string }
beforeAll(async () => {
  site = await createSignInSite()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true, username: 'First Admin' }))
})
afterAll(() => site.close())

async function act(payload: object): Promise<void> {
  const response = await site.app.inject({ method: 'POST', url: '/api/admin-keys', headers: admin, payload })
  expect(response.statusCode, response.payload).toBe(200)
}

const mute = (user_id: number, duration: number | 'permanent') =>
  act({ action: 'mute_user', user_id, reason: 'Shouting', duration })

async function findEnd(id: number): Promise<string | null | undefined> {
  const query = 'select muted_until::text as end from members where id = $1'
  return (await site.pool.query<{ end: string | null }>(query, [id])).rows[0]?.end
}

const write = (person: Person) => person.ask('PUT /api/user-profiles', { user_id: person.id, bio: 'Here.' })

describe('a mute', () => {
  test.each([
    ['with an end', 'admin', 24],
    ['without one', 'moderator', 'permanent'],
  ] as const)('%s outlives the account of the muted member', async (_name, key, duration) => {
    const person = await new Person(site, key).signIn()
    const { id } = person
    await mute(id, duration)
    const end = await findEnd(id)
    await person.returnWithNewAccount()
    expect(person.id).not.toBe(id)
    expect(await findEnd(person.id)).toBe(end)
    const { status, body } = await write(person)
    expect([status, body['code']]).toEqual([403, 'muted'])
  })

  test('outlives a second account, too', async () => {
    const person = await new Person(site, 'ada').signIn()
    await mute(person.id, 6)
    const end = await findEnd(person.id)
    await person.returnWithNewAccount()
    await person.returnWithNewAccount()
    expect(await findEnd(person.id)).toBe(end)
  })

  test('that outlived an account is listed among the sanctions and can be lifted', async () => {
    const person = await new Person(site, 'lin').signIn()
    await mute(person.id, 6)
    await person.returnWithNewAccount()
    const { id } = person
    const response = await site.app.inject({ url: `/api/admin-user?user_id=${id}`, headers: admin })
    expect(response.json()).toMatchObject({
      sanctions: [{ kind: 'mute', reason: 'Shouting', is_active: true, imposed_by: 'First Admin' }],
    })
    await act({ action: 'unmute_user', user_id: id })
    expect((await write(person)).status).toBe(200)
    await person.returnWithNewAccount()
    expect(await findEnd(person.id)).toBeNull()
  })

  test('that has expired does not return', async () => {
    const person = await new Person(site, 'new').signIn()
    await mute(person.id, 1)
    expect(await person.eraseAccount()).toBe(200)
    await site.pool.query(`update sanctions set ends_at = now() - interval '1 second'`)
    await person.signIn()
    expect((await write(person)).status).toBe(200)
  })

  test('stored by version 0.1 for a deleted account still applies', async () => {
    const person = await new Person(site, 'new').signIn()
    expect(await person.eraseAccount()).toBe(200)
    await site.pool.query('delete from persons where member_id is null')
    const formerHash = createHmac('sha256', site.config.secretKey).update(`kept mute\n${person.discordId}`).digest()
    await site.pool.query(
      `with person as (insert into persons (discord_hash) values ($1) returning id)
        insert into sanctions (person_id, kind, reason, ends_at) select id, 'mute', 'Muted.', 'infinity' from person`,
      [formerHash],
    )
    await person.signIn()
    expect(await findEnd(person.id)).toBe('infinity')
    await person.returnWithNewAccount()
    expect(await findEnd(person.id)).toBe('infinity')
  })
})
