import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reputationOperations, type ReputationStatus } from '#contract/reputation.ts'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { repetitions } from '#tests/support/seed.ts'
import { adjustReputation } from './reputation.ts'

const url = '/api/profile-reputation'

let site: TestApp
let giver: number
let receiver: number
let headers: { authorization: string }
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  giver = await makeMember(site.db, { display_name: 'Ada' })
  receiver = await makeMember(site.db, { display_name: 'Kim', slug: `kim${giver}` })
  headers = await signIn(site.db, giver)
})

const give = (target: unknown = receiver, as: Record<string, string> = headers) =>
  site.app.inject({ method: 'POST', url, headers: as, payload: { target_user_id: target } })
const status = (target = receiver, as = headers) =>
  site.app.inject({ url: `${url}?target_user_id=${target}`, headers: as })
const change = (id: number, set: object) => site.db.updateTable('members').set(set).where('id', '=', id).execute()
const reputationOf = async (id: number) =>
  (await site.db.selectFrom('members').select('reputation').where('id', '=', id).executeTakeFirstOrThrow()).reputation
const targets = (count: number) => Promise.all(Array.from({ length: count }, () => makeMember(site.db)))
const findFaults = async () => {
  const { rows } = await sql`select m.id, m.reputation, l.sum from members m left join
    (select receiver_id, sum(points)::int as sum from reputation_ledger group by 1) l on l.receiver_id = m.id
    where m.reputation <> coalesce(l.sum, 0)`.execute(site.db)
  return rows
}

test('a point is given, counted and reported to the receiver', async () => {
  const before = await status()
  expect(Value.Check(reputationOperations['GET /api/profile-reputation'].response[200], before.json())).toBe(true)
  const day = { daily_limit: 3, subscription_type: 'free' }
  expect(before.json()).toEqual({ ...day, can_give_reputation: true, daily_used: 0, daily_remaining: 3 })
  const after = { ...day, can_give_reputation: false, daily_used: 1, daily_remaining: 2 }
  const answer = await give()
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...after, new_reputation: 1 }])
  expect((await status()).json()).toEqual(after)
  expect((await status(await makeMember(site.db))).json()).toEqual({ ...after, can_give_reputation: true })
  const inbox = await site.app.inject({ url: '/api/user-notifications', headers: await signIn(site.db, receiver) })
  expect(inbox.json<{ notifications: Notification[] }>().notifications).toMatchObject([
    { title: 'Reputation received', message: 'Ada gave you a reputation point.', link: `/profile/kim${giver}` },
  ])
})

describe('is rejected', () => {
  const errorOf = async (target: unknown, as?: Record<string, string>) => {
    const answer = await give(target, as)
    const { code, error } = answer.json<{ code: string; error: string }>()
    expect(await reputationOf(receiver)).toBe(0)
    return [answer.statusCode, code, error]
  }
  const UNKNOWN = [404, 'not_found', 'This member was not found.']

  test('for oneself', async () => {
    expect(await errorOf(giver)).toEqual([403, 'own_reputation', "You can't give reputation to yourself."])
    expect((await status(giver)).json<ReputationStatus>().can_give_reputation).toBe(false)
  })
  test('for an unknown member', async () => {
    expect(await errorOf(2_000_000_000)).toEqual(UNKNOWN)
    expect((await status(2_000_000_000)).statusCode).toBe(404)
  })
  test('for banned members until the ban is over', async () => {
    await change(receiver, { banned_until: 'infinity' })
    expect(await errorOf(receiver)).toEqual(UNKNOWN)
    expect((await status()).statusCode).toBe(404)
    await change(receiver, { banned_until: new Date(Date.now() - 1000) })
    expect((await give()).statusCode).toBe(200)
  })
  test('from banned members and visitors', async () => {
    expect(await errorOf(receiver, {})).toEqual([401, 'unauthorized', 'Unauthorized'])
    await change(giver, { banned_until: 'infinity' })
    expect(await errorOf(receiver)).toEqual([401, 'unauthorized', 'Unauthorized'])
  })
  test.each([null, '1.5', 1.5, 0, -1, 1e10, 2 ** 31, true, [1], ''])('for %j', async (target) => {
    expect((await errorOf(target))[0]).toBe(400)
  })
})

test('muted members can give points', async () => {
  await change(giver, { muted_until: 'infinity' })
  expect((await give()).statusCode).toBe(200)
})

