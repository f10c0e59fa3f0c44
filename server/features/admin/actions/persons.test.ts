import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonBan } from '#contract/admin.ts'
import { syncAllVotes } from '#server/features/ratings/summary.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { completeSignIn, createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

let site: SignInSite
let admin: { authorization: string }
let person: Person
beforeAll(async () => {
  site = await createSignInSite()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())
beforeEach(async () => {
  person = await new Person(site, 'new').signIn()
})

async function act(payload: object, headers = admin): Promise<unknown[]> {
  const response = await site.app.inject({ method: 'POST', url: '/api/admin-keys', headers, payload })
  const { code = 'ok' } = response.json<{ code?: string }>()
  return [response.statusCode, code]
}

const ban = (identity: object) => act({ action: 'ban_user', ...identity, reason: 'Spam', duration: 'permanent' })
const unban = (identity: object) => act({ action: 'unban_user', ...identity })
const countVotes = async (script: number) =>
  (await site.pool.query('select rating_count from script_stats where script_id = $1', [script])).rows[0]?.rating_count

async function leave(): Promise<{ user_id: number; script: number }> {
  const script = await makeScript(site.db)
  await person.rate(script, 5)
  const user_id = person.id
  expect(await person.eraseAccount()).toBe(200)
  return { user_id, script }
}

const isRejected = expect.stringContaining('/?login_error=banned')
const tryToSignIn = () =>
  completeSignIn(site.app, person.discordId).then(
    () => 'signed in',
    (error: Error) => error.message,
  )

test('a Discord id may be a number, of which no digit is lost', async () => {
  const id = '80351110224678913'
  const send = (action: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/admin-keys',
      headers: { ...admin, 'content-type': 'application/json' },
      payload: `{"action":"${action}","discord_id":${id},"reason":"Spam","duration":"permanent"}`,
    })
  expect((await send('ban_user')).statusCode).toBe(200)
  expect(await unban({ discord_id: id })).toEqual([200, 'ok'])
})

describe('a person who deleted the account', () => {
  test('can be banned by the id of the account, and is rejected until the ban is lifted', async () => {
    const { user_id, script } = await leave()
    expect(await countVotes(script)).toBe(1)
    expect(await ban({ user_id })).toEqual([200, 'ok'])
    expect(await ban({ user_id })).toEqual([409, 'already_banned'])
    expect(await countVotes(script)).toBe(0)
    expect(await tryToSignIn()).toEqual(isRejected)

    // The rejected sign-in has left a banned account.
    expect(await unban({ user_id })).toEqual([200, 'ok'])
    await person.signIn()
    expect(await countVotes(script)).toBe(1)
  })

  test('can be banned by an earlier id, too', async () => {
    const first = await leave()
    await person.signIn()
    await leave()
    expect(await ban({ user_id: first.user_id })).toEqual([200, 'ok'])
    expect(await tryToSignIn()).toEqual(isRejected)
  })

  test('can be unbanned before returning', async () => {
    const { user_id, script } = await leave()
    expect(await unban({ user_id })).toEqual([409, 'not_banned'])
    await ban({ user_id })
    expect(await unban({ user_id })).toEqual([200, 'ok'])
    expect(await countVotes(script)).toBe(1)
    expect(await tryToSignIn()).toBe('signed in')
  })

  test('has a counted vote again soon after the ban ends', async () => {
    const { user_id, script } = await leave()
    await ban({ user_id })
    await site.pool.query(`update sanctions set ends_at = now() where kind = 'ban'`)
    await syncAllVotes(site.db)
    expect(await countVotes(script)).toBe(1)
  })

  test('appears in the audit log without a name', async () => {
    const { user_id } = await leave()
    await ban({ user_id })
    const response = await site.app.inject({ url: `/api/audit-log?member_id=${user_id}`, headers: admin })
    expect(response.json()).toMatchObject({
      rows: [{ action: 'ban_user', subject_type: 'person', subject_name: 'Person without an account' }],
    })
  })
})

