import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FollowedAuthor } from '#contract/following.ts'
import { MAX_FOLLOWS } from '#contract/limits.ts'
import type { Profile } from '#contract/members.ts'
import type { Notification } from '#contract/notifications.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendRestore, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

let author: number
let authorHeaders: SignedIn
let reader: number
let headers: SignedIn
beforeEach(async () => {
  author = await makeMember(site.db, { display_name: 'Ada' })
  authorHeaders = await signIn(site.db, author)
  reader = await makeMember(site.db)
  headers = await signIn(site.db, reader)
})

type Method = 'GET' | 'POST' | 'DELETE'
const call = (method: Method, path: string, as = headers, payload?: object) =>
  site.app.inject({ method, url: `/api/${path}`, headers: as, ...(payload ? { payload } : {}) })
const follow = (id = author, as = headers) => call('POST', 'follows', as, { user_id: id })
const unfollow = (id = author, as = headers) => call('DELETE', `follows?user_id=${id}`, as)
const watch = (id: number, as = headers) => call('POST', 'watches', as, { script_id: id })
const unwatch = (id: number, as = headers) => call('DELETE', `watches?script_id=${id}`, as)
const inbox = async (as = headers) =>
  (await call('GET', 'user-notifications', as)).json<{ notifications: Notification[]; unread_count: number }>()
const messages = async (as = headers) => (await inbox(as)).notifications.map(({ message }) => message)
const act = (payload: object, as = headers) => call('POST', 'user-notifications', as, payload)
const profileOf = async (id: number) =>
  (await site.app.inject(`/api/user-profiles?user_id=${id}`)).json<{ profile: Profile }>().profile
const countRows = async (table: string) =>
  (await site.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0

describe('a follower', () => {
  test('counts once on the public profile, at once, and is removed once', async () => {
    expect((await profileOf(author)).follower_count).toBe(0)
    for (const _ of [1, 2]) expect((await follow()).json()).toEqual({ is_following: true, follower_count: 1 })
    expect((await profileOf(author)).follower_count).toBe(1)
    expect((await call('GET', `follows?user_id=${author}`)).json()).toEqual({ is_following: true, follower_count: 1 })
    for (const _ of [1, 2]) expect((await unfollow()).json()).toEqual({ is_following: false, follower_count: 0 })
    expect((await profileOf(author)).follower_count).toBe(0)
  })

  test('is not counted on a private profile', async () => {
    await follow()
    await site.db.updateTable('members').set({ is_private: true }).where('id', '=', author).execute()
    const { profile } = (await call('GET', `user-profiles?user_id=${author}`)).json<{ profile: Profile }>()
    expect(profile.follower_count).toBeNull()
  })

  test('cannot follow themselves, a banned or an unknown member', async () => {
    const banned = await makeMember(site.db, { banned_until: 'infinity' })
    const codes = await Promise.all(
      [reader, banned, 2_000_000].map(async (id) => (await follow(id)).json<{ code: string }>().code),
    )
    expect(codes).toEqual(['own_follow', 'not_found', 'not_found'])
  })

  test('sees whom they follow, and nobody else does', async () => {
    await follow()
    await makeScript(site.db, { author_id: author })
    const list = (await call('GET', 'followed-authors')).json<{ authors: FollowedAuthor[] }>()
    expect(list).toMatchObject({
      authors: [{ user_id: author, name: 'Ada', script_count: 1 }],
      pagination: { total: 1, pages: 1 },
    })
    expect((await call('GET', 'followed-authors', authorHeaders)).json<{ authors: [] }>().authors).toEqual([])
  })

  test('passes the limit in no way', async () => {
    await site.pool.query(
      `with made as (insert into members (discord_id, username, slug)
        select 900000000 + i, 'many' || i, 'many' || i from generate_series(1, $2::int) i returning id)
        insert into follows (follower_id, author_id) select $1, id from made`,
      [reader, MAX_FOLLOWS - 1],
    )
    const others = await Promise.all([1, 2, 3].map(() => makeMember(site.db)))
    const responses = await Promise.all(others.map((id) => follow(id)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(responses.find(({ statusCode }) => statusCode !== 200)?.json()).toEqual({
      code: 'too_many_follows',
      error: 'You follow 500 members, which is the limit.',
    })
  })
})

test('follower counts stay exact while members follow, unfollow and delete their accounts at once', async () => {
  const authors = await Promise.all([1, 2, 3].map(() => makeMember(site.db)))
  const people = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const username = `follower${i}`
      return { username, as: await signIn(site.db, await makeMember(site.db, { username, slug: username })) }
    }),
  )
  for (const { as } of people) for (const id of authors) await follow(id, as)
  const calls = people.flatMap(({ username, as }, i) =>
    i < 3
      ? [call('DELETE', 'account', as, { username })]
      : authors.toReversed().flatMap((id) => [unfollow(id, as), follow(id, as)]),
  )
  const statuses = await Promise.all(calls.map(async (response) => (await response).statusCode))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { rows } = await site.pool.query(`select c.member_id from follower_counts c
    where follower_count <> (select count(*) from follows f where f.author_id = c.member_id)`)
  expect(rows).toEqual([])
})

