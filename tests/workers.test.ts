import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Profile } from '#contract/members.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { openPool } from '#server/platform/db/pool.ts'
import { PER_ADDRESS } from '#server/rate-limits.ts'
import { type Connection, connectToEach, findServingProcess } from '#tests/support/http-connection.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { choosePerson } from '#tests/support/sign-in.ts'
import { isAlive, openSiteFolder, type SiteProcess, type SiteFolder } from '#tests/support/site-process.ts'

const SOON = { timeout: 60_000, interval: 50 }

/** Headers of a request from this address. */
const from = (address: string) => ({ 'x-forwarded-for': address, 'user-agent': 'test' })

let folder: SiteFolder
let postgres: EmbeddedPostgres
let databaseFolder: SiteFolder
let pool: pg.Pool
let db: Database
let run: SiteProcess
let open: Connection[] = []
let metricsPort: number
let one: Connection
let other: Connection

beforeAll(async () => {
  folder = openSiteFolder()
  databaseFolder = openSiteFolder()
  copyPreparedData(databaseFolder.dataDir)
  postgres = await startPostgres({ dataDir: databaseFolder.dataDir })
  pool = openPool(postgres.connection)
  db = openDatabase(pool)
  const { host, user, database } = postgres.connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  metricsPort = await findFreePort()
  const METRICS_PORT = String(metricsPort)
  run = await folder.start({ WORKERS: '2', DATABASE_URL, TRUST_PROXY: 'loopback', METRICS_PORT })
  await run.origin()
})
afterAll(async () => {
  await folder.close()
  await pool.end()
  await postgres.stop()
  await databaseFolder.close()
})
beforeEach(async () => {
  open = [...(await connectToEach(run, 2)).values()]
  ;[one, other] = open as [Connection, Connection]
})
afterEach(() => {
  for (const connection of open) connection.close()
})

const createMember = async (more: Parameters<typeof makeMember>[1] = {}) => {
  const id = await makeMember(db, more)
  return { id, headers: await signIn(db, id) }
}

const isListed = async (connection: Connection, title: string) => {
  const { scripts } = await connection.requestJson<ScriptList>(`/api/scripts?search=${title}`)
  return scripts.some((script) => script.title === title)
}

/** Deletes the rows of the change feed at commit, so that only messages between the workers can report a change. */
async function withoutFeed(act: () => Promise<void>): Promise<void> {
  await sql`create function delete_change() returns trigger language plpgsql as $$
    begin
      delete from catalogue_changes where transaction_id = new.transaction_id and sequence = new.sequence;
      return null;
    end $$`.execute(db)
  await sql`create constraint trigger feed_is_off after insert on catalogue_changes deferrable initially deferred
    for each row execute function delete_change()`.execute(db)
  try {
    await act()
  } finally {
    await sql`drop trigger feed_is_off on catalogue_changes`.execute(db)
    await sql`drop function delete_change()`.execute(db)
  }
}

test('listen on one port and print the URL of the site once', async () => {
  expect((await one.request('/')).status).toBe(200)
  expect((await other.request('/')).status).toBe(200)
  expect(run.output().split(' is at ')).toHaveLength(2)
})

test('count the sign-ins of an IP address together', async () => {
  const { calls } = PER_ADDRESS.sign_in
  const begin = async (connection: Connection) =>
    (await connection.request('/api/discord-auth', { headers: from('203.0.113.1') })).status
  for (let n = 0; n < calls; n++) expect(await begin(n % 2 === 0 ? one : other)).toBe(200)
  expect([await begin(one), await begin(other)]).toEqual([429, 429])
})

test('count the reads of an IP address per worker', async () => {
  const read = async (connection: Connection) =>
    (await connection.request('/api/site', { headers: from('203.0.113.2') })).status
  const { calls } = PER_ADDRESS.read
  // More calls than the limit: on a busy machine, some are in the next window.
  let rejectedAfter = 0
  while (rejectedAfter < 5 * calls && (await read(one)) === 200) rejectedAfter++
  expect(rejectedAfter).toBeGreaterThanOrEqual(calls)
  expect(rejectedAfter).toBeLessThan(5 * calls)
  expect(await read(other)).toBe(200)
})

test('complete a sign-in that another worker started', async () => {
  const started = await one.request('/api/discord-auth', { headers: from('203.0.113.3') })
  const cookie = String(started.headers['set-cookie']).split(';', 1)[0] ?? ''
  const { authUrl } = JSON.parse(started.text) as { authUrl: string }
  const back = await choosePerson(new URL(authUrl), 'new')
  const returned = await other.request(back, { headers: { ...from('203.0.113.3'), cookie } })
  const token = new URL(String(returned.headers.location), 'http://site').searchParams.get('token')
  const profile = await one.request('/api/user-profile', { headers: { authorization: `Bearer ${token}`, cookie } })
  expect(profile.status).toBe(200)
  const session = { headers: { authorization: `Bearer ${String(profile.headers['session-token'])}` } }
  expect((await other.request('/api/user-profile', session)).status).toBe(200)
  expect((await one.request('/api/session', { ...session, method: 'DELETE' })).status).toBe(200)
  expect((await other.request('/api/user-profile', session)).status).toBe(401)
})

test('reject requests of a member as soon as another worker bans them', async () => {
  const admin = await createMember({ is_admin: true })
  const member = await createMember()
  const status = async (connection: Connection) => (await connection.request('/api/user-profile', member)).status
  expect([await status(one), await status(other)]).toEqual([200, 200])
  const body = { action: 'ban_user', user_id: member.id, reason: 'Spam', duration: 'permanent' }
  expect((await one.request('/api/admin-keys', { method: 'POST', headers: admin.headers, body })).status).toBe(200)
  expect([await status(other), await status(one)]).toEqual([401, 401])
})

