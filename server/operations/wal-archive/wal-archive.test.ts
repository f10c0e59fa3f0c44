import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { BoundedPool } from '#server/platform/db/pool.ts'
import { openSitePool } from '#server/platform/db/prepare.ts'
import { examine } from '#server/operations/doctor/doctor.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { openFileStore } from '#server/platform/media/store.ts'
import { Metrics } from '#server/operations/metrics/metrics.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { queryOnce } from '#tests/support/replica.ts'
import { startS3 } from '#tests/support/s3.ts'
import { readArchive } from './archive.ts'
import { writeBaseBackup } from './base-backup.ts'
import { describeRanges, recover } from './recover.ts'
import { removeExpired } from './retention.ts'
import { getWalArchiveState, requireOwnArchive, ScheduledBaseBackup } from './scheduled.ts'

const KEY = 'ab'.repeat(32)
const DAY_MS = 86_400_000

let folder: string
let postgres: EmbeddedPostgres
let pool: BoundedPool
let live: string
/** A copy of the archive with everything that `beforeAll` wrote. */
let whole: string
/** When Ada was a member and Bea was not. */
let earlier: Date
let walArchive: { location: string; retainedDays: number }

/** Resolves when everything written so far is in the archive. */
async function archiveAll(): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  const file = path.join(walArchive.location, 'wal', `${rows[0]?.name}.gz`)
  await vi.waitUntil(() => existsSync(file), { timeout: 30_000, interval: 50 })
}

const addMember = (name: string) => pool.query('insert into members (username, slug) values ($1, $1)', [name])
const writeBase = (isFast = true) =>
  writeBaseBackup({
    connection: { ...postgres.connection },
    storage: openStorage(walArchive.location),
    keyFolder: live,
    isFast,
  })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-wal-'))
  await chmod(folder, 0o755)
  live = path.join(folder, 'live')
  walArchive = { location: path.join(folder, "the site's archive 100%"), retainedDays: 7 }
  await mkdir(live, { mode: 0o711 })
  await writeFile(path.join(live, 'secret-key'), `${KEY}\n`, { mode: 0o600 })
  copyPreparedData(live)
  postgres = await startPostgres({ dataDir: live, walArchive, durable: false })
  pool = openSitePool(postgres.connection, {})
  await migrate(pool)
  await addMember('ada')
  await writeBase()
  await pool.query('create table first (id int)')
  await archiveAll()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  earlier = new Date((rows[0]?.now.getTime() ?? 0) + 1)
  await pool.query('select pg_sleep(0.01)')
  await pool.query(`delete from members where username = 'ada'`)
  await archiveAll()
  await addMember('bea')
  await archiveAll()
  whole = path.join(folder, 'whole')
  await cp(walArchive.location, whole, { recursive: true, preserveTimestamps: true })
  await openForPostgres(whole)
}, 120_000)
afterAll(async () => {
  await pool.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** If root runs the tests, a copy belongs to root, but PostgreSQL reads it as another user. */
async function openForPostgres(copy: string): Promise<void> {
  await chmod(path.join(copy, 'wal'), 0o755)
  for (const name of readdirSync(path.join(copy, 'wal'))) await chmod(path.join(copy, 'wal', name), 0o644)
}

let dataDir: string
let copy: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(folder, 'data-'))
  await chmod(dataDir, 0o755)
  copy = await mkdtemp(path.join(folder, 'copy-'))
  await cp(whole, copy, { recursive: true, preserveTimestamps: true })
  await chmod(copy, 0o755)
})

const recoverTo = (time: Date | undefined, location: StorageLocation = copy) =>
  recover({ location, time, dataDir, store: openFileStore(path.join(dataDir, 'media')) })

/** The message with which the restore is rejected. Expects that it has changed nothing. */
async function findFault(time?: Date): Promise<string> {
  const before = readdirSync(dataDir)
  const error: unknown = await recoverTo(time).catch((reason: unknown) => reason)
  expect(readdirSync(dataDir)).toEqual(before)
  return (error as Error).message
}

async function readRestored() {
  const restored = await startPostgres({ dataDir, durable: false })
  try {
    const members = await queryOnce<{ username: string }>(restored.connection, 'select username from members')
    const [control] = await queryOnce(restored.connection, 'select timeline_id from pg_control_checkpoint()')
    await queryOnce(restored.connection, `insert into members (username, slug) values ('new', 'new')`)
    return { members: members.map(({ username }) => username), ...control }
  } finally {
    await restored.stop()
  }
}

const segmentsOf = (archive: string) =>
  readdirSync(path.join(archive, 'wal'))
    .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    .toSorted()
const segmentAt = (index: number) => path.join(copy, 'wal', segmentsOf(copy).at(index) ?? '')

