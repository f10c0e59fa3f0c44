import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOTIFICATION_KINDS } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { type Event, notify, sendToMember } from './notify.ts'

let site: TestApp
let member: number
let headers: { authorization: string }
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
})

const send = (event: Partial<Event> = {}) =>
  site.db.transaction().execute((trx) =>
    notify(trx, {
      memberId: member,
      kind: 'reviews',
      type: 'info',
      title: 'New rating',
      message: 'rated your script “Spring”.',
      link: '/scripts/spring-1',
      ...event,
    }),
  )
const inbox = async () =>
  (await site.app.inject({ url: '/api/user-notifications', headers })).json<{
    notifications: Notification[]
    unread_count: number
  }>()
const messages = async () => (await inbox()).notifications.map(({ message }) => message)
const readAll = () =>
  site.app.inject({ method: 'POST', url: '/api/user-notifications', headers, payload: { action: 'mark_read' } })
const passDays = (days: number) =>
  sql`update notifications set moved_at = moved_at - ${days} * interval '1 day'`.execute(site.db)
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => makeMember(site.db, { display_name: `Person ${i + 1}` })))

test('delivers an event unread with its text and link', async () => {
  await send({ message: 'Your script “Spring” was featured.', kind: 'script_status', type: 'success' })
  expect(await inbox()).toEqual({
    notifications: [
      {
        id: expect.any(Number),
        type: 'success',
        title: 'New rating',
        message: 'Your script “Spring” was featured.',
        link: '/scripts/spring-1',
        subscription: null,
        is_read: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ],
    unread_count: 1,
    pagination: { next_cursor: null },
  })
})

test('does not notify if the transaction is rolled back', async () => {
  const transaction = site.db.transaction().execute(async (trx) => {
    await notify(trx, { memberId: member, kind: 'admin', type: 'info', title: 'A', message: 'B', link: null })
    throw new Error('no')
  })
  await expect(transaction).rejects.toThrow('no')
  expect((await inbox()).unread_count).toBe(0)
})

test('does not notify members of their own actions', async () => {
  await send({ actorId: member })
  expect(await messages()).toEqual([])
})

describe('a group', () => {
  const rate = (actorId: number, groupKey = 'rating:1') => send({ actorId, groupKey })

  test('is one row that names the latest actor and counts the others', async () => {
    const actors = await people(10)
    const seen: string[] = []
    for (const actor of actors) {
      await rate(actor)
      seen.push(...(await messages()))
    }
    expect(seen[0]).toBe('Person 1 rated your script “Spring”.')
    expect(seen[1]).toBe('Person 2 and 1 other rated your script “Spring”.')
    expect(seen[9]).toBe('Person 10 and 9 others rated your script “Spring”.')
    expect((await inbox()).unread_count).toBe(1)
  })

  test('counts every actor once in concurrent events', async () => {
    const actors = await people(20)
    await Promise.all([...actors, ...actors].map((actor) => rate(actor)))
    expect(await messages()).toEqual([expect.stringMatching(/^Person \d+ and 19 others rated/)])
    expect((await inbox()).unread_count).toBe(1)
  })

  test('moves to the top and becomes unread again', async () => {
    const [one = 0, other = 0] = await people(2)
    await rate(one)
    await passDays(0.1)
    await send({ message: 'Something else.' })
    await readAll()
    await rate(other)
    const { notifications, unread_count } = await inbox()
    expect(notifications.map(({ message, is_read }) => [message, is_read])).toEqual([
      ['Person 2 and 1 other rated your script “Spring”.', false],
      ['Something else.', true],
    ])
    expect(unread_count).toBe(1)
  })

  test('does not change for the same actor within a day', async () => {
    const [one = 0] = await people(1)
    await rate(one)
    await readAll()
    await rate(one)
    expect((await inbox()).unread_count).toBe(0)
  })

  test('starts a new count a day after it was read', async () => {
    const [one = 0, other = 0] = await people(2)
    await rate(one)
    await readAll()
    await passDays(1.1)
    await rate(other)
    expect(await messages()).toEqual(['Person 2 rated your script “Spring”.'])
    expect((await inbox()).unread_count).toBe(1)
  })

  test('of another subject is another row', async () => {
    const [one = 0] = await people(1)
    await rate(one)
    await rate(one, 'rating:2')
    expect(await messages()).toHaveLength(2)
  })

  test('does not name banned or deleted members', async () => {
    const [one = 0] = await people(1)
    await rate(one)
    await sql`update members set banned_until = 'infinity' where id = ${one}`.execute(site.db)
    expect(await messages()).toEqual(['A member rated your script “Spring”.'])
    await sql`delete from members where id = ${one}`.execute(site.db)
    expect(await messages()).toEqual(['Deleted member rated your script “Spring”.'])
  })
})

describe('preferences', () => {
  const url = '/api/notification-settings'
  const all = (isOn: boolean) => Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, isOn]))
  const choose = (payload: object) => site.app.inject({ method: 'PUT', url, headers, payload })

  test('are all on by default; omitted ones keep their setting', async () => {
    expect((await site.app.inject({ url, headers })).json()).toEqual(all(true))
    expect((await choose({ reviews: false })).json()).toEqual({ ...all(true), reviews: false })
    expect((await choose({ replies: false, reviews: true })).json()).toEqual({ ...all(true), replies: false })
    expect((await site.app.inject({ url, headers })).json()).toEqual({ ...all(true), replies: false })
  })

  test.each(NOTIFICATION_KINDS)('turn off %s and nothing else', async (kind) => {
    await choose({ [kind]: false })
    for (const each of NOTIFICATION_KINDS) await send({ kind: each, message: each })
    expect((await messages()).toSorted()).toEqual(NOTIFICATION_KINDS.filter((each) => each !== kind).toSorted())
  })

  test('do not affect sanctions and messages of admins', async () => {
    await choose(all(false))
    await send({ kind: 'sanctions', message: 'Your ban was lifted.' })
    const hello = { type: 'warning', title: 'Hello', message: 'Please read.', sentBy: 1 } as const
    await site.db.transaction().execute((trx) => sendToMember(trx, member, hello))
    expect(await messages()).toEqual(['Please read.', 'Your ban was lifted.'])
  })

  test.each([{ reviews: 'no' }, { sanctions: false }, { reviews: null }, [], 'x'])('reject %j', async (payload) => {
    const answer = await site.app.inject({
      method: 'PUT',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    })
    expect(answer.statusCode).toBe(400)
    expect((await site.app.inject({ url, headers })).json()).toEqual(all(true))
  })

  test('require a session', async () => {
    expect((await site.app.inject(url)).statusCode).toBe(401)
    expect((await site.app.inject({ method: 'PUT', url, payload: {} })).statusCode).toBe(401)
  })
})
