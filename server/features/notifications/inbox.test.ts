import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Notification, notificationOperations } from '#contract/notifications.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { notify, sendToAll } from './notify.ts'

const url = '/api/user-notifications'
interface Inbox {
  notifications: Notification[]
  unread_count: number
}

let site: TestApp
let admin: number
let member: number
let headers: { authorization: string }
beforeAll(async () => {
  site = await createTestApp()
  admin = await makeMember(site.db, { is_admin: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  await sql`delete from broadcasts`.execute(site.db)
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
})

const send = (memberId: number, message: string) =>
  site.db
    .transaction()
    .execute((trx) => notify(trx, { memberId, kind: 'admin', type: 'info', title: 'T', message, link: null }))
const broadcast = (message: string) =>
  site.db.transaction().execute((trx) => sendToAll(trx, { type: 'info', title: 'T', message, sentBy: admin }))
const list = async (as = headers) => (await site.app.inject({ url, headers: as })).json<Inbox>()
const shown = async (as = headers) =>
  (await list(as)).notifications.map(({ message, is_read }) => `${message}${is_read ? ' (read)' : ''}`)
const idOf = async (message: string) => (await list()).notifications.find((one) => one.message === message)?.id ?? 0
const mark = (body: object, as = headers) =>
  site.app.inject({ method: 'POST', url, headers: as, payload: { action: 'mark_read', ...body } })
const remove = (id?: number, as = headers) =>
  site.app.inject({ method: 'DELETE', url: id === undefined ? url : `${url}?notification_id=${id}`, headers: as })

test('returns the newest hundred and the unread count as the contract defines', async () => {
  for (let number = 1; number <= 103; number++) await send(member, `Number ${number}`)
  await broadcast('To all')
  const body = await list()
  expect(Value.Check(notificationOperations['GET /api/user-notifications'].response[200], body)).toBe(true)
  expect(body.notifications.map(({ message }) => message)).toEqual([
    'To all',
    ...Array.from({ length: 99 }, (_, i) => `Number ${103 - i}`),
  ])
  expect(body.unread_count).toBe(104)
})

test('marks one as read, then all; a second time changes nothing', async () => {
  for (const message of ['a', 'b', 'c']) await send(member, message)
  const id = await idOf('b')
  for (let time = 0; time < 2; time++)
    expect((await mark({ notification_id: id })).json()).toMatchObject({ unread_count: 2 })
  expect(await shown()).toEqual(['c', 'b (read)', 'a'])
  for (let time = 0; time < 2; time++) {
    const answer = await mark({ mark_all_read: true })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: expect.any(String), unread_count: 0 }])
  }
  expect(await shown()).toEqual(['c (read)', 'b (read)', 'a (read)'])
})

test('deletes one, then all read ones', async () => {
  for (const message of ['a', 'b', 'c']) await send(member, message)
  expect((await remove(await idOf('b'))).json()).toMatchObject({ unread_count: 2 })
  await mark({ notification_id: await idOf('a') })
  expect((await remove()).json()).toMatchObject({ unread_count: 1 })
  expect(await shown()).toEqual(['c'])
})

describe("another member's", () => {
  test('cannot be marked as read or deleted', async () => {
    const other = await makeMember(site.db)
    await send(other, 'Private')
    const others = await signIn(site.db, other)
    const id = (await list(others)).notifications[0]?.id
    for (const answer of [await mark({ notification_id: id }), await remove(id)]) {
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found'])
    }
    await mark({})
    await remove()
    expect(await shown(others)).toEqual(['Private'])
  })
})

