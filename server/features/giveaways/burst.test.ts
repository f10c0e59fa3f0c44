import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/db/pool.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { signIn } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const enter = (to: TestApp, giveawayId: number, headers: { authorization: string }) =>
  to.app.inject({
    method: 'POST',
    url: '/api/giveaways',
    headers,
    payload: { action: 'enter', giveaway_id: giveawayId },
  })

const countEntries = async (id: number) =>
  Number((await site.pool.query('select from giveaway_entries where giveaway_id = $1', [id])).rowCount)

/** Holds a giveaway as a slow disk would, for longer than anybody's timeout used to last. Gives when it is free. */
async function lockGiveaway(id: number): Promise<{ free: Promise<void> }> {
  const holder = openPool(site.database.connection, 1)
  const client = await holder.connect()
  await client.query('begin')
  await client.query('select from giveaways where id = $1 for update', [id])
  const letGo = async () => {
    await client.query('select pg_sleep(3.5)')
    await client.query('commit')
    client.release()
    await holder.end()
  }
  return { free: letGo() }
}

test('300 members at one instant all get in, though the first have to wait', async () => {
  const id = await makeGiveaway(site.db)
  const headers = await Promise.all(Array.from({ length: 300 }, () => signIn(site.db)))
  const { free } = await lockGiveaway(id)
  const answers = await Promise.all(headers.map((one) => enter(site, id, one)))
  await free
  expect(answers.filter(({ statusCode }) => statusCode !== 200).map(({ payload }) => payload)).toEqual([])
  expect(await countEntries(id)).toBe(300)
})

/** Takes a pool's only connection as soon as somebody is in, before anybody else gets it back, and keeps it. */
function takeOnceEntered(pool: pg.Pool, id: number): Promise<pg.PoolClient> {
  const { promise, resolve } = Promise.withResolvers<pg.PoolClient>()
  let isLooking = false
  const look = async () => {
    isLooking = true
    const client = await pool.connect()
    if ((await countEntries(id)) > 0) return resolve(client)
    client.release()
    isLooking = false
  }
  pool.on('release', () => {
    if (!isLooking) void look()
  })
  return promise
}

test('that is in is told so, though nobody has a connection to spare afterwards', async () => {
  const pool = openPool(site.database.connection, 1)
  const other = await createAppOn(site.database, pool)
  const id = await makeGiveaway(site.db)
  const headers = await signIn(site.db)
  const taken = takeOnceEntered(pool, id)
  const answer = await enter(other, id, headers)
  const client = await taken
  client.release()
  await other.close()
  await pool.end()
  expect([answer.statusCode, answer.json().giveaway?.user_entered]).toEqual([200, true])
  expect((await enter(site, id, headers)).json().code).toBe('already_entered')
})