test('a new archive belongs to the user of PostgreSQL, also if root starts it', async () => {
  expect((await stat(walArchive.location)).uid).toBe((await stat(path.join(live, 'postgres'))).uid)
})

describe('a restore', () => {
  test('has the rows of a moment and none of a later one, the key, and a timeline of its own', async () => {
    expect(await recoverTo(earlier)).toMatchObject({ hasKey: true, missingImages: 0 })
    expect(readFileSync(path.join(dataDir, 'secret-key'), 'utf8')).toBe(`${KEY}\n`)
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'secret-key'])
    expect(await readRestored()).toEqual({ members: ['ada'], timeline_id: 2 })
  }, 90_000)

  test('of the latest changes works from S3-compatible storage', async () => {
    const s3 = await startS3()
    const location = { ...s3.settings, prefix: 'wal/site' }
    for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      const bytes = await readFile(path.join(copy, name)).catch(() => undefined)
      if (bytes) s3.objects.set(`wal/site/${name}`, { bytes, changedAt: new Date() })
    }
    const { lastChange } = await recoverTo(undefined, location)
    expect(new Date(lastChange ?? '').getTime()).toBeGreaterThan(earlier.getTime())
    expect(await readRestored()).toMatchObject({ members: ['bea'] })
    await s3.close()
  }, 90_000)

  test('is rejected for moments outside of the archive, with the moments that it has', async () => {
    const range = await describeRanges(openStorage(copy))
    expect(range).toMatch(/can restore moments from 20\d\d-\S+Z to 20\d\d-\S+Z\.$/)
    expect(await findFault(new Date('2020-01-01'))).toBe(
      `The time is before the first base backup. ${range} Nothing was restored.`,
    )
    expect(await findFault(new Date(Date.now() + DAY_MS))).toBe(
      `The time is after the end of the archive. ${range} Nothing was restored.`,
    )
  })

  test('names the last change if the archive has none after the moment', async () => {
    const [{ archivedAt } = { archivedAt: 0 }] = [segmentAt(-1)].map((file) => ({
      archivedAt: readFileSync(file).readUInt32LE(4) + 5,
    }))
    const last = await readFile(segmentAt(-1))
    last.writeUInt32LE(archivedAt, 4)
    await writeFile(segmentAt(-1), last)
    expect(await findFault(new Date(archivedAt * 1000))).toMatch(
      /^The archive ends before that time\. Its last change is from 20\d\d-\S+Z\. Restore an earlier time, or use --time latest/,
    )
  }, 90_000)

  test('is rejected if a segment is missing, and works before it', async () => {
    await rm(segmentAt(-2))
    const name = path.basename(segmentsOf(whole).at(-2) ?? '', '.gz')
    expect(await findFault()).toMatch(new RegExp(`^The WAL segment ${name} is missing in the archive\\..* can restore`))
    expect(await findFault(new Date(Date.now() + DAY_MS))).toMatch(/is missing in the archive/)
  })

  test('is rejected if a segment is truncated', async () => {
    await truncate(segmentAt(-1), 1000)
    const name = path.basename(segmentAt(-1))
    expect(await findFault()).toBe(`wal/${name} in ${copy} is damaged. Nothing was restored.`)
  }, 90_000)

  test('is rejected if the base backup is truncated, changed or incomplete', async () => {
    const [base = ''] = readdirSync(path.join(copy, 'base'))
    const tar = path.join(copy, 'base', base, 'base.tar.gz')
    const bytes = await readFile(tar)
    await truncate(tar, bytes.length - 1000)
    expect(await findFault()).toMatch(/base\.tar\.gz in .* is damaged or missing/)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(tar, bytes)
    expect(await findFault()).toMatch(/base\.tar\.gz in .* is damaged or missing/)
    await rm(path.join(copy, 'base', base, 'base.json'))
    expect(await findFault()).toMatch(/has no complete base backup/)
  })

  test('is rejected if the data folder has a database or another key, or another restore is running', async () => {
    await writeFile(path.join(dataDir, 'secret-key'), `${'cd'.repeat(32)}\n`)
    expect(await findFault()).toMatch(/secret-key is not the key of the archive/)
    await rm(path.join(dataDir, 'secret-key'))
    const results = await Promise.allSettled([recoverTo(earlier), recoverTo(earlier)])
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(failures).toEqual([expect.stringMatching(/DATA_DIR .* is in use by another/)])
    expect(await findFault(earlier)).toMatch(/has a database\. Set DATA_DIR to a new place/)
  }, 90_000)

  test('is repeated after one that was killed', async () => {
    const draft = path.join(dataDir, 'restoring')
    await mkdir(path.join(draft, 'postgres'), { recursive: true })
    await writeFile(path.join(draft, 'postgres', 'PG_VERSION'), '18\n')
    await recoverTo(earlier)
    expect(await readRestored()).toMatchObject({ members: ['ada'] })
  }, 90_000)
})

