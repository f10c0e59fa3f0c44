import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { socketFolder } from '../src/cluster.ts'
import { type EmbeddedPostgres, startPostgres } from '../src/index.ts'
import { isRunning } from '../src/lock.ts'
import { stopLeftover } from '../src/server.ts'

let folder: string
let dataDir: string
const running: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-'))
  chmodSync(folder, 0o755)
  dataDir = path.join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
})
afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop()
  for (const child of children.splice(0)) await kill(child)
  await stopLeftover(path.join(dataDir, 'postgres'))
  for (const created of [folder, socketFolder(dataDir)]) rmSync(created, { recursive: true, force: true })
})

/** Copied by tests that are not about the creation of a cluster, which takes longest. */
let cluster: string
beforeAll(async () => {
  cluster = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-cluster-'))
  chmodSync(cluster, 0o755)
  const postgres = await startPostgres({ dataDir: cluster, user: 'owner' })
  await postgres.stop()
})
afterAll(() => rmSync(cluster, { recursive: true, force: true }))

const copyCluster = () => cpSync(path.join(cluster, 'postgres'), path.join(dataDir, 'postgres'), { recursive: true })

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, user: 'owner' })
  running.push(postgres)
  return postgres
}

async function ask<Row extends pg.QueryResultRow>({ connection }: EmbeddedPostgres, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<Row>(sql)
  await client.end()
  return rows
}

/** Starts PostgreSQL from another process. `message` is 'up' or the error. */
async function startInAnotherProcess(): Promise<{ child: ChildProcess; message: string }> {
  const code = `const { startPostgres } = await import(process.argv[1])
    await startPostgres({ dataDir: process.argv[2], user: 'owner' }).then(() => console.log('up'), ({ message }) => console.log(message))`
  const args = ['--input-type=module', '-e', code, path.join(import.meta.dirname, '../src/index.ts'), dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [message] = await once(createInterface(child.stdout), 'line')
  return { child, message: String(message) }
}

async function killServer(): Promise<void> {
  const { child } = await startInAnotherProcess()
  await kill(child)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const postmaster = () => Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

describe('a server', () => {
  test('accepts connections over a socket only and keeps its data', async () => {
    const first = await start()
    await ask(first, 'create table numbers as select 1 as one')
    await first.stop()
    const second = await start()
    expect(await ask(second, 'select one from numbers')).toEqual([{ one: 1 }])
    expect(await ask(second, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  test('sorts text by code point and writes durably', async () => {
    copyCluster()
    const postgres = await start()
    const sorted = await ask<{ word: string }>(postgres, `select unnest(array['b', 'a', 'B', 'ä']) as word order by 1`)
    expect(sorted.map(({ word }) => word)).toEqual(['B', 'a', 'b', 'ä'])
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'jit']
    const settings = await ask(
      postgres,
      `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`,
    )
    expect(settings).toEqual([{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', jit: 'off' }])
  })

  test('leaves no process and no lock file', async () => {
    copyCluster()
    const postgres = await start()
    const pid = postmaster()
    expect(isRunning(pid)).toBe(true)
    await postgres.stop()
    expect(isRunning(pid)).toBe(false)
    expect(existsSync(path.join(dataDir, 'server.lock'))).toBe(false)
  })

  test('is restarted when its process is killed', async () => {
    copyCluster()
    const postgres = await start()
    await ask(postgres, 'create table numbers as select 1 as one')
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(() => ask(postgres, 'select one from numbers').catch(String), { timeout: 20_000 })
      .toEqual([{ one: 1 }])
    expect(postmaster()).not.toBe(killed)
  })

  test('is created again if its first start was killed', async () => {
    mkdirSync(path.join(dataDir, 'postgres.new'), { recursive: true })
    writeFileSync(path.join(dataDir, 'postgres.new/PG_VERSION'), '18\n')
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(path.join(dataDir, 'postgres.new'))).toBe(false)
  })
})

describe('a second program on the same folder', () => {
  beforeEach(copyCluster)

  test('is rejected while the first one runs', async () => {
    const { child } = await startInAnotherProcess()
    await expect(start()).rejects.toThrow(expect.objectContaining({ code: 'in_use', details: { pid: child.pid } }))
    expect(isRunning(postmaster())).toBe(true)
  })

  test('takes over after kill -9 and stops the server that was left', async () => {
    await killServer()
    const left = postmaster()
    expect(isRunning(left)).toBe(true)
    const postgres = await start()
    expect(isRunning(left)).toBe(false)
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('ignores a lock whose process id was reused', async () => {
    writeFileSync(path.join(dataDir, 'server.lock'), `${process.ppid}\nlong ago\n`)
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('does not stop a process that is not its server', async () => {
    await (await start()).stop()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    children.push(other)
    writeFileSync(path.join(dataDir, 'postgres/postmaster.pid'), `${other.pid}\n${dataDir}/postgres\n`)
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(other.exitCode).toBeNull()
    expect(other.signalCode).toBeNull()
  })
})

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('runs as another user in a folder of its own', async () => {
    await start()
    expect(statSync(path.join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(statSync(path.join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test('names the parent folder that the other user may not enter', async () => {
    chmodSync(folder, 0o700)
    await expect(start()).rejects.toThrow(expect.objectContaining({ code: 'unreachable', details: { folder } }))
  })
})
