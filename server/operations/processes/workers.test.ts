import cluster from 'node:cluster'
import { get } from 'node:http'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { maxConnections, poolSize } from '#server/platform/db/pool.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import type { Site } from './prepare.ts'
import { Workers } from './workers.ts'

const SOON = { timeout: 60_000, interval: 20 }
const program = path.resolve(import.meta.dirname, '../../../tests/support/fake-worker.ts')

let site: Site
let workers: Workers
let gaveUp: number
let errors: string[]
beforeEach(() => {
  const config = readConfig({ SECRET_KEY: 'ab'.repeat(32) })
  site = { config, connection: 'postgres://localhost/none', startedAt: new Date().toISOString() }
  gaveUp = 0
  errors = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(line))
  workers = new Workers(site, { count: 2, giveUp: () => gaveUp++, program, maxRestartDelayMs: 1 })
})
afterEach(async () => {
  await workers.stop()
  vi.restoreAllMocks()
})

const living = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker?.process.pid ?? [])
/** Sends one request over a connection of its own. Resolves with whether the server answered, reset or ignored it. */
const visit = (port: number) =>
  new Promise<string>((resolve) => {
    const call = get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume().on('end', () => resolve('answered'))
    })
    call.on('error', () => resolve('reset'))
    // Long enough for a machine that is busy with other tests.
    call.setTimeout(40_000, () => {
      resolve('ignored')
      call.destroy()
    })
  })

const kill = (pid: number | undefined) => process.kill(pid ?? 0, 'SIGKILL')

test('replaces a worker each time it dies and leaves the other one alone', async () => {
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

test(
  'leaves no client without an answer or an end when a worker is killed under load',
  { timeout: 240_000 },
  async () => {
    const port = await findFreePort()
    site.config = { ...site.config, port }
    const serving = path.resolve(import.meta.dirname, '../../../tests/support/serving-worker.ts')
    workers = new Workers(site, { count: 2, giveUp: () => gaveUp++, program: serving, maxRestartDelayMs: 1 })
    await workers.start()
    const outcomes: string[] = []
    const over = new AbortController()
    const visitAgain = async () => {
      while (!over.signal.aborted) outcomes.push(await visit(port))
    }
    const visitors = Promise.all(Array.from({ length: 64 }, visitAgain))
    for (let kills = 0; kills < 4; kills++) {
      const { length } = outcomes
      await expect.poll(() => outcomes.length, SOON).toBeGreaterThan(length + 300)
      const [killed] = living()
      kill(killed)
      await expect.poll(() => living().filter((pid) => pid !== killed).length, SOON).toBe(2)
    }
    over.abort()
    await visitors
    expect(outcomes).toContain('answered')
    expect(outcomes).not.toContain('ignored')
  },
)

test('keeps trying while another worker serves', async () => {
  await workers.start()
  const [first, second] = living()
  site.startedAt = 'never'
  kill(first)
  await expect.poll(() => errors.length, SOON).toBeGreaterThan(12)
  expect(gaveUp).toBe(0)
  site.startedAt = new Date().toISOString()
  await expect.poll(() => living().length, SOON).toBe(2)
  expect(living()).toContain(second)
})

test('replaces a worker that hangs', async () => {
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
  await expect.poll(() => errors, SOON).toContain('Worker 1 sent no heartbeat for 3 s and is killed.')
  site.startedAt = new Date().toISOString()
  await expect.poll(() => living().filter((pid) => pid !== hanging).length, SOON).toBe(2)
  expect(living()).toContain(second)
})

test('gives up if no worker serves and all new ones die', async () => {
  await workers.start()
  site.startedAt = 'never'
  for (const pid of living()) kill(pid)
  await expect.poll(() => gaveUp, SOON).toBe(1)
  expect(errors.at(-1)).toBe('No worker stays alive: 10 in a row exited after their start, last by code 1.')
})

test('a start fails with the first worker that dies', async () => {
  site.startedAt = 'never'
  await expect(workers.start()).rejects.toThrow('A worker exited while it was starting (code 1).')
})

test('a site that is stopped while it starts leaves no workers', async () => {
  const starting = workers.start()
  const failure = starting.catch((error: Error) => error.message)
  await workers.stop()
  expect(await failure).toContain('stopped while it was starting')
  expect(living()).toEqual([])
})

test.each([1, 2, 4, 5, 16, 64])('%i workers have enough connections', (count) => {
  expect(poolSize(count)).toBeGreaterThanOrEqual(3)
  expect(maxConnections(count)).toBeGreaterThan(count * (poolSize(count) + 2))
})

test('one worker has 8 of 50 connections', () => {
  expect([poolSize(1), maxConnections(1)]).toEqual([8, 50])
})
