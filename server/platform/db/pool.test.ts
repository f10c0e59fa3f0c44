import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAppError } from '#server/platform/http/errors.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { BoundedPool } from './pool.ts'

let database: TestDatabase
let pool: BoundedPool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new BoundedPool({ ...database.connection, max: 1 }, 2)
  // As openPool does: the database is dropped while connections end.
  pool.on('connect', (client) => client.on('error', () => {}))
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a bounded pool rejects a request at once if its queue is full, and serves those that wait', async () => {
  const client = await pool.connect()
  const waiting = [pool.query('select 1 as one'), pool.query('select 1 as one')]
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: '53300' })
  const error = await pool.connect().catch(toAppError)
  expect(error).toMatchObject({ status: 503, code: 'unavailable', details: { retryAfter: 2 } })
  client.release()
  for (const each of waiting) expect((await each).rows).toEqual([{ one: 1 }])
})

test('a bounded pool serves requests again after it rejected one', async () => {
  const client = await pool.connect()
  const waiting = [pool.query('select 1'), pool.query('select 1')]
  await expect(pool.query('select 1')).rejects.toThrow('2 requests are already waiting')
  client.release()
  await Promise.all(waiting)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