const examineArchive = async () =>
  (await examine({ DATA_DIR: live, WAL_ARCHIVE: walArchive.location })).filter(
    ({ subject }) => subject === 'WAL archive',
  )

/** The server on the archived database. */
async function openSite(db: Database) {
  const metrics = new Metrics()
  const config = { ...readConfig({ DATA_DIR: live, SECRET_KEY: KEY, CATALOGUE_INDEX: 'database' }), walArchive }
  const { app } = await buildApp({ config, pool, log: false, web: 'none', runsJobs: false, metrics })
  const admin = await makeMember(db, { is_admin: true })
  const headers = await signIn(db, admin)
  return {
    readMetrics: async () => {
      const text = await metrics.registry.metrics()
      const lines = text.matchAll(/^scriptyard_wal_archive_(\w+) (\S+)$/gm)
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
    },
    readSystem: async () =>
      (await app.inject({ url: '/api/admin-keys?type=stats', headers })).json<AdminStats>().system,
    close: async () => {
      await pool.query('delete from members where id = $1', [admin])
      await app.close()
    },
  }
}

describe('a site with an archive', () => {
  test('keeps its WAL while the archive cannot be written, and archives it later', async () => {
    const db = openDatabase(pool)
    const site = await openSite(db)
    const store = path.join(walArchive.location, 'wal')
    expect(await site.readMetrics()).toEqual({ failing: 0, waiting_segments: 0 })
    await rename(store, `${store}.away`)
    await writeFile(store, 'a file in the way')
    await addMember('cleo')
    await pool.query('select pg_switch_wal()')
    await expect
      .poll(() => getWalArchiveState(db, walArchive), { timeout: 20_000 })
      .toMatchObject({ isFailing: true, waiting: 1 })
    expect(await site.readMetrics()).toEqual({ failing: 1, waiting_segments: 1 })
    expect(await site.readSystem()).toMatchObject({ wal_archive: { is_failing: true, waiting: 1 } })
    expect(await examineArchive()).toContainEqual({
      subject: 'WAL archive',
      state: 'problem',
      text: expect.stringMatching(/could not archive its WAL, and 16 MB of it wait on the disk\. Look for "WAL/),
    })
    await rm(store)
    await rename(`${store}.away`, store)
    await addMember('dora')
    await archiveAll()
    await expect
      .poll(() => getWalArchiveState(db, walArchive), { timeout: 20_000 })
      .toMatchObject({ isFailing: false, waiting: 0 })
    expect(await site.readMetrics()).toEqual({ failing: 0, waiting_segments: 0 })
    expect(await site.readSystem()).toMatchObject({ wal_archive: { is_failing: false, error: null } })
    await site.close()
    expect((await examineArchive()).map(({ state }) => state)).toEqual(['ok', 'ok'])
  }, 90_000)

  test('writes a base backup when one is due, and removes what no restore needs', async () => {
    const db = openDatabase(pool)
    const log = { info: () => {}, error: () => {} }
    const config = { ...readConfig({ DATA_DIR: live, WAL_ARCHIVE: walArchive.location }), walArchive }
    const scheduled = () => new ScheduledBaseBackup({ db, pool, log, config, priority: 0, isFast: true })
    const storage = openStorage(walArchive.location)
    await scheduled().run()
    await scheduled().run()
    expect((await readArchive(storage)).bases).toHaveLength(2)
    expect(await getWalArchiveState(db, walArchive)).toMatchObject({
      base: { verifiedAt: expect.any(Date), error: null },
    })

    await mkdir(path.join(walArchive.location, 'base/20200101T000000Z'), { recursive: true })
    await writeFile(path.join(walArchive.location, 'base/20200101T000000Z/base.tar.gz'), 'partial')
    await removeExpired(storage, 7)
    expect((await readArchive(storage)).bases).toHaveLength(2)
    await removeExpired(storage, 7, new Date(Date.now() + 8 * DAY_MS))
    const { bases, unfinished, segments } = await readArchive(storage)
    expect([bases.length, unfinished]).toEqual([1, []])
    expect(segments.size).toBeGreaterThan(0)
    expect(segments.size).toBeLessThan(segmentsOf(whole).length)
    await archiveAll()
    await recoverTo(undefined, walArchive.location)
    expect((await readRestored()).members.toSorted()).toEqual(['bea', 'cleo', 'dora'])
  }, 120_000)

  test('does not start with the archive of another database', async () => {
    await expect(requireOwnArchive(pool, walArchive)).resolves.toBeUndefined()
    await writeFile(path.join(copy, 'wal/cluster.json'), '{"system_identifier":"7"}')
    await expect(requireOwnArchive(pool, { ...walArchive, location: copy })).rejects.toThrow(
      /^WAL_ARCHIVE \(.*\) has the archive of another database; set it to a new place/,
    )
  })
})
