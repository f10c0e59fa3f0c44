import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { toAppError } from '#server/platform/http/errors.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { openDatabase } from './database.ts'
import { DatabaseListener } from './listener.ts'
import { type BoundedPool, openPool } from './pool.ts'
import { createReadinessCheck } from './readiness.ts'

const SOON = { timeout: 10_000, interval: 20 }

let database: TestDatabase
let line: DatabaseProxy
let pool: BoundedPool
let events: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table lockable as select 1 as id')
})
beforeEach(async () => {
  line = await startDatabaseProxy(database.connection)
  pool = openPool(line.connection, 3, { silence: { tickMs: 20, probeTimeoutMs: 500 } })
  events = []
  pool.report = ({ message }) => void events.push(message)
})
afterEach(async () => {
  await pool.end()
  await line.close()
})
afterAll(() => database.drop())

const one = async () => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one
const errorOf = (query: Promise<unknown>) => query.then(() => 'no error', toAppError)

/** Sessions of the pool on the server, without that of the query itself. */
async function countSessions(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like $1 || '%'`,
    [prefix],
  )
  return rows[0]?.count ?? 0
}
const prefix = 'silent'

async function borrow(count: number): Promise<pg.PoolClient[]> {
  return Promise.all(Array.from({ length: count }, () => pool.connect()))
}

describe('a pool whose connections go silent', () => {
  test('fails their statements and serves the next ones over new connections', async () => {
    for (const client of await borrow(3)) client.release()
    line.silence()
    expect(await errorOf(one())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await Promise.all([one(), one(), one()])).toEqual([1, 1, 1])
    expect(events).toEqual(['silent database connections closed'])
    expect(pool.isSilent).toBe(false)
  })

  test('serves callers that wait for one of them', async () => {
    const lent = await borrow(3)
    const waiting = [one(), one()]
    line.silence()
    const errors = lent.map(async (client) => {
      const error = await errorOf(client.query('select 1'))
      client.release()
      return error
    })
    for (const error of await Promise.all(errors)) expect(error).toMatchObject({ code: 'unavailable' })
    expect(await Promise.all(waiting)).toEqual([1, 1])
  })

  test('releases the locks of their transactions', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select id from lockable for update')
    line.silence()
    await expect(client.query('select 1')).rejects.toThrow('the connection is silent')
    client.release()
    await expect
      .poll(() => errorOf(database.pool.query('select id from lockable for update nowait')), SOON)
      .toBe('no error')
  })

  test('leaves a long statement alone', async () => {
    const slept = pool.query('select pg_sleep(1)')
    await expect(slept).resolves.toMatchObject({ rowCount: 1 })
    expect(events).toEqual([])
  })

  test('leaves a statement alone that takes longer than an unknown session may', async () => {
    const patient = openPool(line.connection, 1, { silence: { tickMs: 20, unknownTimeoutMs: 300 } })
    await expect(patient.query('select pg_sleep(1)')).resolves.toMatchObject({ rowCount: 1 })
    await patient.end()
  })

  test('leaves a transaction alone that waits for a lock', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select id from lockable for update')
    const waiting = pool.query('select id from lockable for update')
    await wait(500)
    await holder.query('commit')
    holder.release()
    expect((await waiting).rows).toEqual([{ id: 1 }])
  })

  test('leaves a statement alone if the server accepts no connection for the check', async () => {
    const admin = new pg.Client({ ...database.connection, database: 'postgres' })
    await admin.connect()
    const allowConnections = (isAllowed: boolean) =>
      admin.query(`alter database ${database.connection.database} with allow_connections ${isAllowed}`)
    onTestFinished(async () => {
      await allowConnections(true)
      await admin.end()
    })
    const client = await pool.connect()
    const slept = client.query('select pg_sleep(1)')
    await allowConnections(false)
    await expect(slept).resolves.toMatchObject({ rowCount: 1 })
    client.release()
    expect(events).toEqual([])
  })

  test('finds a statement whose large answer stops on its way', async () => {
    const client = await pool.connect()
    await client.query('select 1')
    line.loseAnswerTo('repeat')
    await expect(client.query(`select repeat('x', 20_000_000)`)).rejects.toThrow('the connection is silent')
    client.release()
    expect(await one()).toBe(1)
  })

  test('finds a statement whose answer is lost after it ran for long', async () => {
    const query = errorOf(pool.query('select pg_sleep(0.5)'))
    await wait(200)
    line.silence()
    expect(await query).toMatchObject({ status: 503, code: 'unavailable' })
  })
})

describe('a database that does not answer at all', () => {
  test('fails statements at once after the first ones, and is used again when it answers', async () => {
    await one()
    line.silence({ andNew: true })
    expect(await errorOf(one())).toMatchObject({ status: 503 })
    expect(pool.isSilent).toBe(true)
    await expect(pool.query('select 1')).rejects.toThrow('the database does not answer')
    line.unsilence()
    await expect.poll(() => pool.isSilent, SOON).toBe(false)
    expect(await one()).toBe(1)
    expect(events).toEqual(['database does not answer', 'database answers again'])
  })

  test('fails callers that wait for a first connection', async () => {
    line.silence({ andNew: true })
    const calls = await Promise.all(Array.from({ length: 6 }, () => errorOf(one())))
    for (const error of calls) expect(error).toMatchObject({ status: 503, code: 'unavailable' })
    line.unsilence()
    await expect.poll(() => errorOf(one()), SOON).toBe('no error')
  })

  test('is reported as not ready in time', async () => {
    const isReady = createReadinessCheck(pool, 100)
    expect(await isReady()).toBe(true)
    line.silence({ andNew: true })
    expect(await isReady()).toBe(false)
    await expect.poll(() => pool.isSilent, SOON).toBe(true)
    expect(await isReady()).toBe(false)
    line.unsilence()
    await expect.poll(isReady, SOON).toBe(true)
  })
})

test('a busy database is ready', async () => {
  const isReady = createReadinessCheck(pool, 200)
  const isDone = new AbortController()
  const work = async () => {
    const client = await pool.connect()
    while (!isDone.signal.aborted) await client.query('select 1')
    client.release()
  }
  const working = [work(), work(), work()]
  await wait(50)
  expect(await isReady()).toBe(true)
  isDone.abort()
  await Promise.all(working)
})

test('a commit without an answer is reported as unconfirmed', async () => {
  await database.pool.query('create table written (id int)')
  const db = openDatabase(pool, () => {})
  const writing = db.transaction().execute(async (trx) => {
    await sql`insert into written values (1)`.execute(trx)
    line.silence()
  })
  expect(await errorOf(writing)).toMatchObject({ status: 503, code: 'unconfirmed', details: { retryAfter: 2 } })
})

test('the error of a transaction is reported, not that of its rollback', async () => {
  const db = openDatabase(pool, () => {})
  const failing = db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx)
    line.silence()
    throw new Error('the reason')
  })
  await expect(failing).rejects.toThrow('the reason')
})

test('a silent listener reconnects and says so', async () => {
  const received: string[] = []
  let reconnects = 0
  const listener = new DatabaseListener(pool, 'test_channel', {
    onNotification: (message) => received.push(message),
    onReconnect: () => reconnects++,
    onError: () => {},
  })
  await listener.start()
  line.silence()
  await expect.poll(() => reconnects, SOON).toBe(1)
  await database.pool.query(`notify test_channel, 'heard'`)
  await expect.poll(() => received, SOON).toEqual(['heard'])
  await listener.close()
})

test('a notification whose handler throws does not affect those after it', async () => {
  const received: string[] = []
  const errors: unknown[] = []
  const listener = new DatabaseListener(pool, 'test_channel', {
    onNotification: (message) => {
      if (message === 'broken') throw new Error('no')
      received.push(message)
    },
    onReconnect: () => received.push('reconnected'),
    onError: (error) => errors.push(error),
  })
  await listener.start()
  for (const message of ['one', 'broken', 'two']) await database.pool.query(`notify test_channel, '${message}'`)
  await expect.poll(() => received, SOON).toEqual(['one', 'two'])
  expect(errors).toEqual([new Error('no')])
  await listener.close()
})

test('sessions of silent connections are ended on the server', async () => {
  const own = openPool(line.connection, 2, { application_name: prefix, silence: { tickMs: 20, probeTimeoutMs: 500 } })
  const lent = await Promise.all([own.connect(), own.connect()])
  for (const client of lent) client.release()
  expect(await countSessions()).toBe(2)
  line.silence()
  await own.query('select 1').catch(() => {})
  await expect.poll(countSessions, SOON).toBe(0)
  await own.end()
})

test('a pool ends although a lent connection is silent', async () => {
  const own = openPool(line.connection, 2, { silence: { tickMs: 20, probeTimeoutMs: 500 } })
  const client = await own.connect()
  line.silence()
  const query = client.query('select 1').catch((error: Error) => error.message)
  const ended = own.end()
  expect(await query).toBe('the connection is silent')
  client.release()
  await expect(ended).resolves.toBeUndefined()
})

test('a pool that has ended reports nothing about a check that was still running', async () => {
  const own = openPool(line.connection, 1, { silence: { tickMs: 20, probeTimeoutMs: 10_000 } })
  own.report = ({ message }) => void events.push(message)
  const client = await own.connect()
  line.silence({ andNew: true })
  const query = client.query('select 1').catch(() => {})
  await wait(300)
  client.release(true)
  await Promise.all([query, own.end()])
  await line.cut()
  await wait(100)
  expect(events).toEqual([])
})

test('the statement of a client that is gone is canceled', async () => {
  const own = openPool(database.connection, 1, { application_name: prefix })
  const client = await own.connect()
  const slept = client.query('select pg_sleep(20)').catch(() => {})
  await expect.poll(countSessions, SOON).toBe(1)
  client.release(true)
  await slept
  await expect.poll(countSessions, SOON).toBe(0)
  await own.end()
})

test('a session whose client vanished is limited by the server', async () => {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = 'idle_in_transaction_session_timeout'`,
  )
  expect(rows).toEqual([{ name: 'idle_in_transaction_session_timeout', setting: '60000' }])
})