test('count a visitor once across workers', async () => {
  const script = await makeScript(db)
  const visit = (connection: Connection, address: string) =>
    connection.request(`/api/script-details-slug?slug=x-${script}`, { headers: from(address) })
  await visit(one, '203.0.113.10')
  await visit(other, '203.0.113.10')
  // Both workers write their views in order: once these two are counted, the earlier ones are too.
  await visit(one, '203.0.113.11')
  await visit(other, '203.0.113.12')
  const views = async () => {
    const rows = db.selectFrom('script_stats').select('view_count').where('script_id', '=', script)
    return (await rows.executeTakeFirstOrThrow()).view_count
  }
  await expect.poll(views, SOON).toBeGreaterThanOrEqual(3)
  expect(await views()).toBe(3)
})

test('list scripts that another worker changed', async () => {
  const member = await createMember()
  const script = await makeScript(db, { author_id: member.id, title: 'Beforehand' })
  await expect.poll(() => isListed(other, 'Beforehand'), SOON).toBe(true)
  const change = { method: 'PUT', headers: member.headers, body: { title: 'Afterwards' } }
  expect((await one.request(`/api/script-details?id=${script}`, change)).status).toBe(200)
  expect(await isListed(one, 'Afterwards')).toBe(true)
  await expect.poll(() => isListed(other, 'Afterwards'), SOON).toBe(true)
  await expect.poll(() => isListed(other, 'Beforehand'), SOON).toBe(false)
})

test('notify each other of writes without waiting for the change feed', async () => {
  const member = await createMember()
  const script = await makeScript(db, { author_id: member.id, title: 'Unannounced' })
  await expect
    .poll(async () => [await isListed(one, 'Unannounced'), await isListed(other, 'Unannounced')], SOON)
    .toEqual([true, true])
  await withoutFeed(async () => {
    const change = { method: 'PUT', headers: member.headers, body: { title: 'Announced' } }
    expect((await one.request(`/api/script-details?id=${script}`, change)).status).toBe(200)
    await expect.poll(() => isListed(other, 'Announced'), SOON).toBe(true)
  })
})

test('notify each other of profile changes of a member without scripts', async () => {
  const member = await createMember()
  const bio = async (connection: Connection) =>
    (await connection.requestJson<{ profile: Profile }>(`/api/user-profiles?user_id=${member.id}`)).profile.bio
  await withoutFeed(async () => {
    expect(await bio(other)).toBe(null)
    const change = { method: 'PUT', headers: member.headers, body: { bio: 'Hello.' } }
    expect((await one.request('/api/user-profiles', change)).status).toBe(200)
    expect(await bio(one)).toBe('Hello.')
    await expect.poll(() => bio(other), SOON).toBe('Hello.')
  })
})

test('notify a stream that another worker serves', async () => {
  const admin = await createMember({ is_admin: true })
  const member = await createMember()
  const script = await makeScript(db, { author_id: member.id })
  const stream = await other.stream('/api/notification-stream', { headers: member.headers })
  let received = ''
  stream.on('data', (chunk: Buffer) => (received += chunk.toString()))
  await expect.poll(() => received, SOON).toContain('retry: ')
  const body = { script_id: script }
  expect((await one.request('/api/showcases', { method: 'POST', headers: admin.headers, body })).status).toBe(200)
  await expect.poll(() => received, SOON).toContain('event: changed')
  stream.destroy()
})

test('keep serving when a worker is killed, and its replacement reports the same start time', async () => {
  const admin = await createMember({ is_admin: true })
  const startedAt = async (connection: Connection) =>
    (await connection.requestJson<AdminStats>('/api/admin-keys?type=stats', admin)).system.started_at
  const before = await startedAt(one)
  expect(await startedAt(other)).toBe(before)
  const killed = await findServingProcess(run, one)
  const survivor = await findServingProcess(run, other)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => isAlive(killed), SOON).toBe(false)
  expect(await findServingProcess(run, other)).toBe(survivor)
  expect((await other.request('/readyz')).status).toBe(200)
  await expect.poll(() => run.output(), SOON).toMatch(/Worker \d exited \(SIGKILL\)/)

  // Throws until both serve.
  const serving = await vi.waitFor(() => connectToEach(run, 2), SOON)
  open.push(...serving.values())
  const replacement = [...serving].find(([pid]) => pid !== survivor)
  expect(replacement?.[0]).not.toBe(killed)
  expect(replacement && (await startedAt(replacement[1]))).toBe(before)
})

test('replace a worker that SIGTERM stops', async () => {
  const ended = await findServingProcess(run, one)
  process.kill(ended, 'SIGTERM')
  await expect.poll(() => isAlive(ended), SOON).toBe(false)
  await expect.poll(() => run.output(), SOON).toMatch(/Worker \d exited \(code 0\)/)
  await expect.poll(async () => (await connectToEach(run, 2)).size, SOON).toBe(2)
})

test('the metrics of both workers are added up', async () => {
  const countReads = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const line = text.split('\n').find((each) => each.includes('{method="GET",route="/api/site",status="200"}'))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const before = await countReads()
  const statuses: number[] = []
  // From an address of their own: the tests before have used up the reads of this machine's.
  const headers = from('203.0.113.20')
  for (const connection of [one, other, other])
    statuses.push((await connection.request('/api/site', { headers })).status)
  expect(statuses).toEqual([200, 200, 200])
  // A request is counted after its response was sent.
  await expect.poll(countReads, SOON).toBe(before + 3)
})
