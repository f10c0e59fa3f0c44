import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endSession, endSessionsOf } from '#server/features/accounts/sessions.ts'
import { announcePublished, announceVersion } from './announce.ts'
import { notify, sendToAll } from './notify.ts'
import { DatabaseListener } from '#server/platform/db/listener.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

const PATH = '/api/notification-stream'

let site: TestApp
let origin: string
let member: number
let headers: { authorization: string }
const openStreams: AbortController[] = []
beforeAll(async () => {
  site = await createTestApp()
  origin = await listen(site)
})
beforeEach(async () => {
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
})
afterEach(() => {
  for (const abort of openStreams.splice(0)) abort.abort()
})
afterAll(() => site.close())

async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Opens a stream as a browser does. `now` has the text that arrived so far, and whether the stream has ended. */
async function open(as = headers, server = origin) {
  const abort = new AbortController()
  openStreams.push(abort)
  const answer = await fetch(server + PATH, { headers: as, signal: abort.signal })
  const stream = { answer, text: '', ended: false, events: () => stream.text.split('event: changed').length - 1 }
  const read = async () => {
    for await (const chunk of answer.body ?? []) stream.text += Buffer.from(chunk).toString()
  }
  void read()
    .catch(() => {})
    .finally(() => (stream.ended = true))
  return { ...stream, events: stream.events, now: stream, close: () => abort.abort() }
}

const send = (memberId = member) =>
  site.db
    .transaction()
    .execute((trx) => notify(trx, { memberId, kind: 'admin', type: 'info', title: 'T', message: 'M', link: null }))
const soon = { timeout: 10_000, interval: 20 }

test('a stream starts at once and disables caching and buffering', async () => {
  const { answer, now } = await open()
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  await expect.poll(() => now.text, soon).toContain('retry: ')
})

test('a stream reports changes of its member only', async () => {
  const [mine, others] = [await open(), await open(await signIn(site.db))]
  await send()
  await expect.poll(mine.events, soon).toBe(1)
  expect(others.events()).toBe(0)
})

test('a rolled-back change is not sent', async () => {
  const stream = await open()
  await site.db
    .transaction()
    .execute(async (trx) => {
      await notify(trx, { memberId: member, kind: 'admin', type: 'info', title: 'T', message: 'M', link: null })
      throw new Error('no')
    })
    .catch(() => {})
  await send()
  await expect.poll(stream.events, soon).toBe(1)
})

test('many changes at once are sent as two events at most', async () => {
  const stream = await open()
  await Promise.all(Array.from({ length: 30 }, () => send()))
  await expect.poll(stream.events, soon).toBe(2)
})

test('a new script reaches the streams of followers, a new version those of watchers', async () => {
  const author = await makeMember(site.db)
  const script = await makeScript(site.db, { author_id: author })
  const [follower, watcher] = [await makeMember(site.db), await makeMember(site.db)]
  await site.db.insertInto('follows').values({ follower_id: follower, author_id: author }).execute()
  await site.db.insertInto('watches').values({ member_id: watcher, script_id: script }).execute()
  const openOf = async (id: number) => open(await signIn(site.db, id))
  const [followers, watchers, others] = [await openOf(follower), await openOf(watcher), await open()]
  const about = { scriptId: script, authorId: author }
  await site.db.transaction().execute((trx) => announcePublished(trx, about))
  await expect.poll(followers.events, soon).toBe(1)
  await site.db.transaction().execute((trx) => announceVersion(trx, { ...about, version: '2.0.0' }))
  await expect.poll(watchers.events, soon).toBe(1)
  await send()
  await expect.poll(others.events, soon).toBe(1)
  expect([followers.events(), watchers.events()]).toEqual([1, 1])
})

test('a broadcast reaches every stream of every process', async () => {
  const other = await createAppOn(site.database, site.pool)
  const there = await listen(other)
  const streams = [await open(), await open(await signIn(site.db)), await open(await signIn(site.db), there)]
  await site.db
    .transaction()
    .execute((trx) => sendToAll(trx, { type: 'info', title: 'T', message: 'M', sentBy: member }))
  for (const stream of streams) await expect.poll(stream.events, soon).toBe(1)
  await other.close()
})

test('reading on one device is reported to the others', async () => {
  const stream = await open()
  await site.app.inject({ method: 'POST', url: '/api/user-notifications', headers, payload: { action: 'mark_read' } })
  await expect.poll(stream.events, soon).toBe(1)
})

describe('a stream ends with its session', () => {
  const token = () => headers.authorization.slice('Bearer '.length)
  test.each<[string, () => Promise<unknown>]>([
    ['on signing out', () => endSession(site.db, token())],
    ['on signing out everywhere', () => endSessionsOf(site.db, member)],
    ['on a ban', () => sql`update members set banned_until = 'infinity' where id = ${member}`.execute(site.db)],
    ['with the account', () => sql`delete from members where id = ${member}`.execute(site.db)],
  ])('%s', async (_when, act) => {
    const [stream, others] = [await open(), await open(await signIn(site.db))]
    await act()
    await expect.poll(() => stream.now.ended, soon).toBe(true)
    expect(others.now.ended).toBe(false)
  })

  test('and not with another session of the same member', async () => {
    const [stream, other] = [await open(), await open(await signIn(site.db, member))]
    await endSession(site.db, token())
    await expect.poll(() => stream.now.ended, soon).toBe(true)
    expect(other.now.ended).toBe(false)
  })
})

test.each([{}, { authorization: 'Bearer x' }, { authorization: `Bearer ${'a'.repeat(43)}` }])(
  'without a session (%j) there is no stream, nor with a token in the address',
  async (as) => {
    const query = `?token=${headers.authorization.slice('Bearer '.length)}`
    for (const address of [PATH, PATH + query]) {
      expect((await fetch(origin + address, { headers: as })).status).toBe(401)
    }
  },
)

test('a response to HEAD ends', async () => {
  const answer = await fetch(origin + PATH, { method: 'HEAD', headers })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('limits the number of streams per member', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => open()))
  const rejected = await fetch(origin + PATH, { headers })
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await rejected.json()).toMatchObject({ code: 'too_many_streams' })
  expect((await open(await signIn(site.db))).answer.status).toBe(200)
  streams[0]?.close()
  await expect
    .poll(async () => {
      const { answer, close } = await open()
      close()
      return answer.status
    }, soon)
    .toBe(200)
})

test('closing the server ends open streams and does not wait for them', async () => {
  const other = await createAppOn(site.database, site.pool)
  const stream = await open(headers, await listen(other))
  await other.close()
  await expect.poll(() => stream.now.ended, soon).toBe(true)
})

test('a stream survives a lost database connection and reports a possible change', async () => {
  const stream = await open()
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like 'listen%'`
  expect((await others.execute(site.db)).rows).toHaveLength(1)
  await expect.poll(stream.events, soon).toBe(1)
  await send()
  await expect.poll(stream.events, soon).toBe(2)
  expect(stream.now.ended).toBe(false)
})

test('a listener that is closed during a database outage stops reconnecting', async () => {
  const handler = { onNotification: () => {}, onReconnect: () => {}, onError: () => {} }
  const listener = new DatabaseListener(site.pool, 'x', handler)
  await listener.start()
  await listener.close()
  const count = sql<{ count: number }>`select count(*) from pg_stat_activity where query = 'listen "x"'`
  await expect.poll(async () => (await count.execute(site.db)).rows[0]?.count, soon).toBe(0)
})
