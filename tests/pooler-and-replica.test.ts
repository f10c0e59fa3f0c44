import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { startPooler } from '#tests/support/pooler.ts'
import { addressOf, startCluster, startReplica, type TestReplica } from '#tests/support/replica.ts'
import { minimalScript } from '#tests/support/scripts.ts'
import { openSiteFolder } from '#tests/support/site-process.ts'

const SERVER_CONNECTIONS = 4
const SOON = { timeout: 60_000, interval: 50 }

let pool: pg.Pool
let replica: TestReplica
let origin: string
/** Open resources, also after a start that failed halfway. */
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  const cluster = await startCluster({ isMigrated: true })
  closers.push(() => cluster.stop())
  replica = await startReplica(cluster)
  closers.push(() => replica.stop())
  const pooler = await startPooler({ cluster, size: SERVER_CONNECTIONS })
  closers.push(() => pooler.stop())
  pool = openPool(cluster.connection)
  closers.push(() => pool.end())
  const folder = openSiteFolder()
  closers.push(() => folder.close())
  const run = await folder.start({
    WORKERS: '2',
    DATABASE_URL: pooler.addressOf('limited'),
    DATABASE_DIRECT_URL: addressOf(cluster, cluster.connection.database),
    DATABASE_REPLICA_URLS: addressOf(replica, cluster.connection.database),
  })
  origin = await run.origin()
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('two processes behind a pooler publish and read from the replica', async () => {
  const db = openDatabase(pool)
  const headers = { ...(await signIn(db, await makeMember(db))), 'content-type': 'application/json' }
  const body = JSON.stringify({ ...minimalScript, title: 'At large' })
  const published = await fetch(`${origin}/api/scripts`, { method: 'POST', headers, body })
  expect(published.status).toBe(201)
  const { script } = (await published.json()) as { script: { id: number; slug: string } }

  // New connections: they are distributed to the processes in turn.
  const read = (path: string) => fetch(origin + path, { headers: { connection: 'close' } })
  await expect.poll(async () => (await read('/api/scripts?search=large')).text(), SOON).toContain('At large')
  const visit = async () => expect((await read(`/api/script-versions?id=${script.id}`)).status).toBe(200)
  await expect.poll(async () => (await replica.captureStatements(visit)).includes('script_versions'), SOON).toBe(true)
  const pages = await Promise.all(Array.from({ length: 12 }, () => read(`/scripts/${script.slug}`)))
  for (const page of pages) expect([page.status, (await page.text()).includes('At large')]).toEqual([200, true])
})
