import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import { readConfig } from '#server/platform/config.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { startS3 } from '#tests/support/s3.ts'
import { isAlive } from '#tests/support/site-process.ts'
import { getBackupState } from './runs.ts'
import { ScheduledBackup } from './scheduled.ts'

let site: TestApp
let folder: string
let target: string
let admin: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-scheduled-'))
  await chmod(folder, 0o755)
  // Created by the first backup, with the folder around it.
  target = path.join(folder, "Ada's disk, 100% 日本", 'bäckups "1" $HOME')
  site = await createTestApp({ backup: { target, everyHours: 24, keep: 2 } })
  admin = await makeMember(site.db, { is_admin: true })
  await makeScript(site.db)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await site.pool.query('delete from backups; delete from notifications')
  await rm(target, { recursive: true, force: true })
})

const log = { info: () => {}, error: () => {} }
// At the lowest priority, a backup waits for all other tests of a busy machine.
const open = () =>
  new ScheduledBackup({
    db: site.db,
    pool: site.pool,
    log,
    config: site.config,
    findBackup: () => site.config.backup,
    priority: 0,
  })
const findRuns = async () =>
  (
    await site.pool.query<{ ok: boolean; bytes: number | null; error: string | null }>(
      'select verified_at is not null as ok, bytes, error from backups order by id',
    )
  ).rows
const age = (hours: number) =>
  sql`update backups set started_at = started_at - make_interval(hours => ${hours}),
  verified_at = verified_at - make_interval(hours => ${hours})`.execute(site.db)

test('a backup is written when it is due, verified and recorded; old ones and unfinished ones are removed', async () => {
  const [oldest, old] = ['backup-2025-01-01T00-00-00Z', 'backup-2025-01-02T00-00-00Z']
  for (const name of [oldest, old, 'backup-2025-01-03T00-00-00Z.partial', 'mine']) {
    await mkdir(path.join(target, name), { recursive: true })
  }
  await open().run()
  expect(await findRuns()).toEqual([{ ok: true, bytes: expect.any(Number), error: null }])
  const names = readdirSync(target).toSorted()
  expect(names).toEqual([old, expect.stringMatching(/^backup-20\d\d-.*Z$/), 'mine'])
  expect(existsSync(path.join(target, names[1] ?? '', 'backup.json'))).toBe(true)
  await open().run()
  expect(await findRuns()).toHaveLength(1)

  const stats = async () => {
    const response = await site.app.inject({ url: '/api/admin-keys?type=stats', headers: await signIn(site.db, admin) })
    return response.json<AdminStats>().system.backup
  }
  expect(await stats()).toEqual({ verified_at: expect.any(String), is_late: false, error: null })
  await age(49)
  expect(await stats()).toMatchObject({ is_late: true })
}, 240_000)

test('a backup that cannot be restored is not counted, and admins are notified once a day', async () => {
  await site.pool.query(`alter table script_stats drop constraint script_stats_script_id_fkey;
    insert into script_stats (script_id) values (999999)`)
  await open().run()
  const error =
    'The backup has data that the database rejects (script_stats: script_stats_script_id_fkey). Nothing was restored.'
  expect(await findRuns()).toEqual([{ ok: false, bytes: null, error }])
  expect(readdirSync(target)).toEqual([expect.stringMatching(/^backup-.*Z\.unverified$/)])
  expect(await getBackupState(site.db, site.config.backup)).toEqual({ verifiedAt: null, isLate: false, error })

  await site.pool.query('delete from script_stats where script_id = 999999')
  await open().run()
  expect(await findRuns()).toHaveLength(1)
  await age(2)
  await rm(target, { recursive: true })
  await writeFile(target, 'a file')
  await open().run()
  expect(await findRuns()).toHaveLength(2)
  const { rows } = await site.pool.query('select member_id, title, message from notifications')
  expect(rows).toEqual([
    { member_id: admin, title: 'The backup failed', message: `${error} The site tries again in an hour.` },
  ])
}, 240_000)

test('backups in S3-compatible storage are whole or removed, and old ones end', async () => {
  const s3 = await startS3()
  const bucket = { ...s3.settings, prefix: 'site' }
  const object = { bytes: Buffer.from('x'), changedAt: new Date() }
  for (const day of ['01', '02']) s3.objects.set(`site/backup-2025-01-${day}T00-00-00Z/backup.json`, object)
  s3.objects.set('site/backup-2025-01-03T00-00-00Z/tables/scripts.copy.gz', object)
  s3.objects.set('site/mine/file', object)
  const findBackup = () => ({ target: bucket, everyHours: 24, keep: 2 })
  const backup = new ScheduledBackup({
    db: site.db,
    pool: site.pool,
    log,
    config: site.config,
    findBackup,
    priority: 0,
  })
  s3.failOn(({ method, key }) => method === 'PUT' && key.endsWith('/backup.json'))
  await backup.run()
  expect(await findRuns()).toEqual([{ ok: false, bytes: null, error: expect.stringMatching(/status 500/) }])
  s3.failOn(() => false)
  await age(2)
  await backup.run()
  expect(await findRuns()).toMatchObject([{ ok: false }, { ok: true }])
  const names = new Set(s3.keys().map((key) => key.split('/')[1] ?? ''))
  expect([...names].toSorted()).toEqual([
    'backup-2025-01-02T00-00-00Z',
    expect.stringMatching(/^backup-20\d\d-.*Z$/),
    'mine',
  ])
  await s3.close()
}, 240_000)

test('a killed backup leaves no PostgreSQL running', async () => {
  const running = open().run()
  const hash = createHash('sha256').update(site.config.dataDir).digest('hex').slice(0, 16)
  const scratch = path.join(tmpdir(), `scriptyard-backup-check-${hash}`)
  const file = path.join(scratch, 'data/postgres/postmaster.pid')
  const findServer = () => (existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0)
  await expect.poll(findServer, { timeout: 120_000, interval: 20 }).toBeGreaterThan(0)
  const server = findServer()
  const parent = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(server)], { encoding: 'utf8' }))
  process.kill(parent, 'SIGKILL')
  await running
  expect(await findRuns()).toEqual([{ ok: false, bytes: null, error: 'the process exited (SIGKILL)' }])
  await expect.poll(() => isAlive(server), { timeout: 20_000, interval: 50 }).toBe(false)
  expect(existsSync(scratch)).toBe(false)
}, 240_000)

test('nothing is written without the setting, or after a stop', async () => {
  const config = readConfig({ DATA_DIR: folder })
  await new ScheduledBackup({ db: site.db, pool: site.pool, log, config, findBackup: () => config.backup }).run()
  expect(await getBackupState(site.db, config.backup)).toBeNull()
  const stopped = open()
  stopped.stop()
  await stopped.run()
  expect(existsSync(target) ? readdirSync(target) : []).toEqual([])
})
