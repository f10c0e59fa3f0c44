import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/platform/db/pool.ts'
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

/** Locks a giveaway for 3.5 seconds. `released` resolves when it is unlocked. */
async function lockGiveaway(id: number): Promise<{ released: Promise<void> }> {
  const holder = openPool(site.database.connection, 1)
  const client = await holder.connect()
  await client.query('begin')
  await client.query('select from giveaways where id = $1 for update', [id])
  const release = async () => {
    await client.query('select pg_sleep(3.5)')
    await client.query('commit')
    client.release()
    await holder.end()
  }
  return { released: release() }
}

test('accepts 300 concurrent entries while the giveaway is locked at first', async () => {
  const id = await makeGiveaway(site.db)
  const headers = await Promise.all(Array.from({ length: 300 }, () => signIn(site.db)))
  const { released } = await lockGiveaway(id)
  const responses = await Promise.all(headers.map((entrant) => enter(site, id, entrant)))
  await released
  expect(responses.filter(({ statusCode }) => statusCode !== 200).map(({ payload }) => payload)).toEqual([])
  expect(await countEntries(id)).toBe(300)
})

/** Acquires the only connection of a pool as soon as the giveaway has an entry, and does not release it. */
function acquireAfterEntry(pool: pg.Pool, id: number): Promise<pg.PoolClient> {
  const { promise, resolve } = Promise.withResolvers<pg.PoolClient>()
  let isChecking = false
  const check = async () => {
    isChecking = true
    const client = await pool.connect()
    if ((await countEntries(id)) > 0) return resolve(client)
    client.release()
    isChecking = false
  }
  pool.on('release', () => {
    if (!isChecking) void check()
  })
  return promise
}

test('confirms an entry even if the pool has no free connection afterwards', async () => {
  const pool = openPool(site.database.connection, 1)
  const other = await createAppOn(site.database, pool)
  const id = await makeGiveaway(site.db)
  const headers = await signIn(site.db)
  const acquired = acquireAfterEntry(pool, id)
  const response = await enter(other, id, headers)
  const client = await acquired
  client.release()
  await other.close()
  await pool.end()
  expect([response.statusCode, response.json().giveaway?.user_entered]).toEqual([200, true])
  expect((await enter(site, id, headers)).json().code).toBe('already_entered')
})