describe('publishing a script', () => {
  test('notifies followers, with a link and a way to unfollow, and nobody else', async () => {
    await follow()
    const id = await publish(site, authorHeaders, { title: 'Spring' })
    expect(await inbox()).toMatchObject({
      unread_count: 1,
      notifications: [
        {
          title: 'New script',
          message: 'Ada published “Spring”.\nWhat it does.',
          link: `/scripts/spring-${id}`,
          is_read: false,
          subscription: { kind: 'author', id: author, name: 'Ada' },
        },
      ],
    })
    for (const other of [authorHeaders, await signIn(site.db)]) {
      expect(await inbox(other)).toMatchObject({ notifications: [], unread_count: 0 })
    }
    await unfollow()
    expect(await inbox()).toMatchObject({ notifications: [], unread_count: 0 })
  })

  test('writes one row for two thousand followers, all of whom have it unread', async () => {
    await site.pool.query(
      `with made as (insert into members (discord_id, username, slug)
        select 800000000 + i, 'crowd' || i, 'crowd' || i from generate_series(1, 2000) i returning id)
        insert into follows (follower_id, author_id) select id, $1 from made`,
      [author],
    )
    const before = [await countRows('broadcasts'), await countRows('notifications')]
    await publish(site, authorHeaders)
    expect([await countRows('broadcasts'), await countRows('notifications')]).toEqual([(before[0] ?? 0) + 1, before[1]])
    expect((await profileOf(author)).follower_count).toBe(2000)
    const { rows } = await site.pool.query<{ id: number }>(
      `select id from members where username in ('crowd1', 'crowd1000', 'crowd2000')`,
    )
    for (const { id } of rows) expect((await inbox(await signIn(site.db, id))).unread_count).toBe(1)
    await site.pool.query(`delete from members where username like 'crowd%'`)
    expect((await profileOf(author)).follower_count).toBe(0)
  })

  test('without followers writes nothing', async () => {
    const before = await countRows('broadcasts')
    await publish(site, authorHeaders)
    expect(await countRows('broadcasts')).toBe(before)
  })

  test('privately notifies when the script becomes public, once', async () => {
    await follow()
    const id = await publish(site, authorHeaders, { is_public: false, summary: 'One spring.' })
    expect(await messages()).toEqual([])
    for (const is_public of [true, false, true]) await sendChange(site, authorHeaders, id, { is_public })
    expect(await messages()).toEqual(['Ada published “A script”.\nOne spring.'])
  })

  test('before the member followed does not notify them', async () => {
    await follow(author, await signIn(site.db))
    await publish(site, authorHeaders)
    await follow()
    expect(await messages()).toEqual([])
  })
})

