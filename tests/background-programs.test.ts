// Every program that a running site starts beside its server, started the way the site does it, on a catalogue that is too
// large for the shortcuts of small ones. A part can pass its own tests and still fail here, by what the site passes to it.
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { findRunningPostgres, startPostgres } from '#server/platform/db/embedded.ts'
import { applyMigrations, readMigrations } from '#server/platform/db/migrate.ts'
import { type BoundedPool, openPool } from '#server/platform/db/pool.ts'
import { openSitePool } from '#server/platform/db/prepare.ts'
import { createAppOn } from '#tests/support/app.ts'
import { makeApiToken, makeScript, signIn } from '#tests/support/factories.ts'
import { WEBHOOK } from '#tests/support/releases.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { openSiteFolder, type SiteFolder, type SiteProcess } from '#tests/support/site-process.ts'

const root = path.resolve(import.meta.dirname, '..')
const run = promisify(execFile)
/** The index of more than 1,000 scripts is built in a process of its own. */
const SCRIPTS = 1200
const SOON = { timeout: 60_000, interval: 100 }
/** That of the test applications. */
const SECRET_KEY = '5e'.repeat(32)
/** The schedule starts backups a minute after the site. */
const SCHEDULED = { timeout: 170_000, interval: 500 }

let folder: SiteFolder
let site: SiteProcess
let origin: string
let pool: BoundedPool
let db: Database
let headers: { authorization: string }

beforeAll(async () => {
  folder = openSiteFolder()
  await prepareFormerData(folder.dataDir)
  const targets = { BACKUP_TARGET: path.join(folder.folder, 'backups'), WAL_ARCHIVE: path.join(folder.folder, 'wal') }
  for (const target of Object.values(targets)) {
    mkdirSync(target)
    // PostgreSQL runs as another user if root starts the site.
    chmodSync(target, 0o777)
  }
  site = await folder.start({ ...targets, SECRET_KEY, WORKERS: '2', LOG_LEVEL: 'info', RATE_LIMIT: 'off' })
  origin = await site.origin()
  const connection = findRunningPostgres(folder.dataDir)
  if (!connection) throw new Error('The site has no PostgreSQL.')
  // With the options of a site's own pool, which its programs get, too.
  pool = openSitePool(connection, {})
  db = openDatabase(pool)
  headers = await signIn(db)
})
afterAll(async () => {
  await pool?.end()
  await folder.close()
})

/** A data folder as the version before the newest migration left it. */
async function prepareFormerData(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir })
  const own = openPool(postgres.connection, 1)
  const client = await own.connect()
  const names = (await readMigrations()).map(({ name }) => name)
  await applyMigrations(client, new Set(names.slice(0, -1)))
  client.release()
  const id = await makeScript(openDatabase(own), { title: 'Script 1' })
  await own.query(
    `with copies as (
        insert into scripts (title, description, title_key, file_size, author_id)
          select 'Script ' || n, description, 'script ' || n, file_size, author_id
          from scripts cross join generate_series(2, $2::int) n where id = $1 returning id
      ), versions as (
        insert into script_versions (script_id, number, version, content, sha256, size)
          select c.id, 1, v.version, 'return ' || c.id, encode(sha256(('return ' || c.id)::bytea), 'hex'), v.size
          from copies c cross join script_versions v where v.script_id = $1
      ), stats as (insert into script_stats (script_id) select id from copies)
      insert into script_search (script_id, document)
        select c.id, d.document from copies c cross join script_search d where d.script_id = $1`,
    [id, SCRIPTS],
  )
  await own.end()
  await postgres.stop()
}

/** Runs a command as its npm script does, in the environment of the site. */
async function command(script: string, ...args: string[]): Promise<string> {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production', DATA_DIR: folder.dataDir, SECRET_KEY }
  const { stdout } = await run(process.execPath, [path.join(root, 'scripts', script), ...args], {
    env,
    cwd: folder.folder,
  })
  return stdout
}

const failures = () =>
  site
    .output()
    .split('\n')
    .filter((line) => /"level":[56]0|failed/.test(line))

