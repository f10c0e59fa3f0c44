import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { callbackUrl } from '#server/features/accounts/discord.ts'
import { JobQueue } from '#server/platform/jobs/queue.ts'
import { type FakeDiscord, startFakeDiscord } from '#server/operations/fake-discord/fake-discord.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { startPooler, type TestPooler } from '#tests/support/pooler.ts'
import { addressOf, queryOnce, startCluster, type TestCluster } from '#tests/support/replica.ts'
import { publish } from '#tests/support/scripts.ts'
import { signInAs } from '#tests/support/sign-in.ts'
import { openPool } from './pool.ts'
import { openSitePool, prepareExternalDatabase } from './prepare.ts'

const SERVER_CONNECTIONS = 4

let cluster: TestCluster
let pooler: TestPooler
let fakeDiscord: FakeDiscord
let sites: [TestApp, TestApp]
/** Close everything that is open, also if `beforeAll` fails. */
const closers: (() => Promise<void>)[] = []
const soon = { timeout: 15_000, interval: 20 }

beforeAll(async () => {
  cluster = await startCluster()
  closers.push(() => cluster.stop())
  pooler = await startPooler({ cluster, size: SERVER_CONNECTIONS })
  closers.push(() => pooler.stop())
  fakeDiscord = await startFakeDiscord({
    appEnv: 'local',
    apiUrl: 'https://discord.com/api',
    redirectUri: callbackUrl('http://127.0.0.1:1'),
  })
  closers.push(() => fakeDiscord.close())
  sites = await Promise.all([open(), open()])
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const direct = () => addressOf(cluster, cluster.connection.database)

/** Starts as the server does, also on an empty database. */
async function open(): Promise<TestApp> {
  const urls = { databaseUrl: pooler.addressOf('limited'), databaseDirectUrl: direct() }
  const pool = openSitePool(urls.databaseUrl, urls)
  closers.push(() => pool.end())
  await prepareExternalDatabase(pool, urls)
  const database = { connection: cluster.connection, pool, drop: () => Promise.resolve() }
  const { apiUrl, clientId, clientSecret } = fakeDiscord
  const site = await createAppOn(database, pool, {
    ...urls,
    rateLimit: true,
    publicUrl: 'http://127.0.0.1:1',
    discord: { apiUrl, clientId, clientSecret, cdnUrl: 'https://cdn.example' },
  })
  closers.push(() => site.close())
  return site
}

describe('a site behind PgBouncer in transaction mode', () => {
  test('signs in, publishes, rates, lists and notifies the stream of another process', async () => {
    const [here, there] = sites
    const author = { authorization: `Bearer ${await signInAs(here.app)}` }
    const reader = { authorization: `Bearer ${await signInAs(there.app)}` }
    const id = await publish(here, author, { title: 'Pooled' })

    await there.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = there.app.server.address() as AddressInfo
    const closing = new AbortController()
    const url = `http://127.0.0.1:${port}/api/notification-stream`
    const stream = await fetch(url, { headers: author, signal: closing.signal })
    let received = ''
    const listening = (async () => {
      for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString()
    })().catch(() => {})
    await expect.poll(() => received, soon).toContain('retry: ')

    const payload = { rating: 4, review: 'Does what it says.' }
    const rated = await here.app.inject({
      method: 'POST',
      url: `/api/script-rating?id=${id}`,
      headers: reader,
      payload,
    })
    expect(rated.statusCode).toBe(200)
    await expect.poll(() => received, soon).toContain('event: changed')
    closing.abort()
    await listening

    const list = async () => (await there.app.inject('/api/scripts?search=pooled')).json<ScriptList>().scripts
    await expect.poll(list, soon).toMatchObject([{ id, title: 'Pooled', rating_count: 1 }])
  })

  test('runs jobs that another process adds, and repeats those that fail', async () => {
    const pools = [openPool(pooler.addressOf('limited'), 3, { isPooler: true }), openPool(direct(), 1)] as const
    const { log } = sites[0].app
    const openQueue = (runsJobs: boolean) =>
      new JobQueue({
        pool: pools[0],
        directPool: pools[1],
        log,
        runsJobs,
        intervals: { pollSeconds: 0.5, superviseSeconds: 1 },
      })
    const [adding, running] = [openQueue(false), openQueue(true)]
    const options = { concurrency: 2, attempts: 3, timeoutSeconds: 30 }
    const runs: string[] = []
    adding.work('reanalyze-code', options, async () => {})
    running.work('reanalyze-code', options, async () => {
      runs.push(runs.length === 0 ? 'failed' : 'done')
      if (runs.length === 1) throw new Error('the first attempt fails')
    })
    await adding.start()
    await running.start()
    const { db } = sites[0]
    const readStates = async () => {
      const { rows } = await sql<{ state: string }>`
        select state::text from jobs.job where name = 'reanalyze-code' order by created_on`.execute(db)
      return rows.map(({ state }) => state)
    }
    await db.transaction().execute((trx) => adding.enqueue(trx, 'reanalyze-code', { sha256: 'pooled' }))
    await expect.poll(() => runs, soon).toEqual(['failed'])
    await expect.poll(readStates, soon).toEqual(['retry'])
    await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
    await expect.poll(() => runs, soon).toEqual(['failed', 'done'])
    await expect.poll(readStates, soon).toEqual(['completed'])
    await Promise.all([adding.close(), running.close()])
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('isolates two interleaved transactions', async () => {
    const [here, there] = sites
    const id = await makeScript(here.db, { title: 'Before' })
    const titleIn = async (db: TestApp['db']) =>
      (await db.selectFrom('scripts').select('title').where('id', '=', id).executeTakeFirst())?.title
    const timeoutIn = async (db: TestApp['db']) =>
      (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statement_timeout
    await here.db.transaction().execute(async (first) => {
      await there.db.transaction().execute(async (second) => {
        await sql`set local statement_timeout = '7s'`.execute(first)
        await first.updateTable('scripts').set({ title: 'First' }).where('id', '=', id).execute()
        expect([await titleIn(second), await timeoutIn(second)]).toEqual(['Before', '20s'])
        await sql`set local statement_timeout = '9s'`.execute(second)
        expect([await titleIn(first), await timeoutIn(first)]).toEqual(['First', '7s'])
        expect(await timeoutIn(second)).toBe('9s')
      })
    })
    expect([await titleIn(there.db), await timeoutIn(there.db)]).toEqual(['First', '20s'])
  })

  test('shares a few server connections among many client connections', async () => {
    const clients = Array.from({ length: 24 }, () => new pg.Client(pooler.addressOf('limited')))
    await Promise.all(clients.map((client) => client.connect()))
    const pids = await Promise.all(
      clients.map(
        async (client) => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
      ),
    )
    const reads = sites.flatMap(({ app }) =>
      Array.from({ length: 40 }, (_, page) => app.inject(`/api/scripts?page=${page + 1}`)),
    )
    expect(new Set((await Promise.all(reads)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(clients).toHaveLength(24)
    expect(new Set(pids).size).toBeLessThanOrEqual(SERVER_CONNECTIONS)
    const [counted] = await queryOnce<{ pooled: number }>(
      cluster.connection,
      `select count(*)::int as pooled from pg_stat_activity
        where backend_type = 'client backend' and query not ilike 'listen%' and pid <> pg_backend_pid()`,
    )
    expect(counted?.pooled).toBeGreaterThan(0)
    expect(counted?.pooled).toBeLessThanOrEqual(SERVER_CONNECTIONS)
    await Promise.all(clients.map((client) => client.end()))
  })

  test('replaces connections that go silent, and leaves long statements alone', async () => {
    const { hostname: host, port, username: user } = new URL(pooler.addressOf('limited'))
    const line = await startDatabaseProxy({ host, port: Number(port), user, database: 'limited' })
    const pool = openPool(line.connection, 2, { isPooler: true, silence: { tickMs: 20 } })
    const lent = await Promise.all([pool.connect(), pool.connect()])
    await Promise.all(lent.map((client) => client.query('select 1')))
    for (const client of lent) client.release()
    expect((await pool.query<{ slept: string }>('select pg_sleep(1)::text as slept')).rows).toEqual([{ slept: '' }])
    line.silence()
    await expect(pool.query('select 1')).rejects.toThrow('the connection is silent')
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    await line.close()
  })

  test('counts each call of a member once across all processes', async () => {
    const headers = await signIn(sites[0].db)
    const calls = Array.from({ length: 60 }, (_, i) =>
      (i % 2 ? sites[1] : sites[0]).app.inject({ method: 'DELETE', url: '/api/script-rating?id=1', headers }),
    )
    await Promise.all(calls)
    const { rows } = await sites[0].pool.query<{ points: number }>(
      `select points from rate_limits where key like 'member write:%' order by points desc limit 1`,
    )
    expect(rows).toEqual([{ points: 60 }])
  })
})

describe('a pooler is rejected in a sentence that names the setting', () => {
  const prepare = async (databaseUrl: string, databaseDirectUrl?: string) => {
    const urls = databaseDirectUrl ? { databaseDirectUrl } : {}
    const pool = openSitePool(databaseUrl, urls)
    try {
      await prepareExternalDatabase(pool, urls)
    } finally {
      await pool.end()
    }
  }

  test('if it is not declared as one', async () => {
    await expect(prepare(pooler.addressOf('limited'))).rejects.toThrow(
      /^DATABASE_URL is a database .*it is a pooler, so set DATABASE_DIRECT_URL to the server itself\.$/,
    )
  })

  test('if it is configured to drop our settings', async () => {
    const silent = await startPooler({ cluster, size: 1, ignores: 'statement_timeout,options' })
    await expect(prepare(silent.addressOf('bare'))).rejects.toThrow(
      /^DATABASE_URL ignores our statement_timeout.*set DATABASE_DIRECT_URL to the server itself\.$/,
    )
    await silent.stop()
  })

  test('if statements behind it have no time limit', async () => {
    await expect(prepare(pooler.addressOf('bare'), direct())).rejects.toThrow(
      /^DATABASE_URL sets no statement_timeout; configure the pooler to set it/,
    )
  })

  test('if the server behind it cannot be reached', async () => {
    await expect(prepare(pooler.addressOf('limited'), 'postgres://127.0.0.1:1/none')).rejects.toThrow(
      /^DATABASE_DIRECT_URL is a database that cannot be used \(/,
    )
  })
})
