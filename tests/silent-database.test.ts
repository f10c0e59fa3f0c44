import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { type Replicated, startReplicated } from '#tests/support/replicated.ts'
import { openSiteFolder, readPostmasterPid, type SiteFolder } from '#tests/support/site-process.ts'
import {
  attackSilentDatabase,
  type SilentDatabaseAttack,
  type SilentDatabaseMetrics,
  stopPostgres,
} from '#lab/attack/silent-database.ts'

let { primary, replica, pool, close } = {} as Replicated
let proxy: DatabaseProxy
let replicaProxy: DatabaseProxy
let memberHeaders: Record<string, string>
let folder: SiteFolder
let origin: string
beforeAll(async () => {
  ;({ primary, replica, pool, close } = await startReplicated(migrate))
  const db = openDatabase(pool)
  await makeScript(db)
  memberHeaders = await signIn(db)
})
afterAll(() => close())

/** The sites share a database. */
const SECRET_KEY = '00'.repeat(32)
/** Each request costs processor time, which other tests need. */
const INTERVAL_MS = 250

const urlOf = ({ connection: { host, user, database } }: DatabaseProxy) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

/** Starts a site for the tests of a group. Its connections to the primary and the replica can be silenced. */
function useSite(chooseSettings: () => Record<string, string>): void {
  beforeAll(async () => {
    proxy = await startDatabaseProxy(primary.connection)
    replicaProxy = await startDatabaseProxy(replica.connection)
    folder = openSiteFolder()
    const run = await folder.start({ RATE_LIMIT: 'off', SECRET_KEY, ...chooseSettings() })
    origin = await run.origin()
  })
  afterAll(async () => {
    await folder.close()
    await proxy.close()
    await replicaProxy.close()
  })
}

const attack = (options: Omit<SilentDatabaseAttack, 'origin'>) =>
  attackSilentDatabase({ origin, intervalMs: INTERVAL_MS, ...options })

/** What visitors noticed of an attack. A request without a response counts as status 0. */
function summarize({ statuses, recoveryMs }: SilentDatabaseMetrics) {
  return {
    cached: statusesOf(statuses.cached),
    health: statusesOf(statuses.health),
    hasUnanswered: 0 in statuses.database || 0 in statuses.ready,
    hasRecovered: Number.isFinite(recoveryMs),
  }
}
const RECOVERED = { cached: [200], health: [200], hasUnanswered: false, hasRecovered: true }

const statusesOf = (counts: Record<number, number>) => Object.keys(counts).map(Number)

const TIMEOUT = { timeout: 180_000 }

describe.each([
  ['one process', {}],
  ['two workers', { WORKERS: '2' }],
])('%s', TIMEOUT, (_name, settings) => {
  useSite(() => ({ DATABASE_URL: urlOf(proxy), ...settings }))

  test('serves again after all connections to the database went silent', async () => {
    const metrics = await attack({ memberHeaders, silence: () => proxy.silence() })
    expect(summarize(metrics)).toEqual(RECOVERED)
  })

  test('serves cached pages and lists while the database does not answer', async () => {
    const metrics = await attack({
      memberHeaders,
      silence: () => proxy.silence({ andNew: true }),
      restore: () => proxy.unsilence(),
      silentMs: 6000,
    })
    expect(summarize(metrics)).toEqual(RECOVERED)
    expect(statusesOf(metrics.statuses.ready)).toEqual([200, 503])
  })
})

describe('a site with a replica', TIMEOUT, () => {
  useSite(() => ({ DATABASE_URL: urlOf(proxy), DATABASE_REPLICA_URLS: urlOf(replicaProxy) }))

  test('serves again after the connections to both went silent', async () => {
    const silence = () => {
      proxy.silence()
      replicaProxy.silence()
    }
    expect(summarize(await attack({ memberHeaders, silence }))).toEqual(RECOVERED)
  })
})

describe('a site with the embedded PostgreSQL', TIMEOUT, () => {
  useSite(() => ({}))

  test('serves cached pages and lists while PostgreSQL is stopped', async () => {
    let resume = () => {}
    const metrics = await attack({
      silence: () => {
        resume = stopPostgres(readPostmasterPid(folder.dataDir))
      },
      restore: () => resume(),
      silentMs: 5000,
    })
    expect(summarize(metrics)).toEqual(RECOVERED)
    expect(statusesOf(metrics.statuses.ready)).toEqual([200, 503])
  })
})
