import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { SETTINGS } from '#server/config.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { createTestDatabase } from './support/database.ts'

const root = path.resolve(import.meta.dirname, '..')
let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-start-'))
  // PostgreSQL runs as another user when root starts the site, and has to get through.
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  child: ChildProcess
  output: () => string
  /** Once it serves. */
  origin: () => Promise<string>
  /** Once it has ended. */
  code: () => Promise<number | null>
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function start(settings: Record<string, string> = {}): Promise<Run> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATA_DIR: path.join(folder, 'data'),
    DEMO_DATA: 'off',
    PORT: String(port),
    ...settings,
  }
  const child = spawn(process.execPath, [path.join(root, 'server/main.ts')], { env, cwd: folder })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'exit')
  return {
    child,
    output: () => text,
    code: async () => {
      await ended
      return child.exitCode
    },
    origin: async () => {
      await expect
        .poll(() => (child.exitCode === null ? text : `ended: ${text}`), { timeout: 25_000 })
        .toContain(' is at ')
      return `http://127.0.0.1:${env.PORT}`
    },
  }
}

/** It ended by itself, with one sentence that names the setting, and nothing of the inside. */
async function expectSentence(run: Run, setting: string): Promise<void> {
  expect(await run.code(), run.output()).toBe(1)
  const lines = run.output().trim().split('\n')
  expect(lines, run.output()).toHaveLength(1)
  expect(lines[0]).toContain(setting)
  expect(lines[0]).not.toMatch(/\bat .*\.ts:\d+/)
}

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a start that cannot work ends with a sentence', () => {
  test.each([
    ['PORT', { PORT: 'eighty' }],
    ['APP_ENV', { APP_ENV: 'staging' }],
    ['PUBLIC_URL', { APP_ENV: 'production' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
  ])('for a bad %s', async (setting, settings) => {
    await expectSentence(await start(settings), setting)
  })

  test('when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    await expectSentence(await start({ PORT: port }), 'PORT')
    taken.close()
  })

  test('when a file stands in the place of the data folder', async () => {
    writeFileSync(path.join(folder, 'data'), 'in the way')
    await expectSentence(await start(), 'DATA_DIR')
  })

  test('when another server uses the data folder', async () => {
    await (await start()).origin()
    await expectSentence(await start(), 'DATA_DIR')
  })
})

describe('a running site', () => {
  test('stops whole on SIGTERM, with its PostgreSQL', async () => {
    const run = await start()
    expect((await fetch(`${await run.origin()}/readyz`)).status).toBe(200)
    const postmaster = postmasterOf(path.join(folder, 'data'))
    expect(isAlive(postmaster)).toBe(true)
    run.child.kill('SIGTERM')
    expect(await run.code()).toBe(0)
    expect(isAlive(postmaster)).toBe(false)
  })

  test('leaves no PostgreSQL behind when the signal comes in the middle of the start', async () => {
    const run = await start()
    const dataDir = path.join(folder, 'data')
    const file = path.join(dataDir, 'postgres/postmaster.pid')
    // The file is there for a moment before the number is in it.
    const readPid = () => (existsSync(file) ? postmasterOf(dataDir) : 0)
    await expect.poll(readPid, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
    const postmaster = postmasterOf(dataDir)
    run.child.kill('SIGTERM')
    expect(await run.code(), run.output()).toBe(0)
    expect(run.output()).not.toContain(' is at ')
    expect(isAlive(postmaster)).toBe(false)
  })

  test('ends when the shell that npm started it in is ended', async () => {
    const port = await freePort()
    const settings = { DATA_DIR: path.join(folder, 'data'), DEMO_DATA: 'off', PORT: String(port) }
    // It runs beside the developer's own `.env`, which must not count here.
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(SETTINGS.map((name) => [name, ''])), ...settings }
    const command = `"${process.execPath}" scripts/run.mjs start; exit`
    const shell = spawn('sh', ['-c', command], { env, cwd: root, stdio: 'ignore' })
    started.push(shell)
    const lock = path.join(folder, 'data/server.lock')
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok
    await expect.poll(isReady, { timeout: 25_000 }).toBe(true)
    shell.kill('SIGTERM')
    await expect.poll(() => existsSync(lock), { timeout: 20_000 }).toBe(false)
    expect(await isReady()).toBeUndefined()
  })

  test('starts again after kill -9', async () => {
    const first = await start()
    await first.origin()
    const left = postmasterOf(path.join(folder, 'data'))
    first.child.kill('SIGKILL')
    await first.code()
    const second = await start()
    expect((await fetch(`${await second.origin()}/readyz`)).status).toBe(200)
    expect(postmasterOf(path.join(folder, 'data'))).not.toBe(left)
  })

  test('uses the server that DATABASE_URL names and starts none of its own', async () => {
    const other = await startPostgres({ dataDir: path.join(folder, 'other') })
    const { host, user, database } = other.connection
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
    const run = await start({ DATABASE_URL: url })
    expect((await fetch(`${await run.origin()}/readyz`)).status).toBe(200)
    expect(existsSync(path.join(folder, 'data/postgres'))).toBe(false)
    run.child.kill('SIGTERM')
    expect(await run.code(), run.output()).toBe(0)
    await other.stop()
  })

  test('refuses a server that could lose data', async () => {
    const database = await createTestDatabase()
    const { host, user, database: name } = database.connection
    const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
    // The test server runs without fsync, which is just what a site must not accept.
    await expectSentence(await start({ DATABASE_URL: url }), 'fsync')
    expect(inject('postgres').host).toBe(host)
    await database.drop()
  })
})
