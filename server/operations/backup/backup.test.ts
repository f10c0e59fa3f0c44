import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPoolLike } from '#server/platform/db/pool.ts'
import { mediaNames } from '#server/platform/media/store.ts'
import { createAppOn } from '#tests/support/app.ts'
import {
  backUp,
  type BackedUpSite,
  backUpSite,
  IMAGE,
  KEY,
  listFiles,
  type RestoreTarget,
  storeOf,
  summarize,
} from '#tests/support/backups.ts'
import { createDatabaseBefore, createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeScript } from '#tests/support/factories.ts'
import { queryOnce } from '#tests/support/replica.ts'
import { startS3 } from '#tests/support/s3.ts'
import { restoreBackup } from './restore.ts'

let site: BackedUpSite
let whole: string
let folder: string
let backup: string
let target: TestDatabase
let dataDir: string
let restore: RestoreTarget['restore']

beforeAll(async () => {
  site = await backUpSite()
  ;({ whole, folder } = site)
})
afterAll(() => site.close())
beforeEach(async ({ onTestFinished }) => {
  ;({ backup, target, dataDir, restore } = await site.prepare())
  onTestFinished(() => target.drop())
})

const findRules = ({ connection }: TestDatabase) =>
  queryOnce(
    connection,
    `select conrelid::regclass::text as name, conname::text as rule, pg_get_constraintdef(oid) as definition
       from pg_constraint where connamespace = 'public'::regnamespace and convalidated
     union all select tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger
       where not tgisinternal order by 1, 2, 3`,
  )

const readTables = (source: string) =>
  (JSON.parse(readFileSync(path.join(source, 'backup.json'), 'utf8')) as { tables: object[] }).tables

