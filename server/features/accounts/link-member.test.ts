import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'
import { linkImportedMember } from './link-member.ts'
import { loadPersonKey, type PersonKey } from './person-key.ts'

let site: SignInSite
let key: PersonKey
beforeAll(async () => {
  site = await createSignInSite()
  key = await loadPersonKey(site.db, site.config)
})
afterAll(() => site.close())

const link = (member: number | string, discordId: string) =>
  linkImportedMember(site.db, key, { member: String(member), discordId })
const makeImported = () => makeMember(site.db, { discord_id: null })

test('the owner of a linked Discord account signs in as the imported member, and keeps it after deletions', async () => {
  const member = await makeImported()
  const script = await makeScript(site.db, { author_id: member })
  const ada = new Person(site, 'ada')
  await link(member, ada.discordId)
  await ada.signIn()
  expect(ada.id).toBe(member)
  const { body } = await ada.ask(`PUT /api/script-details?id=${script}`, { title: 'Mine again' })
  expect(body).toMatchObject({ script: { title: 'Mine again' } })
  const rated = await makeScript(site.db)
  await ada.rate(rated, 5)
  await ada.returnWithNewAccount()
  expect(ada.id).not.toBe(member)
  const { rows } = await sql`select member_id from ratings where script_id = ${rated}`.execute(site.db)
  expect(rows).toEqual([{ member_id: ada.id }])
})

test('an imported member is shown to visitors and admins without a Discord account', async () => {
  const member = await makeImported()
  await makeScript(site.db, { author_id: member, title: 'By an imported member' })
  const profile = await site.app.inject(`/api/user-profiles?user_id=${member}`)
  expect(profile.json()).toMatchObject({ profile: { discord_id: null, avatar_url: '' } })
  const list = await site.app.inject(`/api/scripts?author=${member}`)
  expect(list.json()).toMatchObject({ scripts: [{ discord_id: null, author_avatar: '' }] })
  const admin = await new Person(site, 'admin').signIn()
  await sql`update members set is_admin = true where id = ${admin.id}`.execute(site.db)
  const { status, body } = await admin.ask(`GET /api/admin-user?user_id=${member}`)
  expect([status, body]).toMatchObject([200, { user: { id: member, discord_id: '' } }])
})

describe('an admin in the portal', () => {
  const makeAdmin = async () => {
    const admin = await new Person(site, 'admin').signIn()
    await sql`update members set is_admin = true where id = ${admin.id}`.execute(site.db)
    return admin
  }
  const linkBy = async (admin: Person, user_id: number, discord_id: string) => {
    const { status, body } = await admin.ask('POST /api/admin-keys', { action: 'link_member', user_id, discord_id })
    return [status, (body as { code?: string }).code]
  }

  test('links an imported member, whose audit entry does not name the Discord account', async () => {
    const [admin, member] = [await makeAdmin(), await makeImported()]
    const owner = new Person(site, 'moderator')
    expect(await linkBy(admin, member, owner.discordId)).toEqual([200, undefined])
    await owner.signIn()
    expect(owner.id).toBe(member)
    const { rows } =
      await sql`select actor_id, action, subject_type, subject_id, member_id, before, after from audit_log
      where action = 'link_member' and subject_id = ${member}`.execute(site.db)
    expect(rows).toEqual([
      {
        actor_id: admin.id,
        action: 'link_member',
        subject_type: 'member',
        subject_id: member,
        member_id: member,
        before: null,
        after: null,
      },
    ])
    expect(await linkBy(admin, member, '987654')).toEqual([409, 'already_linked'])
  })

  test('is held to the rules of the command', async () => {
    const [admin, member] = [await makeAdmin(), await makeImported()]
    const lin = await new Person(site, 'lin').signIn()
    expect(await linkBy(admin, member, lin.discordId)).toEqual([409, 'discord_account_taken'])
    await lin.rate(await makeScript(site.db), 1)
    expect(await lin.eraseAccount()).toBe(200)
    expect(await linkBy(admin, member, lin.discordId)).toEqual([409, 'discord_account_known'])
    expect(await linkBy(admin, member, '012')).toEqual([400, 'invalid'])
    expect(await linkBy(admin, 2_000_000, '123')).toEqual([404, 'user_not_found'])
    const moderator = await new Person(site, 'new').signIn()
    await sql`update members set is_moderator = true where id = ${moderator.id}`.execute(site.db)
    expect(await linkBy(moderator, member, '123')).toEqual([403, 'forbidden'])
    const { rows } = await sql`select discord_id from members where id = ${member}`.execute(site.db)
    expect(rows).toEqual([{ discord_id: null }])
  })

  test('links a Discord account to one of two members at the same time, also by two admins', async () => {
    const admins = [await makeAdmin(), await new Person(site, 'new').signIn()]
    await sql`update members set is_admin = true where id = ${admins[1]?.id}`.execute(site.db)
    for (let i = 10; i < 60; i++) {
      const links = admins.map(async (admin) => ({ admin, member: await makeImported() }))
      const pairs = await Promise.all(links)
      const results = await Promise.all(pairs.map(({ admin, member }) => linkBy(admin, member, `7700${i}`)))
      expect(results.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
        [200, undefined],
        [409, 'discord_account_taken'],
      ])
    }
  })
})

test.each([
  ['text', 'abc'],
  ['nothing', ''],
  ['a leading zero', '012'],
])('%s is no Discord ID', async (_name, id) => {
  await expect(link(await makeImported(), id)).rejects.toThrow(/digits only/)
})

test('members with a Discord account and unknown members are not linked', async () => {
  await expect(link(await makeMember(site.db), '555')).rejects.toThrow(/has a Discord account already/)
  await expect(link('nobody', '555')).rejects.toThrow(/no member nobody/)
})

test('a Discord account that has or had an account here is not linked, so that its bans stay', async () => {
  const lin = await new Person(site, 'lin').signIn()
  const member = await makeImported()
  await expect(link(member, lin.discordId)).rejects.toThrow(/already belongs to/)
  await lin.rate(await makeScript(site.db), 1)
  expect(await lin.eraseAccount()).toBe(200)
  await expect(link(member, lin.discordId)).rejects.toThrow(/had an account here/)
})
