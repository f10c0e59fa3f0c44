import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { SETTINGS } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { findProgram } from '#server/load-program.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { makeScript } from '#tests/support/factories.ts'
import {
  expectSettingError,
  isAlive,
  openSiteFolder,
  readPostmasterPid,
  type SiteFolder,
} from '#tests/support/site-process.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'

const root = path.resolve(import.meta.dirname, '..')
let site: SiteFolder
beforeEach(() => {
  site = openSiteFolder()
})
afterEach(() => site.close())

test('a site in production runs from the bundle that the build made', () => {
  expect(findProgram('primary-process', { environment: 'production' })).toMatch(/dist\/processes\/primary-process\.js$/)
})

describe('a failed start exits with a one-line error', () => {
  test.each([
    ['PORT', { PORT: 'eighty' }],
    ['APP_ENV', { APP_ENV: 'staging' }],
    ['PUBLIC_URL', { APP_ENV: 'production' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
  ])('for an invalid %s', async (setting, settings) => {
    await expectSettingError(await site.start(settings), setting)
  })

  test('when the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    // The index may be built before the port is opened.
    await expectSettingError(await site.start({ PORT: port, LOG_LEVEL: 'warn' }), 'PORT')
    taken.close()
  })

  test('when the data folder is a file', async () => {
    writeFileSync(site.dataDir, 'in the way')
    await expectSettingError(await site.start(), 'DATA_DIR')
  })
})

test('a site without an admin prints a link to its setup, and another one at the next start', async () => {
  const LINK = /Set it up in your browser: http:\/\/localhost:\d+\/setup#([\w-]{43})\n/
  const settings = { APP_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' }
  const readLink = async (WORKERS: string) => {
    const run = await site.start({ ...settings, WORKERS })
    const origin = await run.origin()
    await expect.poll(() => LINK.exec(run.output())?.[1]).toBeDefined()
    return { run, origin, token: LINK.exec(run.output())?.[1] ?? '' }
  }
  const send = async (origin: string, token: string) => {
    const body = JSON.stringify({ action: 'read', token })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${origin}/api/setup`, { method: 'POST', headers, body })).status
  }
  const first = await readLink('2')
  expect((await fetch(`${first.origin}/setup`)).status).toBe(200)
  expect(await send(first.origin, first.token)).toBe(200)
  first.run.child.kill('SIGTERM')
  await first.run.code()
  const second = await readLink('1')
  expect(second.token).not.toBe(first.token)
  expect(await send(second.origin, first.token)).toBe(403)
  expect(await send(second.origin, second.token)).toBe(200)
})

describe('a running site', () => {
  test('stops on SIGTERM with its PostgreSQL, and does not start again without its secret key', async () => {
    const run = await site.start()
    expect((await fetch(`${await run.origin()}/readyz`)).status).toBe(200)
    const postmaster = readPostmasterPid(site.dataDir)
    expect(isAlive(postmaster)).toBe(true)
    run.child.kill('SIGTERM')
    expect(await run.code()).toBe(0)
    expect(isAlive(postmaster)).toBe(false)
    rmSync(path.join(site.dataDir, 'secret-key'))
    await expectSettingError(await site.start(), 'SECRET_KEY')
    expect(existsSync(path.join(site.dataDir, 'secret-key'))).toBe(false)
  })

  test('leaves no PostgreSQL behind if the signal arrives during the start', async () => {
    const run = await site.start()
    const dataDir = site.dataDir
    const file = path.join(dataDir, 'postgres/postmaster.pid')
    // The file exists for a moment before the process id is in it.
    const readPid = () => (existsSync(file) ? readPostmasterPid(dataDir) : 0)
    await expect.poll(readPid, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
    const postmaster = readPostmasterPid(dataDir)
    run.child.kill('SIGTERM')
    expect(await run.code(), run.output()).toBe(0)
    expect(run.output()).not.toContain(' is at ')
    expect(isAlive(postmaster)).toBe(false)
  })

  test('stops when the shell that npm started it in exits', async () => {
    const port = await findFreePort()
    const settings = { DATA_DIR: site.dataDir, DEMO_DATA: 'off', PORT: String(port) }
    // Runs in the project's folder, where the developer's `.env` must not apply.
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(SETTINGS.map((name) => [name, ''])), ...settings }
    const command = `"${process.execPath}" scripts/run.mjs start; exit`
    const shell = spawn('sh', ['-c', command], { env, cwd: root, stdio: 'ignore' })
    site.watch(shell)
    const lock = path.join(site.dataDir, 'server.lock')
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok
    await expect.poll(isReady, { timeout: 25_000 }).toBe(true)
    shell.kill('SIGTERM')
    await expect.poll(() => existsSync(lock), { timeout: 20_000 }).toBe(false)
    expect(await isReady()).toBeUndefined()
  })

  test('rejects another one on its data folder, which starts after kill -9', async () => {
    const first = await site.start()
    await first.origin()
    await expectSettingError(await site.start(), 'DATA_DIR')
    const left = readPostmasterPid(site.dataDir)
    first.child.kill('SIGKILL')
    await first.code()
    const second = await site.start()
    expect((await fetch(`${await second.origin()}/readyz`)).status).toBe(200)
    expect(readPostmasterPid(site.dataDir)).not.toBe(left)
  })

  test('uses the server of DATABASE_URL instead of its own, and indexes many scripts in a child process', async () => {
    const dataDir = path.join(site.folder, 'other')
    copyPreparedData(dataDir)
    const other = await startPostgres({ dataDir })
    const pool = openPool(other.connection, 1)
    await migrate(pool)
    // Only the highest id counts.
    await pool.query(`select setval(pg_get_serial_sequence('scripts', 'id'), 5000)`)
    await makeScript(openDatabase(pool))
    await pool.end()
    const { host, user, database } = other.connection
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
    const run = await site.start({ DATABASE_URL: url, LOG_LEVEL: 'info' })
    expect((await fetch(`${await run.origin()}/readyz`)).status).toBe(200)
    expect(existsSync(path.join(site.dataDir, 'postgres'))).toBe(false)
    await expect.poll(() => run.output(), { timeout: 60_000 }).toMatch(/"scripts":1,.*"catalogue index built"/)
    expect(run.output()).not.toContain('catalogue index update failed')
    run.child.kill('SIGTERM')
    expect(await run.code(), run.output()).toBe(0)
    await other.stop()
  })

  test('rejects a server that could lose data', async () => {
    const database = await createTestDatabase()
    const { host, user, database: name } = database.connection
    const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
    // The test server runs without fsync, which a site must not accept.
    await expectSettingError(await site.start({ DATABASE_URL: url }), 'fsync')
    expect(inject('postgres').connection.host).toBe(host)
    await database.drop()
  })
})