test('a member gets one point a day from another', async () => {
  await give()
  const again = await give()
  expect([again.statusCode, again.json()]).toEqual([
    409,
    { error: "You've already given Kim a point today.", code: 'already_given' },
  ])
  expect(await reputationOf(receiver)).toBe(1)
})

test.each([
  [3, { subscription_type: 'free' }],
  [10, { subscription_type: 'premium' }],
  [25, { is_moderator: true }],
  [25, { is_admin: true, subscription_type: 'premium' }],
])('allows %d points a day for %j, then responds with an error and a retry time', async (limit, set) => {
  await change(giver, set)
  for (const target of await targets(limit)) expect((await give(target)).statusCode).toBe(200)
  const answer = await give()
  expect([answer.statusCode, answer.json()]).toEqual([
    429,
    { error: `You've used all ${limit} points for today. They reset at midnight UTC.`, code: 'daily_limit' },
  ])
  const wait = Number(answer.headers['retry-after'])
  expect([wait > 0, wait <= 86_400]).toEqual([true, true])
  expect((await status()).json()).toMatchObject({ can_give_reputation: false, daily_remaining: 0, daily_used: limit })
})

test('the limit resets with the UTC day of the database', async () => {
  await Promise.all((await targets(2)).map((target) => give(target)))
  await give()
  await sql`update reputation_ledger set day = day - 1 where giver_id = ${giver}`.execute(site.db)
  expect((await status()).json()).toMatchObject({ can_give_reputation: true, daily_used: 0 })
  expect((await give()).json()).toMatchObject({ new_reputation: 2, daily_used: 1 })
})

test('a member who lost a role today has zero points left, not fewer', async () => {
  await change(giver, { subscription_type: 'premium' })
  for (const target of await targets(5)) await give(target)
  await change(giver, { subscription_type: 'free' })
  expect((await status()).json()).toMatchObject({ can_give_reputation: false, daily_used: 5, daily_remaining: 0 })
})

test('a hundred concurrent points never pass the limit, in several rounds', async () => {
  const hundred = await targets(100)
  for (let round = 0; round < repetitions(5, 20); round++) {
    const answers = await Promise.all(hundred.map((target) => give(target)))
    const codes = answers.map(({ statusCode }) => statusCode)
    expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 429).length]).toEqual([3, 97])
    expect((await status()).json()).toMatchObject({ daily_used: 3 })
    await sql`update reputation_ledger set day = day - ${round + 1}::int
      where giver_id = ${giver} and day = (now() at time zone 'UTC')::date`.execute(site.db)
  }
  expect(await findFaults()).toEqual([])
}, 60_000)

test('members who give to each other at once do not deadlock, and every point counts', async () => {
  const circle = await targets(10)
  const signed = await Promise.all(
    circle.map(async (id) => {
      await change(id, { subscription_type: 'premium' })
      return { id, as: await signIn(site.db, id) }
    }),
  )
  const gifts = signed.flatMap(({ id, as }) => circle.filter((other) => other !== id).map((other) => give(other, as)))
  expect(new Set((await Promise.all(gifts)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await Promise.all(circle.map(reputationOf))).toEqual(circle.map(() => 9))
  expect(await findFaults()).toEqual([])
})

test('a total set by an admin is a ledger entry, also during concurrent points', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, () => signIn(site.db)))
  const set = (total: number) => site.db.transaction().execute((trx) => adjustReputation(trx, receiver, total, giver))
  await Promise.all([...others.map((as) => give(receiver, as)), set(100), set(-5), set(7)])
  expect(await findFaults()).toEqual([])
  const before = await reputationOf(receiver)
  expect(await set(50)).toBe(before)
  expect(await set(50)).toBe(50)
  const { rows } = await sql`select points, giver_id from reputation_ledger
    where receiver_id = ${receiver} order by id desc limit 1`.execute(site.db)
  expect(rows).toEqual([{ points: 50 - before, giver_id: giver }])
  const adjusted = site.db.transaction().execute((trx) => adjustReputation(trx, 2_000_000_000, 1, giver))
  await expect(adjusted).rejects.toMatchObject({ code: 'not_found' })
})

test("a point outlives its giver's account without the name", async () => {
  await give()
  await site.db.deleteFrom('members').where('id', '=', giver).execute()
  expect(await reputationOf(receiver)).toBe(1)
  expect(await findFaults()).toEqual([])
})
