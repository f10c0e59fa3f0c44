import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Profile } from '#contract/members.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { type EmbeddedPostgres, startPostgres } from '#server/db/embedded.ts'
import { openPool } from '#server/db/pool.ts'
import { PER_ADDRESS } from '#server/rate-limits.ts'
import { type Connection, connectToEach, findServingProcess } from '#tests/support/http-connection.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { choosePerson } from '#tests/support/sign-in.ts'
import { isAlive, openSiteFolder, type SiteProcess, type SiteFolder } from '#tests/support/site-process.ts'

const SOON = { timeout: 20_000, interval: 50 }

/** The calls of somebody at this address. */
const from = (address: string) => ({ 'x-forwarded-for': address, 'user-agent': 'test' })

let folder: SiteFolder
let postgres: EmbeddedPostgres
let databaseFolder: SiteFolder
let pool: pg.Pool
let db: Database
let run: SiteProcess
let open: Connection[] = []
let one: Connection
let other: Connection

beforeAll(async () => {
  folder = openSiteFolder()
  databaseFolder = openSiteFolder()
  postgres = await startPostgres({ dataDir: databaseFolder.dataDir })
  pool = openPool(postgres.connection)
  db = openDatabase(pool)
  const { host, user, database } = postgres.connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  run = await folder.start({ WORKERS: '2', DATABASE_URL, TRUST_PROXY: 'loopback' })
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

/** A member, signed in; with a script where there is a title. */
const meet = async (more: Parameters<typeof makeMember>[1] = {}) => {
  const id = await makeMember(db, more)
  return { id, headers: await signIn(db, id) }
}

const isListed = async (connection: Connection, title: string) => {
  const { scripts } = await connection.requestJson<ScriptList>(`/api/scripts?search=${title}`)
  return scripts.some((script) => script.title === title)
}

/** Changes come without the feed meanwhile: only the processes themselves can tell each other. */
async function withoutFeed(act: () => Promise<void>): Promise<void> {
  await sql`alter function note_scripts(int[]) rename to note_scripts_kept`.execute(db)
  await sql`create function note_scripts(int[]) returns void language sql as ''`.execute(db)
  try {
    await act()
  } finally {
    await sql`drop function note_scripts(int[])`.execute(db)
    await sql`alter function note_scripts_kept(int[]) rename to note_scripts`.execute(db)
  }
}

test('answer on one port, and say once where the site is', async () => {
  expect((await one.request('/')).status).toBe(200)
  expect((await other.request('/')).status).toBe(200)
  expect(run.output().split(' is at ')).toHaveLength(2)
})

test('count the sign-ins of one address together', async () => {
  const { calls } = PER_ADDRESS.sign_in
  const begin = async (connection: Connection) =>
    (await connection.request('/api/discord-auth', { headers: from('203.0.113.1') })).status
  for (let n = 0; n < calls; n++) expect(await begin(n % 2 === 0 ? one : other)).toBe(200)
  expect([await begin(one), await begin(other)]).toEqual([429, 429])
})

test('count the reads of one address together, and with those of another machine', async () => {
  const read = async (connection: Connection) =>
    (await connection.request('/api/site', { headers: from('203.0.113.2') })).status
  const elsewhere = { key: 'address read:203.0.113.2', points: PER_ADDRESS.read.calls - 100 }
  await db
    .insertInto('rate_limits')
    .values({ ...elsewhere, expire: Date.now() + 60_000 })
    .execute()
  expect([await read(one), await read(other)]).toEqual([200, 200])
  await expect.poll(() => read(one), { timeout: 20_000, interval: 0 }).toBe(429)
  await expect.poll(() => read(other), { timeout: 20_000, interval: 20 }).toBe(429)
})

test('let a sign-in begin in one, go on in the other and count in both', async () => {
  const begun = await one.request('/api/discord-auth', { headers: from('203.0.113.3') })
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  const { authUrl } = JSON.parse(begun.text) as { authUrl: string }
  const back = await choosePerson(new URL(authUrl), 'new')
  const arrived = await other.request(back, { headers: { ...from('203.0.113.3'), cookie } })
  const token = new URL(String(arrived.headers.location), 'http://site').searchParams.get('token')
  const known = await one.request('/api/user-profile', { headers: { authorization: `Bearer ${token}`, cookie } })
  expect(known.status).toBe(200)
  const lasting = { headers: { authorization: `Bearer ${String(known.headers['session-token'])}` } }
  expect((await other.request('/api/user-profile', lasting)).status).toBe(200)
  expect((await one.request('/api/session', { ...lasting, method: 'DELETE' })).status).toBe(200)
  expect((await other.request('/api/user-profile', lasting)).status).toBe(401)
})

test('end a member at once when one of them bans', async () => {
  const admin = await meet({ is_admin: true })
  const member = await meet()
  const status = async (connection: Connection) => (await connection.request('/api/user-profile', member)).status
  expect([await status(one), await status(other)]).toEqual([200, 200])
  const body = { action: 'ban_user', user_id: member.id, reason: 'Spam', duration: 'permanent' }
  expect((await one.request('/api/admin-keys', { method: 'POST', headers: admin.headers, body })).status).toBe(200)
  expect([await status(other), await status(one)]).toEqual([401, 401])
})

test('count a visitor once, whoever answers', async () => {
  const script = await makeScript(db)
  const visit = (connection: Connection, address: string) =>
    connection.request(`/api/script-details-slug?slug=x-${script}`, { headers: from(address) })
  await visit(one, '203.0.113.10')
  await visit(other, '203.0.113.10')
  // With these two it is known that both have written what they had.
  await visit(one, '203.0.113.11')
  await visit(other, '203.0.113.12')
  const views = async () => {
    const rows = db.selectFrom('script_stats').select('view_count').where('script_id', '=', script)
    return (await rows.executeTakeFirstOrThrow()).view_count
  }
  await expect.poll(views, SOON).toBeGreaterThanOrEqual(3)
  expect(await views()).toBe(3)
})

test('show in lists what the other one wrote', async () => {
  const member = await meet()
  const script = await makeScript(db, { author_id: member.id, title: 'Beforehand' })
  await expect.poll(() => isListed(other, 'Beforehand'), SOON).toBe(true)
  const change = { method: 'PUT', headers: member.headers, body: { title: 'Afterwards' } }
  expect((await one.request(`/api/script-details?id=${script}`, change)).status).toBe(200)
  expect(await isListed(one, 'Afterwards')).toBe(true)
  await expect.poll(() => isListed(other, 'Afterwards'), SOON).toBe(true)
  await expect.poll(() => isListed(other, 'Beforehand'), SOON).toBe(false)
})

test('tell each other what they wrote before the feed does', async () => {
  const member = await meet()
  const script = await makeScript(db, { author_id: member.id, title: 'Untold' })
  await expect
    .poll(async () => [await isListed(one, 'Untold'), await isListed(other, 'Untold')], SOON)
    .toEqual([true, true])
  await withoutFeed(async () => {
    const change = { method: 'PUT', headers: member.headers, body: { title: 'Whispered' } }
    expect((await one.request(`/api/script-details?id=${script}`, change)).status).toBe(200)
    await expect.poll(() => isListed(other, 'Whispered'), SOON).toBe(true)
  })
})

test('tell each other of the profile of somebody without scripts', async () => {
  const member = await meet()
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

test('tell a stream that the other one holds', async () => {
  const admin = await meet({ is_admin: true })
  const member = await meet()
  const script = await makeScript(db, { author_id: member.id })
  const stream = await other.stream('/api/notification-stream', { headers: member.headers })
  let heard = ''
  stream.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  await expect.poll(() => heard, SOON).toContain('retry: ')
  const body = { script_id: script }
  expect((await one.request('/api/showcases', { method: 'POST', headers: admin.headers, body })).status).toBe(200)
  await expect.poll(() => heard, SOON).toContain('event: changed')
  stream.destroy()
})

test('go on when one is killed, which comes back and knows since when the site runs', async () => {
  const admin = await meet({ is_admin: true })
  const startedAt = async (connection: Connection) =>
    (await connection.requestJson<AdminStats>('/api/admin-keys?type=stats', admin)).system.started_at
  const before = await startedAt(one)
  expect(await startedAt(other)).toBe(before)
  const killed = await findServingProcess(run, one)
  const kept = await findServingProcess(run, other)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => isAlive(killed), SOON).toBe(false)
  expect(await findServingProcess(run, other)).toBe(kept)
  expect((await other.request('/readyz')).status).toBe(200)
  await expect.poll(() => run.output(), SOON).toMatch(/Server process \d ended \(SIGKILL\)/)

  const back = async () => [...(await connectToEach(run, 2)).entries()].find(([pid]) => pid !== kept)
  await expect.poll(back, SOON).toBeDefined()
  const [pid, connection] = (await back()) ?? []
  expect(pid).not.toBe(killed)
  expect(connection && (await startedAt(connection))).toBe(before)
})

test('let one be ended by its own signal after it has answered, and bring it back', async () => {
  const ended = await findServingProcess(run, one)
  process.kill(ended, 'SIGTERM')
  await expect.poll(() => isAlive(ended), SOON).toBe(false)
  await expect.poll(() => run.output(), SOON).toMatch(/Server process \d ended \(code 0\)/)
  await expect.poll(async () => (await connectToEach(run, 2)).size, SOON).toBe(2)
})
