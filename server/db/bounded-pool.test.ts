import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAppError } from '#server/http/errors.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { BoundedPool } from './bounded-pool.ts'

let database: TestDatabase
let pool: BoundedPool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new BoundedPool({ ...database.connection, max: 1 }, 2)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('refuses at once who comes when enough wait, and serves those who wait', async () => {
  const held = await pool.connect()
  const waiting = [pool.query('select 1 as one'), pool.query('select 1 as one')]
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: '53300' })
  const refusal = await pool.connect().catch(toAppError)
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable', details: { retryAfter: 2 } })
  held.release()
  for (const each of waiting) expect((await each).rows).toEqual([{ one: 1 }])
})

test('serves who comes after a refusal', async () => {
  const held = await pool.connect()
  const waiting = [pool.query('select 1'), pool.query('select 1')]
  await expect(pool.query('select 1')).rejects.toThrow('2 requests wait')
  held.release()
  await Promise.all(waiting)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