describe('a backup', () => {
  test('restores every table, sequence, image and the key', async () => {
    const sums = await summarize(site.origin.database)
    const empty = Object.entries(sums).filter(([, sum]) => (sum as { rows?: number }).rows === 0)
    expect(empty).toEqual([])
    const { missingImages } = await restore()
    expect(await summarize(target)).toEqual(sums)
    expect(await findRules(target)).toEqual(await findRules(site.origin.database))
    // The screenshot of the full member has a row and no file.
    expect(missingImages).toBe(1)
    for (const name of mediaNames(IMAGE)) expect(String(await storeOf(dataDir).get(name))).toBe(`image ${name}`)
    expect(readFileSync(path.join(dataDir, 'secret-key'), 'utf8')).toBe(`${KEY}\n`)
  })

  test('gives a site that works: triggers, sequences, generated columns and the change feed', async () => {
    await restore()
    const restored = await createAppOn(target, target.pool)
    const id = await makeScript(restored.db, { title: 'After the restore', stats: { five_star: 2 } })
    const [newest] = await queryOnce<{ id: number }>(
      site.origin.database.connection,
      'select max(id) as id from scripts',
    )
    expect(id).toBeGreaterThan(newest?.id ?? 0)
    const { rows } = await target.pool.query(
      `select rating_count, (select count(*) from catalogue_changes where script_id = $1) > 0 as in_feed
       from script_stats where script_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ rating_count: 2, in_feed: true }])
    await expect(target.pool.query('delete from audit_log')).rejects.toThrow(/append-only/)
    await expect(target.pool.query('update scripts set author_id = 0')).rejects.toThrow(/foreign key/)
    const list = await restored.app.inject('/api/v1/scripts?search=restore')
    expect(list.statusCode).toBe(200)
    await restored.close()
  })

  test('can be checked with sha256sum, and has private files', async () => {
    const lines = readFileSync(path.join(whole, 'media.sha256'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      const [hash, file = ''] = line.split('  ')
      expect(
        createHash('sha256')
          .update(readFileSync(path.join(whole, file)))
          .digest('hex'),
      ).toBe(hash)
    }
    expect([modeOf(whole), modeOf(path.join(whole, 'secret-key'))]).toEqual([0o700, 0o600])
  })

  test('of a schema before later migrations restores to that schema and then migrates', async () => {
    const old = await createDatabaseBefore('0061')
    await old.pool.query(`insert into members (username, slug, discord_id) values ('old', 'old', '1')`)
    const [before, data] = [await summarize(old), site.data]
    await backUp(old.connection, path.join(folder, 'old'), data)
    await restore(path.join(folder, 'old'))
    // The table of migrations has more columns now.
    expect(await summarize(target)).toEqual({ ...before, migrations: expect.anything() })
    const listMigrations = ({ pool }: Pick<TestDatabase, 'pool'>) =>
      pool.query('select name, checksum, applied_at from migrations order by name').then(({ rows }) => rows)
    expect(await listMigrations(target)).toEqual(await listMigrations(old))
    await migrate(target.pool)
    const { rows } = await target.pool.query('select username from members')
    expect(rows).toEqual([{ username: 'old' }])
    await old.drop()
  })

  test('restores to a database whose owner is no superuser', async () => {
    const role = `owner_${randomBytes(4).toString('hex')}`
    const { connection } = target
    await queryOnce(connection, `create role ${role} login; alter database ${connection.database} owner to ${role}`)
    const connect = async () => ({ ...connection, user: role })
    await restoreBackup({ source: backup, connect, store: storeOf(dataDir), dataDir })
    expect(await summarize(target)).toEqual(await summarize(site.origin.database))
  })

  test('restores to a site that was started and not used, and not to one with data', async () => {
    const pool = openPoolLike(target.pool, {})
    await migrate(pool)
    await pool.end()
    await writeFile(path.join(dataDir, 'secret-key'), `${KEY}\n`)
    await restore()
    expect(await summarize(target)).toEqual(await summarize(site.origin.database))
    await expect(restore()).rejects.toThrow(/has data, and a backup can only fill an empty one/)
  })

  test('leaves out tables of other programs when it is restored', async () => {
    const other = await createTestDatabase()
    await other.pool.query('create table other_program (id int)')
    await backUp(other.connection, path.join(folder, 'other'), dataDir)
    const { otherTables } = await restore(path.join(folder, 'other'))
    expect(otherTables).toEqual(['other_program'])
    await other.drop()
  })

  test('has no key without a key file, and then no key is written', async () => {
    await backUp(site.origin.database.connection, path.join(folder, 'without-key'), path.join(folder, 'nowhere'))
    const { contents } = await restore(path.join(folder, 'without-key'))
    expect([contents.secret_key, existsSync(path.join(dataDir, 'secret-key'))]).toEqual([null, false])
  })
})

const modeOf = (file: string) => statSync(file).mode & 0o777

const SCRIPTS = path.resolve(import.meta.dirname, '../../../scripts')
const urlOf = ({ connection: { host, user, database } }: TestDatabase) =>
  `postgres:///${database}?host=${encodeURIComponent(host)}&user=${user}`

/** Runs a command with only these settings, optionally with a limit for the size of files in blocks of 512 bytes. */
function command(name: string, args: string[], settings: object, limit = 'unlimited') {
  const script = `ulimit -f ${limit}; exec "$@"`
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(
      'sh',
      ['-c', script, 'sh', process.execPath, path.join(SCRIPTS, name), ...args],
      { cwd: folder, env: { PATH, TMPDIR, NODE_COMPILE_CACHE, ...settings } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out: out + err }),
    )
  })
}

describe('the commands', () => {
  test('back up an external database and restore it to the embedded one, and back', async () => {
    const embedded = path.join(dataDir, 'embedded')
    const written = await command('backup.ts', ['external', '--without-key'], {
      DATABASE_URL: urlOf(site.origin.database),
      DATA_DIR: site.data,
    })
    expect(written).toMatchObject({ code: 0, out: expect.stringMatching(/Wrote .* rows .* has no secret key/s) })
    const restored = await command('restore.ts', ['external'], { DATA_DIR: embedded })
    expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/1 image is missing/) })
    const running = await startPostgres({ dataDir: embedded })
    expect(await command('backup.ts', ['running'], { DATA_DIR: embedded })).toMatchObject({ code: 0 })
    await running.stop()
    expect(await command('backup.ts', ['embedded'], { DATA_DIR: embedded })).toMatchObject({ code: 0 })
    const [live, stopped] = ['running', 'embedded'].map((name) => readTables(path.join(folder, name)))
    expect(live).toEqual(stopped)
    const back = await command('restore.ts', ['embedded'], { DATA_DIR: dataDir, DATABASE_URL: urlOf(target) })
    expect(back.out).toContain('Start the site')
    expect(await summarize(target)).toEqual(await summarize(site.origin.database))
  }, 240_000)

  test('reject a target that exists, one that is in use, and wrong arguments', async () => {
    const settings = { DATABASE_URL: urlOf(site.origin.database), DATA_DIR: dataDir }
    expect(await command('backup.ts', [whole], settings)).toEqual({
      code: 1,
      out: `${whole} exists already. Name a folder that does not exist.\n`,
    })
    await mkdir(path.join(dataDir, 'next.partial'))
    const used = await command('backup.ts', [path.join(dataDir, 'next')], settings)
    expect(used).toMatchObject({ code: 1, out: expect.stringContaining('remove the folder and try again') })
    for (const name of ['backup.ts', 'restore.ts']) {
      const wrong = await command(name, [], settings)
      expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/^Use npm run \w+ -- (FOLDER|PLACE)/) })
    }
  })

  test('a backup without room says so and leaves nothing behind', async () => {
    const name = path.join(dataDir, 'large')
    const settings = { DATABASE_URL: urlOf(site.origin.database), DATA_DIR: dataDir }
    expect(await command('backup.ts', [name], settings, '16')).toEqual({
      code: 1,
      out: `There is no room for the backup in ${dataDir}. Nothing was written.\n`,
    })
    expect(listFiles(dataDir)).toEqual([])
  })

  test('back up to S3-compatible storage and restore from it', async () => {
    const s3 = await startS3()
    const access = s3.environment
    const url = 's3://images/site/monday'
    const settings = { DATABASE_URL: urlOf(site.origin.database), DATA_DIR: site.data, ...access }
    expect(await command('backup.ts', [url], settings)).toMatchObject({ code: 0 })
    expect(s3.keys()).toContain('site/monday/backup.json')
    expect(await command('backup.ts', [url], settings)).toEqual({
      code: 1,
      out: `${url} exists already. Choose a prefix without objects.\n`,
    })
    const restored = await command('restore.ts', [url], { DATABASE_URL: urlOf(target), DATA_DIR: dataDir, ...access })
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Start the site') })
    expect(await summarize(target)).toEqual(await summarize(site.origin.database))
    expect(await command('restore.ts', [url], { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/needs BACKUP_S3_ENDPOINT/),
    })
    expect(await command('restore.ts', ['s3://images'], { DATA_DIR: dataDir, ...access })).toEqual({
      code: 1,
      out: 's3://images has the wrong form. Use s3://bucket/prefix.\n',
    })
    await s3.close()
  }, 120_000)

  test('a restore that is killed can be repeated', async () => {
    const settings = { DATABASE_URL: urlOf(target), DATA_DIR: dataDir }
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    for (const line of ['Restoring script_versions', 'Comparing']) {
      const child = spawn(process.execPath, [path.join(SCRIPTS, 'restore.ts'), backup], {
        env: { PATH, TMPDIR, NODE_COMPILE_CACHE, ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes(line)) child.kill('SIGKILL')
      })
      const [, signal] = (await once(child, 'exit')) as [number, string]
      expect(signal, output).toBe('SIGKILL')
    }
    await expect.poll(() => command('restore.ts', [backup], settings), { timeout: 20_000 }).toMatchObject({ code: 0 })
    expect(await summarize(target)).toEqual(await summarize(site.origin.database))
  })
})
