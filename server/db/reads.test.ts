import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '#server/http/server.ts'
import { addressOf, queryOnce, startReplica, type TestCluster } from '#tests/support/replica.ts'
import { type Replicated, startReplicated } from '#tests/support/replicated.ts'
import { openDatabase } from './database.ts'
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

/** Where this process would read, with these replicas; `lines` get what it logs. */
function open(addresses: string[], lines: string[] = []) {
  const logTo = { write: (line: string) => void lines.push(line) }
  const { log } = createServer({ log: 'info', logTo, trustProxy: [], isHttps: false })
  const reads = openReads({ db: openDatabase(pool), pool, replicaUrls: addresses, log })
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
