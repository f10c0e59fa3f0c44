import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from './embedded.ts'
import { socketFolder } from '#server/db/embedded/folders.ts'
import { stopLeftover } from '#server/db/embedded/leftover.ts'
import { isRunning } from '#server/db/embedded/process-identity.ts'

let folder: string
let dataDir: string
const running: EmbeddedPostgres[] = []
const holders: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-embedded-'))
  chmodSync(folder, 0o755)
  dataDir = path.join(folder, 'data')
})
afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop()
  for (const holder of holders.splice(0)) await kill(holder)
  await stopLeftover(path.join(dataDir, 'postgres'))
  for (const place of [folder, socketFolder(dataDir)]) rmSync(place, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir })
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

/** A server of another process on the same data folder; `said` is 'up' or why it is not. */
async function startElsewhere(): Promise<{ child: ChildProcess; said: string }> {
  const code = `const { startPostgres } = await import(process.argv[1])
    await startPostgres({ dataDir: process.argv[2] }).then(() => console.log('up'), ({ message }) => console.log(message))`
  const args = ['--input-type=module', '-e', code, path.join(import.meta.dirname, 'embedded.ts'), dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  holders.push(child)
  const [said] = await once(createInterface(child.stdout), 'line')
  return { child, said: String(said) }
}

async function killServer(): Promise<void> {
  const { child } = await startElsewhere()
  await kill(child)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const postmaster = () => Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

describe('the embedded PostgreSQL', () => {
  test('takes connections over a socket alone and keeps what was written', async () => {
    const first = await start()
    await ask(first, 'create table kept as select 1 as one')
    await first.stop()
    const second = await start()
    expect(await ask(second, 'select one from kept')).toEqual([{ one: 1 }])
    expect(await ask(second, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  test('sorts text by code point and keeps its promises to the disk', async () => {
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

  test('leaves no process and no lock behind', async () => {
    const postgres = await start()
    const pid = postmaster()
    expect(isRunning(pid)).toBe(true)
    await postgres.stop()
    expect(isRunning(pid)).toBe(false)
    expect(existsSync(path.join(dataDir, 'server.lock'))).toBe(false)
  })

  test('comes back by itself when its process is killed', async () => {
    const postgres = await start()
    await ask(postgres, 'create table kept as select 1 as one')
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(() => ask(postgres, 'select one from kept').catch(String), { timeout: 20_000 })
      .toEqual([{ one: 1 }])
    expect(postmaster()).not.toBe(killed)
  })

  test('begins anew when the first start was killed half-way', async () => {
    mkdirSync(path.join(dataDir, 'postgres.new'), { recursive: true })
    writeFileSync(path.join(dataDir, 'postgres.new/PG_VERSION'), '18\n')
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(path.join(dataDir, 'postgres.new'))).toBe(false)
  })
})

describe('a second server on the same data folder', () => {
  test('is refused while the first one runs', async () => {
    const { child } = await startElsewhere()
    await expect(start()).rejects.toThrow(
      `DATA_DIR (${dataDir}) is in use by a server that runs already (process ${child.pid})`,
    )
    expect(isRunning(postmaster())).toBe(true)
  })

  test('takes over after kill -9 and ends the PostgreSQL that was left', async () => {
    await killServer()
    const left = postmaster()
    expect(isRunning(left)).toBe(true)
    const postgres = await start()
    expect(isRunning(left)).toBe(false)
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('ignores a lock whose number has gone to another process', async () => {
    mkdirSync(dataDir, { mode: 0o755 })
    writeFileSync(path.join(dataDir, 'server.lock'), `${process.ppid}\nlong ago\n`)
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('leaves alone a process that is not the PostgreSQL of this folder', async () => {
    await (await start()).stop()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    holders.push(stranger)
    writeFileSync(path.join(dataDir, 'postgres/postmaster.pid'), `${stranger.pid}\n${dataDir}/postgres\n`)
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  })
})

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('runs as another user in a folder of its own', async () => {
    await start()
    expect(statSync(path.join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(statSync(path.join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test('says which folder on the way lets nobody through', async () => {
    chmodSync(folder, 0o700)
    await expect(start()).rejects.toThrow(new RegExp(`^DATA_DIR .*${folder} lets only its owner in; run \`chmod o\\+x`))
  })
})
