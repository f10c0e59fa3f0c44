import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { type Replicated, startReplicated } from '#tests/support/replicated.ts'
import { openSiteFolder, readPostmasterPid, type SiteFolder, type SiteProcess } from '#tests/support/site-process.ts'
import { attackSilentDatabase, type SilentDatabaseMetrics, stopPostgres } from '#attack/silent-database.ts'

let { primary, replica, pool, close } = {} as Replicated
let line: DatabaseProxy
let replicaLine: DatabaseProxy
let memberHeaders: Record<string, string>
let folder: SiteFolder
let run: SiteProcess
beforeAll(async () => {
  ;({ primary, replica, pool, close } = await startReplicated(migrate))
  const db = openDatabase(pool)
  await makeScript(db)
  memberHeaders = await signIn(db)
})
afterAll(() => close())
beforeEach(async () => {
  line = await startDatabaseProxy(primary.connection)
  replicaLine = await startDatabaseProxy(replica.connection)
  folder = openSiteFolder()
})
afterEach(async () => {
  await folder.close()
  await line.close()
  await replicaLine.close()
})

/** The sites share a database. */
const SECRET_KEY = '00'.repeat(32)

const urlOf = ({ connection: { host, user, database } }: DatabaseProxy) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

async function start(settings: Record<string, string> = {}): Promise<string> {
  run = await folder.start({ DATABASE_URL: urlOf(line), RATE_LIMIT: 'off', SECRET_KEY, ...settings })
  return run.origin()
}

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

describe.each([
  ['one process', {}],
  ['two workers', { WORKERS: '2' }],
])('%s', (_name, settings) => {
  test('serves again after all connections to the database went silent', { timeout: 180_000 }, async () => {
    const origin = await start(settings)
    const metrics = await attackSilentDatabase({ origin, memberHeaders, silence: () => line.silence() })
    expect(summarize(metrics)).toEqual(RECOVERED)
  })

  test('serves cached pages and lists while the database does not answer', { timeout: 180_000 }, async () => {
    const origin = await start(settings)
    const metrics = await attackSilentDatabase({
      origin,
      memberHeaders,
      silence: () => line.silence({ andNew: true }),
      restore: () => line.unsilence(),
      silentMs: 6000,
    })
    expect(summarize(metrics)).toEqual(RECOVERED)
    expect(statusesOf(metrics.statuses.ready)).toEqual([200, 503])
  })
})

test('a site with a replica serves again after the connections to both went silent', { timeout: 180_000 }, async () => {
  const origin = await start({ DATABASE_REPLICA_URLS: urlOf(replicaLine) })
  const silence = () => {
    line.silence()
    replicaLine.silence()
  }
  const metrics = await attackSilentDatabase({ origin, memberHeaders, silence })
  expect(summarize(metrics)).toEqual(RECOVERED)
})

test('serves cached pages and lists while the embedded PostgreSQL is stopped', { timeout: 180_000 }, async () => {
  run = await folder.start({ RATE_LIMIT: 'off' })
  const origin = await run.origin()
  let resume = () => {}
  const metrics = await attackSilentDatabase({
    origin,
    silence: () => {
      resume = stopPostgres(readPostmasterPid(folder.dataDir))
    },
    restore: () => resume(),
    silentMs: 5000,
  })
  expect(summarize(metrics)).toEqual(RECOVERED)
  expect(statusesOf(metrics.statuses.ready)).toEqual([200, 503])
})
