import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketFolder } from '@scriptyard/embedded-postgres/cluster'
import { openPool } from '#server/platform/db/pool.ts'
import { connectToEach } from '#tests/support/http-connection.ts'
import {
  expectSettingError,
  isAlive,
  openSiteFolder,
  readPostmasterPid,
  type SiteFolder,
} from '#tests/support/site-process.ts'
import { findFreePort } from '#tests/support/free-port.ts'

const SOON = { timeout: 60_000, interval: 50 }

let folder: SiteFolder
beforeEach(() => {
  folder = openSiteFolder()
})
afterEach(() => folder.close())

const startTwo = async (more: Record<string, string> = {}, hasOwnGroup = false) => {
  const run = await folder.start({ WORKERS: '2', ...more }, hasOwnGroup)
  await run.origin()
  const processes = [...(await connectToEach(run, 2)).keys(), readPostmasterPid(folder.dataDir)]
  expect(processes).toHaveLength(3)
  return { run, processes }
}

test('stops on SIGTERM with its PostgreSQL, and completes requests received before', async () => {
  const { run, processes } = await startTwo()
  const connections = [...(await connectToEach(run, 2)).values()]
  const host = socketFolder(realpathSync(folder.dataDir))
  const pool = openPool({ host, user: 'scriptyard', database: 'postgres' })
  const holder = await pool.connect()
  await holder.query('begin; lock table members')
  const pending = connections.map((connection) => connection.request('/api/user-profiles?user_id=1'))
  // Queries of scheduled jobs do not count.
  const isProfile = `query ~ 'from members m where m.id'`
  const waiting = async () =>
    (await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and ${isProfile}`)).rowCount
  await expect.poll(waiting, SOON).toBe(2)
  run.child.kill('SIGTERM')
  const isOpen = () =>
    fetch(`http://127.0.0.1:${run.port}/readyz`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, SOON).toBe(false)
  await holder.query('rollback')
  holder.release()
  const responses = await Promise.all(pending)
  expect(responses.map(({ status, headers }) => [status, headers.connection])).toEqual([
    [404, 'close'],
    [404, 'close'],
  ])
  await pool.end()
  expect(await run.code(), run.output()).toBe(0)
  expect(processes.filter(isAlive)).toEqual([])
  expect(run.output()).not.toMatch(/ ended \(/)
})

test('stops when a terminal interrupts all its processes', async () => {
  const { run, processes } = await startTwo({}, true)
  process.kill(-(run.child.pid ?? 0), 'SIGINT')
  expect(await run.code(), run.output()).toBe(0)
  expect(processes.filter(isAlive)).toEqual([])
  expect(run.output()).not.toMatch(/ ended \(/)
})

test('leaves no worker behind when the primary is killed, and starts again', async () => {
  const port = String(await findFreePort())
  const { run, processes } = await startTwo({ PORT: port })
  const [first = 0, second = 0] = processes
  run.child.kill('SIGKILL')
  await run.code()
  await expect.poll(() => [isAlive(first), isAlive(second)], SOON).toEqual([false, false])
  const again = await folder.start({ PORT: port })
  expect((await fetch(`${await again.origin()}/readyz`)).status).toBe(200)
  expect(processes).not.toContain(readPostmasterPid(folder.dataDir))
})

test('ends with one sentence if the port is in use, and leaves no PostgreSQL', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await expectSettingError(await folder.start({ WORKERS: '2', PORT: port, LOG_LEVEL: 'silent' }), 'PORT')
  expect(() => readPostmasterPid(folder.dataDir)).toThrow('ENOENT')
  taken.close()
})
