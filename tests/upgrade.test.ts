import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketFolder } from '@scriptyard/embedded-postgres/cluster'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { Connection } from '#tests/support/http-connection.ts'
import { minimalScript } from '#tests/support/scripts.ts'
import { openSiteFolder, type SiteFolder, type SiteProcess } from '#tests/support/site-process.ts'

const root = path.resolve(import.meta.dirname, '..')
/** A file that a page of the version before may load late. */
const LATE_FILE = /^legal-dialog-.*\.js$/

let folder: SiteFolder
let versions: string
let run: SiteProcess
let origin: string
let pool: pg.Pool
let db: Database

beforeAll(async () => {
  folder = openSiteFolder()
  versions = mkdtempSync(path.join(tmpdir(), 'scriptyard-versions-'))
  chmodSync(versions, 0o755)
  run = await folder.start({ WORKERS: '2', RATE_LIMIT: 'off' })
  origin = await run.origin()
  pool = openPool({ host: socketFolder(realpathSync(folder.dataDir)), user: 'scriptyard', database: 'postgres' })
  db = openDatabase(pool)
})
afterAll(async () => {
  await pool.end()
  await folder.close()
  rmSync(versions, { recursive: true, force: true })
})

interface Version {
  folder: string
  change: (file: string, from: string, to: string) => void
  addMigration: (name: string, sql: string) => void
}

const COPIED = ['server', 'contract', 'db', 'scripts', 'package.json']
const LINKED = ['node_modules', 'packages', 'demo']

/**
 * A copy of the built site, as another version would be installed beside it, with pages of its own if it changes them. It
 * replaces the copy before, so that Node finds most modules in its compile cache, which knows them by their path.
 */
function installVersion(name: string, { changesPages = false } = {}): Version {
  const target = path.join(versions, 'next')
  rmSync(target, { recursive: true, force: true })
  for (const part of [...COPIED, ...(changesPages ? ['dist'] : [])])
    cpSync(path.join(root, part), path.join(target, part), { recursive: true })
  for (const part of [...LINKED, ...(changesPages ? [] : ['dist'])])
    symlinkSync(path.join(root, part), path.join(target, part))
  const health = path.join(target, 'server/features/site/routes.ts')
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }
  change(health, `send({ status: 'ok' })`, `send({ status: 'ok', version: '${name}' })`)
  return {
    folder: target,
    change: (file, from, to) => change(path.join(target, file), from, to),
    addMigration: (file, sql) => writeFileSync(path.join(target, 'db/migrations', file), sql),
  }
}

const reload = (version: Version, dataDir = folder.dataDir) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const child = execFile(
      process.execPath,
      [path.join(version.folder, 'scripts/reload.ts')],
      { cwd: version.folder, env: { PATH, TMPDIR, NODE_COMPILE_CACHE, DATA_DIR: dataDir } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    )
  })

/** The versions that answer, over several connections of their own. */
async function findVersions(): Promise<Set<string | undefined>> {
  const found = new Set<string | undefined>()
  for (let i = 0; i < 24; i++) {
    const connection = new Connection(origin)
    found.add((await connection.requestJson<{ version?: string }>('/healthz')).version)
    connection.close()
  }
  return found
}

const hasColumn = async (name: string) => {
  const { rowCount } = await pool.query(`select from information_schema.columns where column_name = $1`, [name])
  return rowCount === 1
}

/**
 * Requests until `stop`, publishing less often than reading, because scripts are analyzed. Each client has one connection,
 * or a new one for each request.
 */
function startClients(script: number, headers: { authorization: string }[]) {
  const over = new AbortController()
  const failures: string[] = []
  const published: { id: number; title: string }[] = []
  let requests = 0
  const paths = [
    '/',
    '/api/scripts?sort=title',
    `/scripts/a-${script}`,
    '/api/site',
    `/api/script-details-slug?slug=a-${script}`,
  ]
  const client = async (
    isShort: boolean,
    pause: number,
    send: (connection: Connection, n: number) => Promise<number>,
  ) => {
    let connection = new Connection(origin)
    for (let n = 0; !over.signal.aborted; n++) {
      const outcome = await send(connection, n).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
      requests++
      if (typeof outcome === 'string' || outcome >= 400) failures.push(String(outcome))
      if (isShort) {
        connection.close()
        connection = new Connection(origin)
      }
      await sleep(pause)
    }
    connection.close()
  }
  const read = async (connection: Connection, n: number) =>
    (await connection.request(paths[n % paths.length] ?? '/')).status
  const write = (member: number) => async (connection: Connection, n: number) => {
    const title = `Script ${n} of ${member}`
    const key = { ...headers[member], 'idempotency-key': `${member}-${n}` }
    const sent = { method: 'POST', headers: key, body: { ...minimalScript, title } }
    const { status, text } = await connection.request('/api/scripts', sent)
    if (status === 201) published.push({ id: (JSON.parse(text) as { script: { id: number } }).script.id, title })
    return status
  }
  const clients = [
    ...[false, false, false, true, true].map((isShort) => client(isShort, 150, read)),
    ...headers.map((_, member) => client(member % 2 === 1, 400, write(member))),
  ]
  return {
    published,
    stop: async () => {
      over.abort()
      await Promise.all(clients)
      return { requests, failures }
    },
  }
}