describe('a broadcast', () => {
  test('is read and deleted by each member separately', async () => {
    for (const message of ['a', 'b', 'c', 'd']) await broadcast(message)
    const others = await signIn(site.db, admin)
    await mark({ notification_id: await idOf('b') })
    await remove(await idOf('c'))
    expect(await shown()).toEqual(['d', 'b (read)', 'a'])
    expect((await list()).unread_count).toBe(2)
    await remove()
    expect(await shown()).toEqual(['d', 'a'])
    await mark({})
    await broadcast('e')
    expect(await shown()).toEqual(['e', 'd (read)', 'a (read)'])
    await remove()
    expect(await shown()).toEqual(['e'])
    expect((await list()).unread_count).toBe(1)
    expect(await shown(others)).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('is not found once deleted', async () => {
    await broadcast('a')
    const id = await idOf('a')
    expect((await remove(id)).statusCode).toBe(200)
    expect((await remove(id)).statusCode).toBe(404)
    expect((await mark({ notification_id: id })).statusCode).toBe(404)
  })

  test('from before a member joined is not shown', async () => {
    const id = await broadcast('Old news')
    const late = await signIn(site.db)
    expect(await list(late)).toMatchObject({ notifications: [], unread_count: 0 })
    expect((await mark({ notification_id: id }, late)).statusCode).toBe(404)
    await broadcast('New')
    expect(await shown(late)).toEqual(['New'])
  })

  test('has an id that no other notification has', async () => {
    await send(member, 'mine')
    await broadcast('all')
    await send(member, 'mine too')
    const ids = (await list()).notifications.map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
  })

  test('leaves no rows behind when a thousand are read and cleared', async () => {
    await sql`insert into broadcasts (type, title, message) select 'info', 'T', 'M' from generate_series(1, 1000)`.execute(
      site.db,
    )
    await mark({ notification_id: (await list()).notifications[3]?.id ?? 0 })
    expect((await list()).unread_count).toBe(999)
    expect((await mark({})).json()).toMatchObject({ unread_count: 0 })
    await remove()
    expect(await list()).toMatchObject({ notifications: [], unread_count: 0 })
    const marks = await site.db
      .selectFrom('broadcast_marks')
      .select('member_id')
      .where('member_id', '=', member)
      .execute()
    expect(marks).toEqual([])
  })

  test('committed after all were marked as read stays unread', async () => {
    const sent = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = site.db.transaction().execute(async (trx) => {
      await sendToAll(trx, { type: 'info', title: 'T', message: 'slow', sentBy: admin })
      sent.resolve()
      await goOn.promise
    })
    await sent.promise
    const quick = broadcast('quick')
    await mark({})
    goOn.resolve()
    await Promise.all([slow, quick])
    expect((await list()).unread_count).toBe(2)
    expect(await shown()).toEqual(['quick', 'slow'])
  })
})

test('the unread count equals a recount after concurrent changes', async () => {
  const counts: number[] = []
  const acts = [
    () => send(member, 'one'),
    () => broadcast('all'),
    () => mark({}),
    () => remove(),
    async () => mark({ notification_id: (await list()).notifications.at(-1)?.id ?? 1 }),
    async () => remove((await list()).notifications[0]?.id ?? 1),
  ]
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(acts.flatMap((act) => [act(), act()]))
    for (const answer of answers) {
      if (typeof answer !== 'object') continue
      expect([200, 404]).toContain(answer.statusCode)
      if (answer.statusCode === 200) counts.push(answer.json<Inbox>().unread_count)
    }
    const { notifications, unread_count } = await list()
    expect(notifications.length).toBeLessThan(100)
    expect(unread_count).toBe(notifications.filter(({ is_read }) => !is_read).length)
  }
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(0)
})

test.each([
  [{}, 'no action'],
  [{ action: 'mark_unread' }, 'an unknown action'],
  [{ action: 'mark_read', notification_id: 'x' }, 'an id that is text'],
  [{ action: 'mark_read', notification_id: 0 }, 'an id of 0'],
  [{ action: 'mark_read', notification_id: 1.5 }, 'half an id'],
  [{ action: 'mark_read', notification_id: 1e30 }, 'a huge id'],
  [{ action: 'mark_read', notification_id: null }, 'no id'],
  [{ action: 'mark_read', mark_all_read: false }, 'neither one nor all'],
  [{ action: 'mark_read', mark_all_read: true, notification_id: 1 }, 'one and all'],
  [[], 'a list'],
])('rejects %j (%s) and changes nothing', async (payload: object, _what) => {
  await send(member, 'a')
  const answer = await site.app.inject({ method: 'POST', url, headers, payload })
  expect([answer.statusCode, await shown()]).toEqual([400, ['a']])
})

test.each(['x', '0', '-1', '1.5', '1e30', '99999999999999999999'])('rejects deleting %j', async (id) => {
  expect((await site.app.inject({ method: 'DELETE', url: `${url}?notification_id=${id}`, headers })).statusCode).toBe(
    400,
  )
})

test.each(['GET', 'POST', 'DELETE'] as const)('rejects %s without a session', async (method) => {
  const payload = method === 'POST' ? { action: 'mark_read' } : undefined
  const answer = await site.app.inject({ method, url, ...(payload ? { payload } : {}) })
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'unauthorized'])
})

test('deletes notifications older than half a year and the oldest of very many', async () => {
  for (const message of ['old', 'new']) await send(member, message)
  await broadcast('old to all')
  const ago = sql`now() - interval '181 days'`
  await sql`update notifications set moved_at = ${ago} where message = 'old'`.execute(site.db)
  await sql`update members set created_at = now() - interval '1 year' where id = ${member}`.execute(site.db)
  await sql`update broadcasts set created_at = ${ago}`.execute(site.db)
  const crowded = await makeMember(site.db)
  await sql`insert into notifications (member_id, kind, type, title, message, moved_at)
    select ${crowded}, 'admin', 'info', 'T', n::text, now() - n * interval '1 second' from generate_series(1, 10003) n`.execute(
    site.db,
  )
  await deleteDueData(site.db)
  expect(await shown()).toEqual(['new'])
  const { rows } = await sql`select count(*) as count, max(message::int) as last from notifications
    where member_id = ${crowded}`.execute(site.db)
  expect(rows).toEqual([{ count: 10_000, last: 10_000 }])
})

