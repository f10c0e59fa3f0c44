import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeScript } from '#tests/support/factories.ts'
import { currentWork } from './current-work.ts'
import { openPool } from './pool.ts'
import { withoutValues } from './slow-queries.ts'

interface Line {
  msg: string
  ms?: number
  work?: string
  statement?: string
  omitted?: number
}

let database: TestDatabase
let site: TestApp
let lines: Line[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const pool = openPool(database.connection, 2)
  site = await createAppOn(database, pool, { slowQueryMs: 150 }, { log: 'warn', logTo })
})
afterAll(async () => {
  await site.close()
  await site.pool.end()
  await database.drop()
})
beforeEach(() => {
  lines = []
})

const find = (message: string) => lines.filter(({ msg }) => msg === message)

test('a slow statement of a request is logged with its route and without values', async () => {
  const script = await makeScript(site.db)
  const holder = await database.pool.connect()
  await holder.query('begin; lock table scripts')
  const response = site.app.inject({ url: `/api/script-details-slug?slug=purple-${script}` })
  await sleep(300)
  await holder.query('rollback')
  holder.release()
  expect((await response).statusCode).toBe(200)
  const [line] = find('slow query')
  expect(line).toMatchObject({
    work: 'GET /api/script-details-slug',
    statement: expect.stringContaining('from scripts s'),
  })
  expect(line?.ms).toBeGreaterThanOrEqual(150)
  expect(line?.statement).not.toMatch(/(?<![$\w])\d/)
  expect(JSON.stringify(lines)).not.toContain('purple')
})

test('a long wait for a connection is logged with the work that waited', async () => {
  const clients = [await site.pool.connect(), await site.pool.connect()]
  const waiting = currentWork.run({ name: 'job wait' }, () => site.pool.query('select 1'))
  await sleep(300)
  for (const client of clients) client.release()
  await waiting
  expect(find('slow database connection').map(({ work }) => work)).toContain('job wait')
})

test('many slow statements become few lines', async () => {
  await Promise.all(Array.from({ length: 30 }, () => site.pool.query('select pg_sleep(0.16)')))
  expect(lines.length).toBeLessThanOrEqual(10)
})

test.each([
  ['select * from a where b = $1 and c = 12', 'select * from a where b = $1 and c = ?'],
  [`select 'it''s'  || "x1" from t2\n where y = -1.5`, 'select ? || "x1" from t2 where y = -?'],
  ['do $body$ secret 5 $body$', 'do ?'],
])('%s has no values in the log', (statement, logged) => {
  expect(withoutValues(statement)).toBe(logged)
})
