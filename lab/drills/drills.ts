import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkSums } from '#lab/attack/checks.ts'
import { Client, json } from '#lab/attack/client.ts'
import type { Report } from '#lab/attack/report.ts'
import { stopPostgres } from '#lab/attack/silent-database.ts'
import { AttackedSite } from '#lab/attack/site.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { type ClusterOptions, type DatabaseNode, PostgresCluster } from './cluster.ts'
import { fillDisk, wrapInSmallDisk } from './disk.ts'
import { Load } from './load.ts'
import { type Fault, findFailures, formatOutcome } from './outcome.ts'
import { describeVersions } from './programs.ts'

export interface DrillOptions {
  writesPerSecond: number
  rounds: number
  print: (line: string) => void
}

type Drill = (report: Report, options: DrillOptions) => Promise<void>

const MAX_PAUSE_MS = 15_000
/** Like systemd with Restart=always and RestartSec=1. */
const RESTART_AFTER_MS = 1000
const CALM_MS = 3000
const SHOWN_LINES = 10
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface Scene {
  cluster: PostgresCluster
  site: AttackedSite
  load: Load
  report: Report
  faults: Fault[]
  begin: (name: string, maxPauseMs?: number) => void
}

interface SceneOptions extends DrillOptions {
  cluster?: ClusterOptions
  /** Settings of the site; DATABASE_URL leads to HAProxy by default. */
  settings?: (cluster: PostgresCluster) => Promise<Record<string, string>> | Record<string, string>
  prepare?: (cluster: PostgresCluster) => Promise<void>
}

/** Starts a cluster, a site on it and its visitors, runs the drill, and checks that no acknowledged write is lost. */
async function onCluster(report: Report, options: SceneOptions, run: (scene: Scene) => Promise<void>): Promise<void> {
  const { print, writesPerSecond } = options
  const cluster = new PostgresCluster(options.cluster)
  const closers: (() => Promise<void>)[] = [() => cluster.close()]
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  const stop = () => void close().then(() => process.exit(1))
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    print(describeVersions(cluster.programs))
    await cluster.start()
    await options.prepare?.(cluster)
    const settings = { DATABASE_URL: cluster.url, LOG_LEVEL: 'warn', ...(await options.settings?.(cluster)) }
    const site = new AttackedSite({ settings })
    closers.push(() => site.close())
    await site.start()
    const pool = openPool(cluster.url, 2)
    closers.push(() => pool.end())
    const load = new Load({ port: site.port, report, pool, writesPerSecond })
    const faults: Fault[] = []
    const begin = (name: string, maxPauseMs?: number) => {
      print(name)
      faults.push({ name, startedAt: performance.now(), ...(maxPauseMs === undefined ? {} : { maxPauseMs }) })
    }
    await load.start()
    begin('no fault')
    const rowsBefore = await countInserts(pool)
    await load.waitForWrites(10 * writesPerSecond)
    const rows = (await countInserts(pool)) - rowsBefore
    const seconds = (performance.now() - load.startedAt) / 1000
    print(`${Math.round(load.acknowledgedAt.length / seconds)} writes and ${Math.round(rows / seconds)} rows a second`)
    await run({ cluster, site, load, report, faults, begin })
    const endedAt = performance.now()
    await load.stop()
    await load.verify(pool)
    await checkSums(report, pool)
    const { startedAt, acknowledgedAt, reads } = load
    const measured = { startedAt, endedAt, faults, acknowledgedAt, reads }
    for (const failure of findFailures(measured)) report.check(false, () => failure)
    print(formatOutcome(measured))
    if (report.failures.size > 0) print(site.output.split('\n').slice(-SHOWN_LINES).join('\n'))
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    await close()
  }
}

/** Rows inserted since the start of the server. */
async function countInserts(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select tup_inserted as count from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.count ?? 0
}

/** Waits until the cluster is whole and the site has served it for a while. */
async function settle({ cluster, load }: Scene, { writesPerSecond }: DrillOptions): Promise<void> {
  await load.waitForWrites(writesPerSecond)
  await cluster.waitUntilWhole()
  await sleep(CALM_MS)
  await load.waitForWrites(writesPerSecond)
}

async function killPrimary({ cluster }: Scene, restartAfterMs = RESTART_AFTER_MS): Promise<DatabaseNode> {
  const primary = await cluster.getPrimary()
  cluster.killNode(primary)
  await sleep(restartAfterMs)
  cluster.startNode(primary)
  return primary
}

/** kill -9 of all processes of the primary, again and again; an init system starts Patroni again. */
const failover: Drill = (report, options) =>
  onCluster(report, options, async (scene) => {
    for (let round = 1; round <= options.rounds; round++) {
      scene.begin(`kill -9 of the primary, ${round}`, MAX_PAUSE_MS)
      await killPrimary(scene)
      await settle(scene, options)
    }
    scene.begin('kill -9 of the primary, away for 40 s')
    await killPrimary(scene, 40_000)
    await settle(scene, options)
  })