describe('the bans of persons without an account', () => {
  const list = async () => {
    const response = await site.app.inject({ url: '/api/person-bans', headers: admin })
    return response.json<{ bans: PersonBan[] }>().bans
  }

  test('are listed with the deleted accounts, and can be lifted from the list', async () => {
    const { user_id, script } = await leave()
    await ban({ user_id })
    const [newest] = await list()
    expect(newest).toMatchObject({ user_ids: [user_id], reason: 'Spam', ends_at: null })
    expect(await unban({ person_id: newest?.person_id })).toEqual([200, 'ok'])
    expect(await unban({ person_id: newest?.person_id })).toEqual([409, 'not_banned'])
    expect(await countVotes(script)).toBe(1)
    expect((await list()).map(({ person_id }) => person_id)).not.toContain(newest?.person_id)
    expect(await tryToSignIn()).toBe('signed in')
  })

  test('include persons who never had an account, and end with the ban or the return', async () => {
    await ban({ discord_id: '77001' })
    expect((await list())[0]).toMatchObject({ user_ids: [] })
    await site.pool.query(`update sanctions set ends_at = now() where kind = 'ban'`)
    expect(await list()).toEqual([])

    const { user_id } = await leave()
    await ban({ user_id })
    expect(await list()).toHaveLength(1)
    expect(await tryToSignIn()).toEqual(isRejected)
    // The rejected sign-in has left a banned account, which the list of members shows.
    expect(await list()).toEqual([])
  })

  test('cannot be lifted under the id of a person with an account', async () => {
    const { rows } = await site.pool.query('select id from persons where member_id = $1', [person.id])
    await ban({ user_id: person.id })
    expect(await unban({ person_id: rows[0].id })).toEqual([404, 'user_not_found'])
    expect(await unban({ person_id: 2_000_000_000 })).toEqual([404, 'user_not_found'])
    expect(await unban({ person_id: rows[0].id, user_id: person.id })).toEqual([400, 'invalid'])
  })
})

describe('a ban by Discord ID', () => {
  test('reaches the account of a member', async () => {
    expect(await ban({ discord_id: person.discordId })).toEqual([200, 'ok'])
    expect((await person.ask('GET /api/user-profile')).status).toBe(401)
    expect(await tryToSignIn()).toEqual(isRejected)
  })

  test('rejects a person who has never signed in', async () => {
    const stranger = await new Person(site, 'new').signIn()
    await stranger.eraseAccount()
    await site.pool.query('delete from persons where member_id is null')
    person = stranger
    expect(await ban({ discord_id: stranger.discordId })).toEqual([200, 'ok'])
    expect(await tryToSignIn()).toEqual(isRejected)
  })

  test.each([
    ['neither id', {}],
    ['both ids', { user_id: 1, discord_id: '1' }],
    ['a name', { discord_id: 'ada' }],
  ])('needs one id: %s is invalid', async (_name, identity) => {
    expect(await ban(identity)).toEqual([400, 'invalid'])
  })

  test('is for admins only', async () => {
    const moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
    const payload = { action: 'ban_user', discord_id: '77', reason: 'Spam', duration: 1 }
    expect(await act(payload, moderator)).toEqual([403, 'forbidden'])
  })
})

test('an account that is deleted while it is banned leaves a banned person', async () => {
  for (let round = 0; round < 10; round++) {
    const script = await makeScript(site.db)
    await person.rate(script, 5)
    const [banned, erased] = await Promise.all([ban({ user_id: person.id }), person.eraseAccount()])
    expect([banned, erased]).toEqual([[200, 'ok'], expect.toBeOneOf([200, 401])])
    expect(await tryToSignIn()).toEqual(isRejected)
    expect(await countVotes(script)).toBe(0)
    person = await new Person(site, 'new').signIn()
  }
})

describe('a person without an account', () => {
  const age = (interval: string) =>
    site.pool.query(`update persons set retained_since = now() - $1::interval where member_id is null`, [interval])
  const findVotes = async (script: number) =>
    (await site.pool.query('select person_id is null as is_anonymous from ratings where script_id = $1', [script])).rows

  test('is erased after 24 months, and their votes stay without a person', async () => {
    const { script } = await leave()
    await age('23 months')
    await deleteDueData(site.db)
    expect(await findVotes(script)).toEqual([{ is_anonymous: false }])
    await age('25 months')
    await deleteDueData(site.db)
    expect(await findVotes(script)).toEqual([{ is_anonymous: true }])
    expect(await countVotes(script)).toBe(1)
  })

  test('is not erased during a ban', async () => {
    const { user_id, script } = await leave()
    await ban({ user_id })
    await age('25 months')
    await deleteDueData(site.db)
    expect(await findVotes(script)).toEqual([{ is_anonymous: false }])
    expect(await tryToSignIn()).toEqual(isRejected)
  })

  test('is not stored without records', async () => {
    await person.eraseAccount()
    const rows = await site.pool.query('select from persons where $1 = any(former_member_ids)', [person.id])
    expect(rows.rowCount).toBe(0)
  })
})
