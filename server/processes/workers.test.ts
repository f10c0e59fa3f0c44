import cluster from 'node:cluster'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/config.ts'
import { maxConnections, poolSize } from './connections.ts'
import type { Site } from './prepare.ts'
import { Workers } from './workers.ts'

const SOON = { timeout: 20_000, interval: 20 }
const program = path.resolve(import.meta.dirname, '../../tests/support/fake-worker.ts')

let site: Site
let workers: Workers
let gaveUp: number
let said: string[]
beforeEach(() => {
  const config = readConfig({ SECRET_KEY: 'ab'.repeat(32) })
  site = { config, connection: 'postgres://localhost/none', startedAt: new Date().toISOString() }
  gaveUp = 0
  said = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line))
  workers = new Workers(site, { count: 2, giveUp: () => gaveUp++, program, maxRestartDelayMs: 1 })
})
afterEach(async () => {
  await workers.stop()
  vi.restoreAllMocks()
})

const living = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker?.process.pid ?? [])
const kill = (pid: number | undefined) => process.kill(pid ?? 0, 'SIGKILL')

test('replaces who dies, again and again, and lets the other one be', async () => {
  await workers.start()
  const [first, second] = living()
  for (let dead = first, times = 0; times < 3; times++) {
    kill(dead)
    const [next] = await vi.waitUntil(() => {
      const others = living().filter((pid) => pid !== second && pid !== dead)
      return others.length > 0 && others
    }, SOON)
    dead = next
  }
  expect(living()).toContain(second)
})

test('goes on trying while another one serves', async () => {
  await workers.start()
  const [first, second] = living()
  site.startedAt = 'never'
  kill(first)
  await expect.poll(() => said.length, SOON).toBeGreaterThan(12)
  expect(gaveUp).toBe(0)
  site.startedAt = new Date().toISOString()
  await expect.poll(() => living().length, SOON).toBe(2)
  expect(living()).toContain(second)
})

test('replaces who hangs', async () => {
  workers = new Workers(site, {
    count: 2,
    giveUp: () => gaveUp++,
    program,
    maxRestartDelayMs: 1,
    heartbeatTimeoutMs: 3000,
  })
  await workers.start()
  const [first, second] = living()
  site.startedAt = 'hangs'
  kill(first)
  const hanging = await vi.waitUntil(() => living().find((pid) => pid !== first && pid !== second), SOON)
  await expect.poll(() => said, SOON).toContain('Server process 1 said nothing for 3 s.')
  site.startedAt = new Date().toISOString()
  await expect.poll(() => living().filter((pid) => pid !== hanging).length, SOON).toBe(2)
  expect(living()).toContain(second)
})

test('gives up with a sentence when nobody serves and all that are started die at once', async () => {
  await workers.start()
  site.startedAt = 'never'
  for (const pid of living()) kill(pid)
  await expect.poll(() => gaveUp, SOON).toBe(1)
  expect(said.at(-1)).toBe('No server process stays alive: 10 in a row ended at once, the last one by code 1.')
})

test('a start fails with the first one that dies', async () => {
  site.startedAt = 'never'
  await expect(workers.start()).rejects.toThrow('A server process ended while it was starting (code 1).')
})

test('a site that is told to stop while it starts leaves nobody', async () => {
  const starting = workers.start()
  const failure = starting.catch((error: Error) => error.message)
  await workers.stop()
  expect(await failure).toContain('told to stop')
  expect(living()).toEqual([])
})

test.each([1, 2, 4, 5, 16, 64])('%i processes find room in the database', (count) => {
  expect(poolSize(count)).toBeGreaterThanOrEqual(3)
  expect(maxConnections(count)).toBeGreaterThan(count * (poolSize(count) + 2))
})

test('one process has what it always had', () => {
  expect([poolSize(1), maxConnections(1)]).toEqual([8, 50])
})