/** Replicas that fall behind, die and are promoted, while visitors' reads go to them. */
const replica: Drill = (report, options) =>
  onCluster(
    report,
    {
      ...options,
      settings: (cluster) => ({
        DATABASE_REPLICA_URLS: cluster.nodes.map(({ postgresPort }) => cluster.urlOf(postgresPort)).join(','),
      }),
    },
    async (scene) => {
      const { cluster, begin } = scene
      const replicas = await cluster.findReplicas()
      scene.load.visitsNew = true
      begin('replay stopped on both replicas for 15 s', MAX_PAUSE_MS)
      for (const node of replicas) await cluster.query(node, 'select pg_wal_replay_pause()')
      for (let i = 0; i < 15; i++) await Promise.all([checkOwnWrite(scene), sleep(1000)])
      for (const node of replicas) await cluster.query(node, 'select pg_wal_replay_resume()')
      begin('replay resumed', MAX_PAUSE_MS)
      await settle(scene, options)
      begin('kill -9 of a replica', MAX_PAUSE_MS)
      const [first] = await cluster.findReplicas()
      if (first) cluster.killNode(first)
      await sleep(RESTART_AFTER_MS)
      cluster.startNode(first)
      await settle(scene, options)
      scene.load.visitsNew = false
      begin('kill -9 of the primary', MAX_PAUSE_MS)
      await killPrimary(scene)
      await settle(scene, options)
      await checkOwnWrite(scene)
    },
  )

/** A member publishes, edits and reads the script at once, and a visitor reads it at once. */
async function checkOwnWrite({ site, report, cluster }: Scene): Promise<void> {
  const pool = openPool(cluster.url, 1)
  const client = new Client(site.port, report)
  try {
    const db = openDatabase(pool)
    const headers = { ...(await signIn(db, await makeMember(db))), 'content-type': 'application/json' }
    const body = json({ title: 'Own write', description: 'Text.', script_content: 'return 1' })
    const published = await client.send({ method: 'POST', path: '/api/scripts', headers, body })
    const { script } = JSON.parse(published.text) as { script: { slug: string } }
    const path = `/api/script-details-slug?slug=${script.slug}`
    for (const [reader, own] of [['the author', headers] as const, ['a visitor', {}] as const]) {
      const { status } = await client.send({ method: 'GET', path, headers: own })
      report.check(status === 200, () => `${reader} got ${status} for a script that was published before`)
    }
  } finally {
    client.close()
    await pool.end()
  }
}

/** Packets between the site and the database are dropped; then the primary is stopped and continued. */
async function partition(report: Report, options: DrillOptions): Promise<void> {
  let proxy: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined
  const settings = async (cluster: PostgresCluster) => {
    const port = cluster.proxyPort
    proxy = await startDatabaseProxy({ host: '127.0.0.1', port, user: 'scriptyard', database: 'scriptyard' })
    const { username, password, pathname } = new URL(cluster.url)
    const host = encodeURIComponent(proxy.connection.host)
    return { DATABASE_URL: `postgres://${username}:${password}@localhost:${port}${pathname}?host=${host}` }
  }
  try {
    await onCluster(report, { ...options, settings }, async (scene) => {
      const { cluster, begin } = scene
      begin('open connections go silent', MAX_PAUSE_MS)
      proxy?.silence()
      await settle(scene, options)
      begin('all connections silent for 10 s')
      proxy?.silence({ andNew: true })
      await sleep(10_000)
      begin('connections work again', MAX_PAUSE_MS)
      proxy?.unsilence()
      await settle(scene, options)
      begin('primary stopped (SIGSTOP) for 40 s')
      const primary = await cluster.getPrimary()
      const [postmaster = 0] = cluster.postgresOf(primary)
      const resume = stopPostgres(postmaster)
      await sleep(40_000)
      begin('former primary goes on', MAX_PAUSE_MS)
      resume()
      await settle(scene, options)
    })
  } finally {
    await proxy?.close()
  }
}

/** PgBouncer between the site and HAProxy is killed and started again, and the primary behind it is killed. */
const pgbouncer: Drill = (report, options) =>
  onCluster(
    report,
    {
      ...options,
      prepare: (cluster) => cluster.restartPooler(),
      settings: (cluster) => ({ DATABASE_URL: cluster.poolerUrl, DATABASE_DIRECT_URL: cluster.url }),
    },
    async (scene) => {
      const { cluster, begin } = scene
      for (let round = 1; round <= options.rounds; round++) {
        begin(`kill -9 of PgBouncer, ${round}`, MAX_PAUSE_MS)
        await sleep(RESTART_AFTER_MS)
        await cluster.restartPooler()
        await settle(scene, options)
      }
      begin('kill -9 of the primary behind PgBouncer', MAX_PAUSE_MS)
      await killPrimary(scene)
      await settle(scene, options)
    },
  )

const limitLog = (cluster: PostgresCluster): Promise<void> =>
  cluster.configure({ max_wal_size: '128MB', min_wal_size: '64MB', wal_keep_size: '64MB' })

/** The disk of the primary fills up and gets room again. */
async function fullDisk(report: Report, options: DrillOptions): Promise<void> {
  const wrapFirst = wrapInSmallDisk()
  if (!wrapFirst) {
    report.skip('because mounting a small disk needs root on Linux')
    return
  }
  await onCluster(report, { ...options, cluster: { wrapFirst }, prepare: limitLog }, async (scene) => {
    const { cluster, begin } = scene
    const [first] = cluster.nodes
    if (!first) return
    begin('disk of the primary full for 40 s')
    const free = fillDisk(cluster.pathOnDisk(first, '../filler'))
    await sleep(40_000)
    begin('disk has room again', MAX_PAUSE_MS)
    free()
    await settle(scene, options)
  })
}

export const DRILLS: Record<string, Drill> = {
  failover,
  replica,
  partition,
  pgbouncer,
  'full-disk': fullDisk,
}
