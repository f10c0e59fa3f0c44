import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CurrentUser } from '#contract/accounts.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import { demoStaff } from '#demo/members/staff.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { createSignInSite, signInAs, type SignInSite } from '#tests/support/sign-in.ts'

const person = demoStaff.find(({ isAdmin, isModerator }) => !isAdmin && !isModerator)
if (!person) throw new Error('Fake Discord has no plain member')
const { discordId, username } = person

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

async function signInAgain() {
  const headers = { authorization: `Bearer ${await signInAs(site.app, discordId)}` }
  const user = (await site.app.inject({ url: '/api/user-profile', headers })).json<CurrentUser>()
  return { headers, user }
}

test('a renamed member keeps the slug, and their scripts are found by the new name', async () => {
  const author_id = await makeMember(site.db, { discord_id: discordId, username: 'formerly', slug: 'formerly' })
  const script = await makeScript(site.db, { author_id, authorName: 'formerly' })
  const { user } = await signInAgain()
  expect(user).toMatchObject({ id: author_id, username, slug: 'formerly' })
  const found = async (search: string) =>
    (await site.app.inject({ url: '/api/scripts', query: { search } })).json<ScriptList>().scripts.map(({ id }) => id)
  expect(await found(username)).toEqual([script])
  expect(await found('formerly')).toEqual([])
})

test('never reuses the slug of a deleted account, not even for the same person', async () => {
  await site.db.deleteFrom('members').execute()
  const first = await signInAgain()
  const erase = { method: 'DELETE' as const, url: '/api/account', payload: { username } }
  expect((await site.app.inject({ ...erase, headers: first.headers })).statusCode).toBe(200)
  const second = await signInAgain()
  expect([second.user.username, second.user.slug]).toEqual([username, `${first.user.slug}-2`])
  expect((await site.app.inject(`/api/user-profiles?user_id=${first.user.id}`)).statusCode).toBe(404)
})
