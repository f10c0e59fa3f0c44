import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Problem } from '#contract/operation.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { changeProfile, sendProfile } from '#tests/support/profiles.ts'

let site: TestApp
let id: number
let headers: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  site = await createTestApp({ siteName: 'Yard' })
  id = await makeMember(site.db)
  headers = await signIn(site.db, id)
})
afterAll(() => site.close())

const rejected = async (display_name: string) => {
  const answer = await sendProfile(site, headers, { display_name })
  expect(answer.statusCode, answer.payload).toBe(400)
  return answer.json<Problem>().fields
}

test.each(['Moderator', 'Mоderatоr', 'Deleted member', 'Yard', 'Yard Team', 'ADM1N', 'M\u200Boderator'])(
  'a member cannot be called %j',
  async (name) => {
    expect(await rejected(name)).toEqual({
      display_name: "This name is reserved for the site's staff. Choose another name.",
    })
  },
)

test('a member cannot have a name that looks like that of a moderator or admin', async () => {
  await makeMember(site.db, { username: 'grace.h', display_name: 'Grace Hopper', is_moderator: true })
  for (const name of ['Grace Hopper', 'Grасe Норреr', 'GraceH', 'grace hopper!']) {
    expect(await rejected(name)).toEqual({
      display_name: "This name looks like a staff member's. Choose another name.",
    })
  }
  expect(await changeProfile(site, headers, { display_name: 'Grace' })).toMatchObject({ display_name: 'Grace' })
})

test('staff and members who have such a name already may keep it', async () => {
  const admin = await makeMember(site.db, { is_admin: true })
  await changeProfile(site, await signIn(site.db, admin), { display_name: 'Yard Team' })
  const member = await makeMember(site.db, { display_name: 'Moderator' })
  const changed = await changeProfile(site, await signIn(site.db, member), { display_name: 'Moderator', bio: 'Hi.' })
  expect(changed).toMatchObject({ display_name: 'Moderator', bio: 'Hi.' })
})
