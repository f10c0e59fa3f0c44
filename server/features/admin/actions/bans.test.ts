import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonBan } from '#contract/admin.ts'
import { PERMANENT_EXPIRY } from '#contract/limits.ts'
import { syncAllVotes } from '#server/features/ratings/summary.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { completeSignIn, createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

let site: SignInSite
let portal: Portal
let admin: Portal['admin']
let person: Person
beforeAll(async () => {
  site = await createSignInSite()
  portal = await createPortal({}, site)
  admin = portal.admin
})
afterAll(() => site.close())
beforeEach(async () => {
  person = await new Person(site, 'new').signIn()
})

async function act(payload: object, headers = admin): Promise<unknown[]> {
  const { status, body } = await portal.act(payload, headers)
  return [status, body.code ?? 'ok']
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

const hoursUntil = (end: unknown) => Math.round((new Date(String(end)).getTime() - Date.now()) / 3_600_000)

describe('a ban of a member', () => {
  test('ends sessions, hides scripts, stops counting votes and is audited', async () => {
    const { db } = portal
    const id = await makeMember(db, { username: 'Ada' })
    const headers = await signIn(db, id)
    const scriptId = await makeScript(db, { author_id: id, title: 'Hers' })
    const ratedId = await makeScript(db)
    await portal.send(`POST /api/script-rating?id=${ratedId}`, { rating: 5 }, headers)

    const { status, body } = await portal.act({ action: 'ban_user', user_id: id, reason: ' Spam ', duration: 24 })
    expect([status, body.message]).toEqual([200, 'User banned successfully'])
    expect(body.user).toMatchObject({ id, is_banned: true, ban_reason: 'Spam' })
    expect(hoursUntil(body.user.ban_expires_at)).toBe(24)
    expect((await portal.get('/api/user-profile', headers)).status).toBe(401)
    expect((await portal.get(`/api/script-details-slug?slug=hers-${scriptId}`, {})).status).toBe(404)
    const { body: list } = await portal.get<{ scripts: { id: number }[] }>('/api/scripts?limit=100', {})
    expect(list.scripts.map((script) => script.id)).not.toContain(scriptId)
    const rating = await portal.get<{ summary: { rating_count: number } }>(`/api/script-rating?id=${ratedId}`, {})
    expect(rating.body.summary.rating_count).toBe(0)
    expect(await portal.findAuditEntries(id)).toEqual([
      {
        actor_id: portal.adminId,
        action: 'ban_user',
        before: null,
        after: { reason: 'Spam', banned_until: body.user.ban_expires_at },
      },
    ])
    const stored = await db.selectFrom('sanctions').selectAll().where('member_id', '=', id).execute()
    expect(stored).toMatchObject([{ kind: 'ban', reason: 'Spam', imposed_by: portal.adminId, lifted_at: null }])
    expect(stored[0]?.ends_at.toISOString()).toBe(body.user.ban_expires_at)
  })

  test('without an end is permanent; lifting it restores everything and notifies the member', async () => {
    const { db } = portal
    const id = await makeMember(db)
    const ratedId = await makeScript(db)
    const scriptId = await makeScript(db, { author_id: id, title: 'Back' })
    await portal.send(`POST /api/script-rating?id=${ratedId}`, { rating: 4 }, await signIn(db, id))
    const banned = await portal.act({ action: 'ban_user', user_id: id, reason: 'Spam', duration: 'permanent' })
    expect(banned.body.user.ban_expires_at).toBe(PERMANENT_EXPIRY)

    const { status, body } = await portal.act({ action: 'unban_user', user_id: id })
    expect([status, body.message]).toEqual([200, 'User unbanned successfully'])
    expect(body.user).toMatchObject({ is_banned: false, ban_expires_at: null, ban_reason: null })
    const rating = await portal.get<{ summary: { rating_count: number } }>(`/api/script-rating?id=${ratedId}`, {})
    expect(rating.body.summary.rating_count).toBe(1)
    expect((await portal.get(`/api/script-details-slug?slug=back-${scriptId}`, {})).status).toBe(200)
    expect(await portal.findNotifications(id)).toMatchObject([{ type: 'success', title: 'Your ban was lifted' }])
    expect((await portal.findAuditEntries(id))[0]).toMatchObject({
      action: 'unban_user',
      before: { banned_until: 'permanent' },
    })
    const [sanction] = await db.selectFrom('sanctions').selectAll().where('member_id', '=', id).execute()
    expect(sanction).toMatchObject({ lifted_by: portal.adminId })
    expect(sanction?.lifted_at).toBeInstanceOf(Date)
  })

  test('invalidates the login token of a pending sign-in', async () => {
    const id = await makeMember(portal.db)
    await portal.db
      .insertInto('login_tokens')
      .values({ token_hash: Buffer.alloc(32, 1), browser_hash: Buffer.alloc(32, 2), member_id: id })
      .execute()
    await portal.act({ action: 'ban_user', user_id: id, reason: 'Spam', duration: 1 })
    expect(
      await portal.db.selectFrom('login_tokens').select('member_id').where('member_id', '=', id).execute(),
    ).toEqual([])
  })

  test('can follow an expired one', async () => {
    const id = await makeMember(portal.db, { banned_until: new Date('2020-01-01') })
    expect((await portal.act({ action: 'unban_user', user_id: id })).body.code).toBe('not_banned')
    expect((await portal.act({ action: 'ban_user', user_id: id, reason: 'Spam', duration: 0.5 })).status).toBe(200)
  })

  test('of two concurrent bans one succeeds and one gets an error', async () => {
    const other = await signIn(portal.db, await makeMember(portal.db, { is_admin: true }))
    for (let round = 0; round < 10; round++) {
      const id = await makeMember(portal.db)
      const action = { action: 'ban_user', user_id: id, reason: 'Spam', duration: 24 }
      const answers = await Promise.all([portal.act(action), portal.act(action, other)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await portal.findAuditEntries(id)).toHaveLength(1)
    }
  })
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
