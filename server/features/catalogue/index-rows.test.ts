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

/** The first byte and the length of each value, whose bytes are valid in the callback only. */
async function copied(query: string): Promise<[first: number | undefined, length: number][]> {
  const values: [number | undefined, number][] = []
  await copyRows(client, query, (value) => values.push([value[0], value.length]))
  return values
}

const bytesOf = (lengths: readonly number[]) =>
  `select decode(repeat(lpad(to_hex(position % 256), 2, '0'), length), 'hex')
   from unnest(array[${lengths.join(',')}]::int[]) with ordinality as input (length, position) order by position`

test.each([
  ['no rows', []],
  ['one empty value', [0]],
  ['many short values in one chunk', Array.from({ length: 5000 }, (_, i) => i % 7)],
  ['long values in many chunks each', [70_000, 1, 300_000, 65_536, 0, 8192, 1_000_000]],
])('copies every value completely and in order: %s', async (_, lengths) => {
  const expected = lengths.map((length, i) => [length > 0 ? (i + 1) % 256 : undefined, length])
  expect(await copied(bytesOf(lengths))).toEqual(expected)
})

test('a query that fails midway rejects, and its connection stays usable', async () => {
  const failingQuery = `select decode('00', case when n < 40000 then 'hex' else 'no such format' end)
    from generate_series(1, 50000) n`
  await expect(copied(failingQuery)).rejects.toThrow('no such format')
  expect(await copied(bytesOf([3]))).toEqual([[1, 3]])
})

test('an error in the callback rejects the copy', async () => {
  const other = await database.pool.connect()
  const failing = copyRows(other, bytesOf([1, 2, 3]), (value) => {
    if (value.length === 2) throw new Error('two is too many')
  })
  await expect(failing).rejects.toThrow('two is too many')
  other.release(true)
})
