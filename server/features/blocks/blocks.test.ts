import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BlockedMember } from '#contract/blocks.ts'
import { MAX_BLOCKS } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

let member: number
let headers: SignedIn
let loud: number
let loudHeaders: SignedIn
beforeEach(async () => {
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
  loud = await makeMember(site.db, { display_name: 'Loud' })
  loudHeaders = await signIn(site.db, loud)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path: string, as: SignedIn, payload?: object) =>
  site.app.inject({ method, url: `/api/${path}`, headers: as, ...(payload ? { payload } : {}) })
const block = (id = loud, as = headers) => call('POST', 'blocks', as, { user_id: id })
const unblock = (id = loud, as = headers) => call('DELETE', `blocks?user_id=${id}`, as)
const list = async (as = headers) => (await call('GET', 'blocks', as)).json<{ members: BlockedMember[] }>().members
const inbox = async (as = headers) =>
  (await call('GET', 'user-notifications', as)).json<{ notifications: Notification[]; unread_count: number }>()
const messages = async (as = headers) => (await inbox(as)).notifications.map(({ message }) => message)
const rate = (script: number, as: SignedIn, review?: string) =>
  call('POST', `script-rating?id=${script}`, as, { rating: 1, ...(review ? { review } : {}) })
const EMPTY = { notifications: [], unread_count: 0 }

describe('blocking', () => {
  test('adds a member once to a private list, from which they can be removed', async () => {
    for (const _ of [1, 2]) expect((await block()).statusCode).toBe(200)
    expect(await list()).toMatchObject([{ user_id: loud, name: 'Loud' }])
    expect(await list(loudHeaders)).toEqual([])
    for (const _ of [1, 2]) expect((await unblock()).statusCode).toBe(200)
    expect(await list()).toEqual([])
  })

  test('oneself or an unknown member is rejected', async () => {
    expect((await block(member)).json()).toMatchObject({ code: 'own_block' })
    expect((await block(2_000_000)).json()).toMatchObject({ code: 'not_found' })
  })

  test('has a limit', async () => {
    await site.pool.query(
      `with made as (insert into members (discord_id, username, slug)
        select 700000000 + i, 'loud' || i, 'loud' || i from generate_series(1, $2::int) i returning id)
        insert into blocks (blocker_id, blocked_id) select $1, id from made`,
      [member, MAX_BLOCKS],
    )
    expect((await block()).json()).toMatchObject({ code: 'too_many_blocks' })
    expect(await list()).toHaveLength(MAX_BLOCKS)
  })

  test('ends following the member, who cannot be followed until they are unblocked', async () => {
    const follow = () => call('POST', 'follows', headers, { user_id: loud })
    await follow()
    await block()
    expect((await call('GET', `follows?user_id=${loud}`, headers)).json()).toEqual({
      is_following: false,
      follower_count: 0,
    })
    expect((await follow()).json()).toEqual({
      code: 'blocked_member',
      error: 'You blocked this member. Unblock them first.',
    })
    await unblock()
    expect((await follow()).statusCode).toBe(200)
  })

  test('is not undone by following at the same time', async () => {
    const calls = [block(), call('POST', 'follows', headers, { user_id: loud }), block()]
    await Promise.all(calls)
    const { rows } = await site.pool.query('select from follows where follower_id = $1', [member])
    expect(rows).toEqual([])
  })
})

describe('a blocked member', () => {
  test('cannot give points, and does not learn why', async () => {
    const give = () => call('POST', 'profile-reputation', loudHeaders, { target_user_id: member })
    await block()
    const rejected = await give()
    expect([rejected.statusCode, rejected.json()]).toEqual([
      403,
      { code: 'not_possible', error: "You can't give this member a point." },
    ])
    await unblock()
    expect((await give()).statusCode).toBe(200)
  })

  test('rates the blocker’s script without notifying them', async () => {
    const script = await makeScript(site.db, { author_id: member })
    await block()
    expect((await rate(script, loudHeaders, 'Loud words.')).statusCode).toBe(200)
    expect(await inbox()).toMatchObject(EMPTY)
    const other = await signIn(site.db)
    await rate(script, other, 'Quiet words.')
    expect(await messages()).toHaveLength(1)
  })

  test('cannot reply to the blocker’s review', async () => {
    const script = await makeScript(site.db, { author_id: loud })
    const { rating } = (await rate(script, headers, 'My words.')).json<{ rating: { id: number } }>()
    await block()
    const reply = () => call('PUT', 'rating-reply', loudHeaders, { rating_id: rating.id, reply: 'No.' })
    const rejected = await reply()
    expect([rejected.statusCode, rejected.json()]).toEqual([
      403,
      { code: 'not_possible', error: "You can't reply to this review." },
    ])
    await unblock()
    expect((await reply()).statusCode).toBe(200)
  })

  test('does not notify the blocker of versions of a script that they watch', async () => {
    const script = await publish(site, loudHeaders)
    await call('POST', 'watches', headers, { script_id: script })
    await block()
    await sendChange(site, loudHeaders, script, { version: '2.0.0' })
    expect(await inbox()).toMatchObject(EMPTY)
    await unblock()
    expect((await inbox()).unread_count).toBe(1)
  })

  test('still notifies others, and hears from the blocker as before', async () => {
    const script = await makeScript(site.db, { author_id: loud })
    await block()
    await rate(script, headers, 'Still here.')
    expect(await messages(loudHeaders)).toHaveLength(1)
  })
})