describe('a new version', () => {
  test('notifies watchers, and later versions within the hour replace the notification', async () => {
    const id = await publish(site, authorHeaders, { title: 'Spring' })
    expect((await watch(id)).json()).toEqual({ is_watching: true })
    expect((await call('GET', `watches?script_id=${id}`)).json()).toEqual({ is_watching: true })
    await sendChange(site, authorHeaders, id, { description: 'Better words.' })
    expect(await messages()).toEqual([])
    await sendChange(site, authorHeaders, id, { script_content: 'return 2', version: '1.1.0' })
    expect(await messages()).toEqual(['Ada updated “Spring” to version 1.1.0.'])
    await act({ action: 'mark_read', mark_all_read: true })
    await sendChange(site, authorHeaders, id, { script_content: 'return 3', version: '1.2.0' })
    const { notifications, unread_count } = await inbox()
    expect(notifications).toMatchObject([
      { message: 'Ada updated “Spring” to version 1.2.0.', subscription: { kind: 'script', id, name: 'Spring' } },
    ])
    expect(unread_count).toBe(1)
    await sendRestore(site, authorHeaders, { script_id: id, number: 1 })
    expect(await messages()).toEqual(['Ada updated “Spring” to version 1.2.1.'])
    expect((await unwatch(id)).json()).toEqual({ is_watching: false })
    expect(await messages()).toEqual([])
  })

  test('of a script that only its author is interested in notifies nobody', async () => {
    const id = await publish(site, authorHeaders)
    expect((await watch(id, authorHeaders)).json()).toMatchObject({ code: 'own_script' })
    const hidden = await makeScript(site.db, { is_public: false })
    expect((await watch(hidden)).json()).toMatchObject({ code: 'script_not_found' })
  })

  test('and its script vanish from inboxes and lists when the script is private or its author is banned', async () => {
    const id = await publish(site, authorHeaders)
    await watch(id)
    await sendChange(site, authorHeaders, id, { version: '2.0.0' })
    const listed = async () => (await call('GET', 'watched-scripts')).json<{ scripts: object[] }>().scripts.length
    expect([await listed(), (await inbox()).unread_count]).toEqual([1, 1])
    await sendChange(site, authorHeaders, id, { is_public: false })
    expect([await listed(), await inbox()]).toMatchObject([0, { notifications: [], unread_count: 0 }])
    await sendChange(site, authorHeaders, id, { is_public: true })
    await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', author).execute()
    expect([await listed(), await inbox()]).toMatchObject([0, { notifications: [], unread_count: 0 }])
  })
})

describe('a notification about a script', () => {
  test('is marked as read and deleted by one member for that member only', async () => {
    const other = await signIn(site.db)
    await follow()
    await follow(author, other)
    await publish(site, authorHeaders)
    const [first] = (await inbox()).notifications
    expect((await act({ action: 'mark_read', notification_id: first?.id })).json()).toMatchObject({ unread_count: 0 })
    expect((await inbox()).notifications).toMatchObject([{ is_read: true }])
    expect((await call('DELETE', `user-notifications?notification_id=${first?.id}`)).statusCode).toBe(200)
    expect(await messages()).toEqual([])
    expect((await inbox(other)).unread_count).toBe(1)
    const stranger = await signIn(site.db)
    const rejected = await act({ action: 'mark_read', notification_id: first?.id }, stranger)
    expect(rejected.statusCode).toBe(404)
  })

  test('is cleared with the read ones, and goes after 30 days', async () => {
    await follow()
    await publish(site, authorHeaders)
    await act({ action: 'mark_read', mark_all_read: true })
    await call('DELETE', 'user-notifications')
    expect(await messages()).toEqual([])
    await publish(site, authorHeaders)
    expect((await inbox()).unread_count).toBe(1)
    await site.pool.query(`update broadcasts set created_at = created_at - interval '31 days'`)
    await deleteDueData(site.db)
    expect(await inbox()).toMatchObject({ notifications: [], unread_count: 0 })
  })

  test('is not shown to members who turned its kind off', async () => {
    const id = await publish(site, authorHeaders)
    await follow()
    await watch(id)
    await publish(site, authorHeaders)
    await sendChange(site, authorHeaders, id, { version: '2.0.0' })
    expect((await inbox()).unread_count).toBe(2)
    const set = (payload: object) =>
      site.app.inject({ method: 'PUT', url: '/api/notification-settings', headers, payload })
    await set({ new_scripts: false })
    expect(await messages()).toEqual(['Ada updated “A script” to version 2.0.0.'])
    await set({ new_versions: false })
    expect(await inbox()).toMatchObject({ notifications: [], unread_count: 0 })
  })

  test('keeps its order when authors publish at once, and none is missed by a read position', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => makeMember(site.db)))
    for (const id of others) await follow(id)
    const signedIn = await Promise.all(others.map((id) => signIn(site.db, id)))
    const publishing = signedIn.map((as) => publish(site, as))
    await Promise.all([...publishing, ...[1, 2, 3].map(() => act({ action: 'mark_read', mark_all_read: true }))])
    const { notifications, unread_count } = await inbox()
    expect(notifications).toHaveLength(6)
    expect(notifications.filter(({ is_read }) => !is_read)).toHaveLength(unread_count)
  })
})