/** The broadcasts of an inbox, computed from whole tables: ids in order, and which of them are unread. */
async function expectedBroadcasts(memberId: number, position: 'read_through' | 'deleted_through'): Promise<number[]> {
  const newest = async (kind: string, subscriptions: string) =>
    (
      await site.pool.query<{ id: number }>(
        `select b.id from broadcasts b join members me on me.id = $1 left join inboxes i on i.member_id = me.id
        where b.audience = '${kind}' and b.id > coalesce(i.${position}, 0) and ${subscriptions}
        order by b.id desc limit ${kind === 'all' ? 10_000 : 100}`,
        [memberId],
      )
    ).rows.map(({ id }) => id)
  const ids = [
    ...(await newest('all', 'b.created_at >= me.created_at')),
    ...(await newest(
      'followers',
      `exists (select from follows f where f.follower_id = me.id and f.author_id = b.author_id
        and b.created_at >= f.created_at)`,
    )),
    ...(await newest(
      'watchers',
      `b.author_id <> me.id and exists (select from watches w where w.member_id = me.id and w.script_id = b.script_id
        and b.created_at >= w.created_at)`,
    )),
  ]
  const { rows } = await site.pool.query<{ id: number }>(
    `select b.id from broadcasts b left join scripts s on s.id = b.script_id left join members a on a.id = b.author_id
      where b.id = any($2) and (b.audience = 'all' or s.is_public and (a.banned_until is null or a.banned_until <= now())
          and not exists (select from blocks where blocker_id = $1 and blocked_id = b.author_id))
        and not exists (select from broadcast_marks k where k.member_id = $1 and k.broadcast_id = b.id
          and ${position === 'read_through' ? 'true' : 'k.is_deleted'})
      order by b.created_at desc, b.id desc`,
    [memberId, ids],
  )
  return rows.map(({ id }) => id)
}

test('an inbox of many authors and scripts has what whole tables say, at every position', async () => {
  await site.pool.query(
    `with authors as (
        insert into members (discord_id, username, slug, banned_until)
        select (810000000 + n)::text, 'author' || n, 'author' || n, case when n % 6 = 0 then 'infinity'::timestamptz end
        from generate_series(1, 18) n returning id),
      made as (
        insert into scripts (author_id, title, title_key, description, file_size, is_public)
        select id, 'T', 't', 'D', 8, (id + n) % 5 <> 0 from authors, generate_series(1, 14) n returning id, author_id),
      versions_made as (
          insert into script_versions (script_id, number, version, content, sha256, size)
          select id, 1, '1.0.0', 'return 1', repeat('0', 64), 8 from made),
      stats as (insert into script_stats (script_id) select id from made),
      followed as (insert into follows (follower_id, author_id, created_at)
        select $1, id, now() - interval '20 hours' from authors where id % 4 <> 0),
      watched as (insert into watches (member_id, script_id, created_at)
        select $1, id, now() - interval '10 hours' from made where id % 3 <> 0),
      blocked as (insert into blocks (blocker_id, blocked_id) select $1, max(id) from authors),
      news as (insert into broadcasts (type, audience, author_id, script_id, created_at)
        select 'info', 'followers', author_id, id, now() - id % 24 * interval '1 hour' from made),
      versions as (insert into broadcasts (type, audience, author_id, script_id, version, created_at)
        select 'info', 'watchers', author_id, id, n, now() - (id + n) % 12 * interval '1 hour' from made, generate_series(1, 2) n)
      insert into broadcasts (type, title, message) select 'info', 'T', 'To all ' || n from generate_series(1, 5) n`,
    [member],
  )
  const { rows } = await site.pool.query<{ id: number }>('select id from broadcasts order by id')
  const idAfter = (share: number) => rows[Math.floor(rows.length * share)]?.id ?? 0
  await site.pool.query(
    `insert into broadcast_marks (member_id, broadcast_id, is_deleted) select $1, id, id % 2 = 0 from broadcasts where id % 7 = 0`,
    [member],
  )
  for (const [readTo, clearedTo] of [
    [0, 0],
    [idAfter(0.3), 0],
    [idAfter(0.6), idAfter(0.4)],
    [idAfter(0.99), idAfter(0.9)],
  ]) {
    await site.pool.query(
      `insert into inboxes (member_id, read_through, deleted_through) values ($1, $2, $3)
        on conflict (member_id) do update set read_through = $2, deleted_through = $3`,
      [member, readTo, clearedTo],
    )
    const inbox = await list()
    const expected = await expectedBroadcasts(member, 'deleted_through')
    expect(expected.length).toBeGreaterThan(0)
    expect(inbox.notifications.map(({ id }) => id)).toEqual(expected.slice(0, 100))
    const unread = await expectedBroadcasts(member, 'read_through')
    expect(inbox.unread_count).toBe(unread.length)
    expect(inbox.notifications.filter(({ is_read }) => !is_read).every(({ id }) => unread.includes(id))).toBe(true)
  }
})