test('a new version with a compatible migration replaces the running one without a failed request', async () => {
  const next = installVersion('next', { changesPages: true })
  next.addMigration('9001-next.sql', '-- compatible: yes\nalter table scripts add column next_column text;\n')
  const assets = path.join(next.folder, 'dist/client/assets')
  const late = readdirSync(assets).find((name) => LATE_FILE.test(name)) ?? ''
  const content = readFileSync(path.join(assets, late), 'utf8')
  for (const end of ['', '.br', '.gz']) rmSync(path.join(assets, late + end))
  const script = await makeScript(db)
  const headers = [await signIn(db), await signIn(db)]
  expect(await findVersions()).toEqual(new Set([undefined]))

  const clients = startClients(script, headers)
  await expect.poll(() => clients.published.length, { timeout: 30_000 }).toBeGreaterThan(10)
  const result = await reload(next)
  const publishedBefore = clients.published.length
  await expect.poll(() => clients.published.length, { timeout: 30_000 }).toBeGreaterThan(publishedBefore + 10)
  const { requests, failures } = await clients.stop()

  expect(result.output).toContain('All workers run this version.')
  expect([result.code, failures]).toEqual([0, []])
  expect(requests).toBeGreaterThan(200)
  expect(await findVersions()).toEqual(new Set(['next']))
  expect(await hasColumn('next_column')).toBe(true)
  const stored = await db
    .selectFrom('scripts')
    .select(['id', 'title'])
    .where('title', 'like', 'Script % of %')
    .execute()
  expect(stored.toSorted((a, b) => a.id - b.id)).toEqual(clients.published.toSorted((a, b) => a.id - b.id))
  const response = await fetch(`${origin}/assets/${late}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(await response.text()).toBe(content)
})

test('a version with an incompatible migration is rejected and changes nothing', async () => {
  const next = installVersion('incompatible')
  next.addMigration('9001-next.sql', '-- compatible: yes\nalter table scripts add column next_column text;\n')
  next.addMigration('9002-break.sql', 'alter table scripts drop column next_column;\n')
  const before = await findVersions()
  expect(await reload(next)).toEqual({
    code: 1,
    output:
      'This version changes the database in a way that the running version does not support (9002-break.sql). Nothing was changed. Stop the site, back it up and start this version.\n',
  })
  expect(await findVersions()).toEqual(before)
  expect(await hasColumn('next_column')).toBe(true)
})

test('a version that does not start leaves the running one alone', async () => {
  const broken = installVersion('broken')
  broken.addMigration('9001-next.sql', '-- compatible: yes\nalter table scripts add column next_column text;\n')
  broken.change('server/operations/processes/worker-process.ts', "void send({ type: 'listening' })", 'process.exit(7)')
  const before = await findVersions()
  const { code, output } = await reload(broken)
  expect(code).toBe(1)
  expect(output).toContain('A worker of the new version exited while it was starting (code 7).')
  expect(await findVersions()).toEqual(before)
})

test('a reload applies changed settings, except those that need a restart', async () => {
  const next = installVersion('settings')
  next.addMigration('9001-next.sql', '-- compatible: yes\nalter table scripts add column next_column text;\n')
  writeFileSync(path.join(next.folder, '.env'), 'SITE_NAME=Renamed\nMETRICS_PORT=19464\n')
  expect(await reload(next)).toEqual({
    code: 1,
    output: 'METRICS_PORT has changed, which needs a restart: stop the site and start it again.\n',
  })
  writeFileSync(path.join(next.folder, '.env'), 'SITE_NAME=Renamed\n')
  expect((await reload(next)).code).toBe(0)
  expect(((await (await fetch(`${origin}/api/site`)).json()) as { name: string }).name).toBe('Renamed')
})

test('a site with one process asks for a restart, and a stopped one for a start', async () => {
  const single = openSiteFolder()
  const next = installVersion('for-one')
  try {
    const site = await single.start()
    await site.origin()
    const { code, output } = await reload(next, single.dataDir)
    expect([code, output]).toEqual([
      1,
      'The site runs in one process, which cannot be replaced without a pause. Restart it, or set WORKERS=2 and restart it once.\n',
    ])
    site.child.kill('SIGTERM')
    await site.code()
    expect((await reload(next, single.dataDir)).output).toBe(
      `No site is running with the data folder ${single.dataDir}. Start it.\n`,
    )
  } finally {
    await single.close()
  }
})
