import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/platform/db/pool.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { signIn } from '#tests/support/factories.ts'
import { minimalScript, sendScript } from '#tests/support/scripts.ts'

let database: TestDatabase
let line: DatabaseProxy
let site: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  line = await startDatabaseProxy(database.connection)
  site = await createAppOn(database, openPool(line.connection, 3, { silence: { tickMs: 50 } }))
})
afterAll(async () => {
  await site.close()
  await site.pool.end()
  await line.close()
  await database.drop()
})

test.each([
  ['COMMIT', '; commit', 'unconfirmed'],
  // The transaction stays open on the server, and would hold its locks.
  ['an INSERT', 'insert into "script_stats"', 'unavailable'],
])(
  'a publish request whose answer to %s is lost publishes once when it is repeated',
  async (title, statement, code) => {
    const headers = await signIn(site.db)
    const publish = () => sendScript(site, headers, { ...minimalScript, title }, 'one')
    line.loseAnswerTo(statement)
    const failed = await publish()
    expect([failed.statusCode, failed.headers['retry-after'], failed.json<{ code: string }>().code]).toEqual([
      503,
      '2',
      code,
    ])
    const repeated = await publish()
    expect(repeated.statusCode).toBe(201)
    const { rows } = await database.pool.query('select id from scripts where title = $1', [title])
    expect(rows).toEqual([{ id: repeated.json<{ script: { id: number } }>().script.id }])
  },
)
