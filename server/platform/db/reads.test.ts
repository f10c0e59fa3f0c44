import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toAppError } from '#server/platform/http/errors.ts'
import { createServer } from '#server/platform/http/server.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { addressOf, queryOnce, startReplica, type TestCluster } from '#tests/support/replica.ts'
import { type Replicated, startReplicated } from '#tests/support/replicated.ts'
import { openDatabase } from './database.ts'
import { openPool } from './pool.ts'
import { requireDurability } from './prepare.ts'
import { openReads, type Reads } from './reads.ts'

let { primary, replica, pool, close } = {} as Replicated
const opened: Reads[] = []
const soon = { timeout: 15_000, interval: 20 }

beforeAll(async () => {
  ;({ primary, replica, pool, close } = await startReplicated((on) =>
    on.query('create table counted as select 1 as count'),
  ))
})
afterEach(async () => {
  for (const reads of opened.splice(0)) await reads.close()
  await queryOnce(replica.connection, 'select pg_wal_replay_resume()')
})
afterAll(() => close())

/** The reads of a process with these replicas. Its log goes to `lines`. */
function open(addresses: string[], lines: string[] = [], on = pool) {
  const logTo = { write: (line: string) => void lines.push(line) }
  const { log } = createServer({ log: 'info', logTo, trustProxy: [], isHttps: false })
  const reads = openReads({ db: openDatabase(on), pool: on, replicaUrls: addresses, log })
  opened.push(reads)
  return reads
}

const read = ({ db }: Reads) => sql<{ count: number }>`select count from counted`.execute(db)

async function expectReadOn(cluster: TestCluster, reads: Reads, isThere = true): Promise<void> {
  await expect
    .poll(async () => (await cluster.captureStatements(() => read(reads))).includes('from counted'), soon)
    .toBe(isThere)
}

describe('a replica', () => {
  test('that lags is not used for longer even without a recorded change', async () => {
    const reads = open([addressOf(replica, 'postgres')])
    await expectReadOn(replica, reads)
    await queryOnce(replica.connection, 'select pg_wal_replay_pause()')
    await pool.query('update counted set count = count + 1')
    await expect.poll(async () => (await read(reads)).rows, soon).toEqual([{ count: 2 }])
    await queryOnce(replica.connection, 'select pg_wal_replay_resume()')
    await expectReadOn(replica, reads)
  })

  test('that cancels a query to catch up fails no request', async () => {
    await pool.query('create table changing as select 1 as one')
    const { db } = open([addressOf(replica, 'postgres')])
    const readChanging = (slowly: boolean) =>
      sql`select one, case when ${slowly}::boolean and pg_is_in_recovery() then pg_sleep(60)::text end as slept
        from changing`.execute(db)
    await expect
      .poll(async () => (await replica.captureStatements(() => readChanging(false))).includes('changing'), soon)
      .toBe(true)
    const reading = readChanging(true)
    const running = "select 1 from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'"
    await expect.poll(() => queryOnce(replica.connection, running), soon).toHaveLength(1)
    const log = await replica.captureStatements(async () => {
      await pool.query('alter table changing add column two int')
      expect((await reading).rows).toEqual([{ one: 1, slept: null }])
    })
    expect(log).toContain('due to conflict with recovery')
  })

  test('is read while the primary is away, unless something has changed', async () => {
    const line = await startDatabaseProxy(primary.connection)
    const away = openPool(line.connection, 2)
    const reads = open([addressOf(replica, 'postgres')], [], away)
    try {
      await expectReadOn(replica, reads)
      await line.cut()
      for (const end = performance.now() + 3000; performance.now() < end; await sleep(50)) {
        expect((await read(reads)).rows).toHaveLength(1)
      }
      reads.recordChange()
      await expect(read(reads)).rejects.toMatchObject({ code: 'ENOENT' })
      await line.restore()
      await expectReadOn(replica, reads)
    } finally {
      await opened.pop()?.close()
      await away.end()
      await line.close()
    }
  })

  test('is not used any more after it was promoted', async () => {
    const promoted = await startReplica(primary)
    try {
      const reads = open([addressOf(promoted, 'postgres')])
      await expectReadOn(promoted, reads)
      await queryOnce(promoted.connection, 'select pg_promote()')
      await expectReadOn(promoted, reads, false)
      await queryOnce(promoted.connection, 'update counted set count = -1')
      expect((await read(reads)).rows).not.toEqual([{ count: -1 }])
    } finally {
      await promoted.stop()
    }
  })

  test('is neither the primary itself nor a replica of another database', async () => {
    await pool.query('create database other')
    for (const [cluster, database, reason] of [
      [primary, 'postgres', 'not a replica'],
      [replica, 'other', 'a replica of another database'],
    ] as const) {
      const lines: string[] = []
      const reads = open([addressOf(cluster, database, '&password=hidden')], lines)
      await expect.poll(() => lines.join(), soon).toContain(reason)
      expect(await replica.captureStatements(() => read(reads))).not.toContain('from counted')
      expect(lines.join()).not.toContain('hidden')
    }
  })

  test('is used in turn with others', async () => {
    const names = ['one', 'two', 'three']
    const reads = open(names.map((name) => addressOf(replica, 'postgres', `&application_name=${name}`)))
    const findAsked = async () => {
      const log = await replica.captureStatements(async () => {
        for (const _ of names) await read(reads)
      })
      return names.filter((name) => new RegExp(`${name} \\S+ LOG:  statement: select count`).test(log))
    }
    await expect.poll(findAsked, soon).toEqual(names)
  })
})

test('public reads support no transactions', async () => {
  const { db } = open([addressOf(replica, 'postgres')])
  await expect(db.transaction().execute(() => Promise.resolve())).rejects.toThrow('needs the primary')
})

test('without replicas the database itself is read', () => {
  const db = openDatabase(pool)
  const { log } = createServer({ log: false, trustProxy: [], isHttps: false })
  expect(openReads({ db, pool, replicaUrls: [], log }).db).toBe(db)
})

describe('a pool for the primary', () => {
  test('rejects a connection to a replica until the replica is promoted', async () => {
    const promoted = await startReplica(primary)
    const onPromoted = openPool(promoted.connection, 1, { needsPrimary: true })
    try {
      const error = await onPromoted.query('select 1').catch(toAppError)
      expect(error).toMatchObject({ status: 503, code: 'unavailable' })
      await expect(onPromoted.connect()).rejects.toThrow('the server is a replica, not the primary')
      await queryOnce(promoted.connection, 'select pg_promote()')
      await expect
        .poll(() => onPromoted.query('select 1 as one').then(({ rows }) => rows, String), soon)
        .toEqual([{ one: 1 }])
    } finally {
      await onPromoted.end()
      await promoted.stop()
    }
  })
})

test('a primary whose commits do not wait for its synchronous replicas is rejected', async () => {
  const name = `reads_${process.pid}`
  await pool.query(`alter system set synchronous_standby_names = '${name}'`)
  await pool.query('alter system set synchronous_commit = local')
  await pool.query('select pg_reload_conf()')
  try {
    const reject = () => requireDurability(pool).then(() => '', String)
    await expect.poll(reject, soon).toContain('synchronous_commit=local')
  } finally {
    await pool.query('alter system reset synchronous_standby_names')
    await pool.query('alter system reset synchronous_commit')
    await pool.query('select pg_reload_conf()')
  }
})