describe('a running site with more than 1,000 scripts', { timeout: 240_000 }, () => {
  test('migrates the data of the version before', async () => {
    const newest = (await readMigrations()).at(-1)?.name
    const { rows } = await sql<{ name: string }>`select max(name) as name from migrations`.execute(db)
    expect(rows[0]?.name).toBe(newest)
  })

  test('builds its index', async () => {
    await expect.poll(() => site.output(), SOON).toMatch(new RegExp(`"scripts":${SCRIPTS},.*"catalogue index built"`))
    const list = (await (await fetch(`${origin}/api/scripts?search=script`)).json()) as ScriptList
    expect(list.pagination.total).toBe(SCRIPTS)
  })

  test('analyzes code in its sandboxes, new code and drafts', async () => {
    const post = async (url: string, payload: object) => {
      const body = JSON.stringify(payload)
      const response = await fetch(origin + url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      return { status: response.status, body: (await response.json()) as { script: { id: number }; behavior: object } }
    }
    const script_content = 'print("hello")'
    const checked = await post('/api/script-check', { script_content })
    expect(checked).toMatchObject({ status: 200, body: { behavior: { status: 'ready' } } })
    const published = await post('/api/scripts', { title: 'New', description: 'Text.', script_content })
    expect(published.status).toBe(201)
    const findStatus = async () => {
      const { rows } = await sql<{ status: string }>`select status from script_behaviors
        where script_id = ${published.body.script.id}`.execute(db)
      return rows[0]?.status
    }
    await expect.poll(findStatus, SOON).toBe('ready')
  })

  test('makes an update current that starts nothing, and holds one that starts a webhook', async () => {
    const { rows: found } = await sql<{ id: number; author_id: number }>`select id, author_id from scripts
      where title in ('Script 1', 'Script 2') order by id`.execute(db)
    const [harmless, hostile] = found
    if (!harmless || !hostile) throw new Error('The scripts are missing.')
    const { authorization } = await makeApiToken(db, harmless.author_id)
    const put = async (id: number, script_content: string) => {
      const response = await fetch(`${origin}/api/v1/scripts/x-${id}/versions`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ script_content }),
      })
      return { status: response.status, body: (await response.json()) as object }
    }
    const raw = async (id: number) => (await fetch(`${origin}/raw/x-${id}`)).text()
    const former = await raw(hostile.id)
    const code = 'print("more light")'
    expect(await put(harmless.id, code)).toMatchObject({ status: 201, body: { version: { state: 'checking' } } })
    expect(await put(hostile.id, `${code}\n${WEBHOOK}`)).toMatchObject({
      status: 202,
      body: { version: { state: 'held', held: { reasons: [{ id: 'net.webhook', host: 'discord.com', line: 2 }] } } },
    })
    await expect.poll(() => raw(harmless.id), SOON).toBe(code)
    expect(await raw(hostile.id)).toBe(former)
  })

  test('is backed up by a command', async () => {
    const backup = path.join(folder.folder, 'backup')
    expect(await command('backup.ts', backup)).toContain('Wrote ')
    expect(existsSync(backup)).toBe(true)
  })

  test('writes a dump on schedule', async () => {
    // Ten minutes after the start, for which the test does not wait.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const database = { connection: pool.options, pool, drop: async () => {} } as unknown as TestDatabase
    const first = await createAppOn(database, pool, { dumpKeepDays: 2 })
    try {
      await vi.advanceTimersByTimeAsync(11 * 60_000)
      vi.useRealTimers()
      const dumps = async () => (await first.app.inject('/dumps/')).json<{ dumps: object[] }>().dumps.length
      await expect.poll(dumps, SCHEDULED).toBe(1)
    } finally {
      vi.useRealTimers()
      await first.close()
    }
  })

  test('writes a backup and a base backup on schedule', async () => {
    for (const line of ['backup written and verified', 'base backup written']) {
      const isWritten = async () => {
        // A base backup waits for a checkpoint, which this speeds up.
        await pool.query('checkpoint')
        return site.output().includes(`"${line}"`)
      }
      await expect.poll(isWritten, SCHEDULED).toBe(true)
    }
    expect(readdirSync(path.join(folder.folder, 'backups'))).toHaveLength(1)
    expect(failures()).toEqual([])
  })

  test('is replaced by a new version without a pause', async () => {
    await command('reload.ts')
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    const list = (await (await fetch(`${origin}/api/scripts?search=script`)).json()) as ScriptList
    expect(list.pagination.total).toBe(SCRIPTS)
    expect(failures()).toEqual([])
  })
})
