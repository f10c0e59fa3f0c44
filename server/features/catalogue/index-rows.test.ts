import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { copyRows } from './index-rows.ts'

let database: TestDatabase
let client: pg.PoolClient
beforeAll(async () => {
  database = await createTestDatabase()
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.drop()
})

/** The first byte of each value and how long it is; the bytes themselves are gone by then. */
async function copied(query: string): Promise<[first: number | undefined, length: number][]> {
  const values: [number | undefined, number][] = []
  await copyRows(client, query, (value) => values.push([value[0], value.length]))
  return values
}

const bytesOf = (lengths: readonly number[]) =>
  `select decode(repeat(lpad(to_hex(place % 256), 2, '0'), length), 'hex')
   from unnest(array[${lengths.join(',')}]::int[]) with ordinality as given (length, place) order by place`

test.each([
  ['no rows', []],
  ['one that is empty', [0]],
  ['short ones, many in a piece', Array.from({ length: 5000 }, (_, at) => at % 7)],
  ['long ones, each in many pieces', [70_000, 1, 300_000, 65_536, 0, 8192, 1_000_000]],
])('every value comes whole and in order: %s', async (_, lengths) => {
  const expected = lengths.map((length, at) => [length > 0 ? (at + 1) % 256 : undefined, length])
  expect(await copied(bytesOf(lengths))).toEqual(expected)
})

test('a query that fails half way says why, and the connection can be used again', async () => {
  const failing = `select decode('00', case when n < 40000 then 'hex' else 'no such form' end)
    from generate_series(1, 50000) n`
  await expect(copied(failing)).rejects.toThrow('no such form')
  expect(await copied(bytesOf([3]))).toEqual([[1, 3]])
})

test('what goes wrong with a value is told', async () => {
  const other = await database.pool.connect()
  const refusing = copyRows(other, bytesOf([1, 2, 3]), (value) => {
    if (value.length === 2) throw new Error('two is too many')
  })
  await expect(refusing).rejects.toThrow('two is too many')
  other.release(true)
})
