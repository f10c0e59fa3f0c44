import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember } from '#tests/support/factories.ts'
import { requestProfile, readProfile } from '#tests/support/profiles.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const foundBy = async (name: number | string) => (await readProfile(site, name)).user_id

describe('finds a member', () => {
  test('by id, by slug and by username, ignoring case', async () => {
    const id = await makeMember(site.db, { username: 'Ünder.Score_', slug: 'ünderscore_' })
    for (const name of [id, `00${id}`, 'ünderscore_', 'Ünder.Score_', 'ünder.score_', 'ÜNDER.SCORE_']) {
      expect(await foundBy(name), String(name)).toBe(id)
    }
  })

  test('by a username with a combining accent', async () => {
    const id = await makeMember(site.db, { username: 'zoë', slug: 'zoë-2' })
    expect(await foundBy('zoe\u0308')).toBe(id)
  })

  test('by digits as the id, even if they are also a username', async () => {
    const [id, other] = [await makeMember(site.db), await makeMember(site.db)]
    await site.db
      .updateTable('members')
      .set({ username: String(id), slug: `u-${id}` })
      .where('id', '=', other)
      .execute()
    expect(await foundBy(id)).toBe(id)
    expect(await foundBy(`u-${id}`)).toBe(other)
  })

  test('by slug before username, in any case', async () => {
    const bySlug = await makeMember(site.db, { username: 'first', slug: 'shared' })
    const byName = await makeMember(site.db, { username: 'shared', slug: 'shared-2' })
    for (const name of ['shared', 'Shared', 'SHARED']) expect(await foundBy(name), name).toBe(bySlug)
    expect(await foundBy('shared-2')).toBe(byName)
  })

  test('by a slug in another case', async () => {
    const id = await makeMember(site.db, { username: 'noor.codes', slug: 'noorcodes' })
    expect(await foundBy('NoorCodes')).toBe(id)
  })

  test('by a username, the newest of several', async () => {
    await makeMember(site.db, { username: 'given_up', slug: 'given_up-old' })
    const newest = await makeMember(site.db, { username: 'given_up', slug: 'given_up-new' })
    expect(await foundBy('given_up')).toBe(newest)
  })
})

test.each([
  '0',
  '-1',
  '1e3',
  '2147483648',
  '99999999999999999999',
  'nobody',
  '%',
  "' or 1=1 --",
  '🦊',
  '\u202Eabc',
  '١',
])('finds nobody by %j', async (name) => {
  const answer = await requestProfile(site, name)
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toEqual({ error: 'This member was not found.', code: 'not_found' })
})

test.each(['', '?user_id=', '?user_id=a&user_id=b', `?user_id=${'a'.repeat(101)}`, '?user_id=a%00b'])(
  'the address with %j is rejected and names the parameter',
  async (query) => {
    const answer = await site.app.inject(`/api/user-profiles${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual(['user_id'])
  },
)
