import type { FastifyBaseLogger } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { ExchangedLimit, type ExchangedLimitOptions } from './exchanged-limit.ts'

const PATIENCE = { timeout: 10_000, interval: 20 }

let database: TestDatabase
let opened: ExchangedLimit[]
let said: string[]
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('truncate rate_limits')
  opened = []
  said = []
})
afterEach(async () => {
  for (const limit of opened) await limit.close()
})

const log = { warn: (_details: object, text: string) => void said.push(text) } as FastifyBaseLogger

/** One process's part of a limit; it exchanges when it is told to. */
function open(more: Partial<ExchangedLimitOptions> = {}): ExchangedLimit {
  const usual = { pool: database.pool, log, name: 'test', calls: 10, seconds: 60, exchangeMs: 3_600_000 }
  const limit = new ExchangedLimit({ ...usual, ...more })
  opened.push(limit)
  return limit
}

/** How many of so many calls are admitted. */
function call(limit: ExchangedLimit, times: number, key = 'a'): number {
  return Array.from({ length: times }, () => limit.admit(key)).filter(Boolean).length
}

const rows = async () =>
  (await database.pool.query<{ key: string; points: number }>('select key, points from rate_limits order by key')).rows

test('one process admits as many calls as it may, to each caller, and says how long to wait', () => {
  const limit = open()
  expect(call(limit, 12)).toBe(10)
  expect(call(limit, 1, 'b')).toBe(1)
  expect(limit.secondsToWait('a')).toBeGreaterThan(50)
  expect(limit.secondsToWait('a')).toBeLessThanOrEqual(60)
})

test('what several processes counted is one sum once they have exchanged it', async () => {
  const [one, two] = [open(), open()]
  expect([call(one, 6), call(two, 3)]).toEqual([6, 3])
  await one.exchange()
  await two.exchange()
  expect(call(two, 9)).toBe(1)
  await two.exchange()
  expect(call(one, 9)).toBe(4)
  await one.exchange()
  expect([call(one, 1), call(two, 1)]).toEqual([0, 0])
  expect(await rows()).toEqual([{ key: 'test:a', points: 14 }])
})

test('without an exchange in between each process admits the limit once and no more', async () => {
  const processes = [open(), open(), open()]
  expect(processes.map((limit) => call(limit, 100))).toEqual([10, 10, 10])
  await Promise.all(processes.map((limit) => limit.exchange()))
  expect(processes.map((limit) => call(limit, 100))).toEqual([0, 0, 0])
})

test('calls that come during an exchange are counted once', async () => {
  const [one, two] = [open(), open()]
  call(one, 4)
  const exchanging = one.exchange()
  await new Promise((resolve) => setImmediate(resolve))
  expect(call(one, 3)).toBe(3)
  await exchanging
  await one.exchange()
  call(two, 1)
  await two.exchange()
  expect(await rows()).toEqual([{ key: 'test:a', points: 8 }])
  expect(call(two, 9)).toBe(2)
})

test('the time ends in all processes at once, and everything begins anew', async () => {
  const [early, late] = [open({ seconds: 1 }), open({ seconds: 1 })]
  call(early, 10)
  await early.exchange()
  call(late, 1)
  await late.exchange()
  expect([call(early, 1), call(late, 1)]).toEqual([0, 0])
  await expect.poll(() => call(early, 1), PATIENCE).toBe(1)
  await expect.poll(() => call(late, 1), PATIENCE).toBe(1)
  await late.exchange()
  expect(call(late, 10)).toBe(9)
  await late.exchange()
  expect(await rows()).toEqual([{ key: 'test:a', points: 10 }])
})

test('each process exchanges by itself', async () => {
  const [one, two] = [open({ exchangeMs: 10 }), open({ exchangeMs: 10 })]
  call(one, 10)
  await expect.poll(() => call(two, 1), PATIENCE).toBe(0)
})

test('while the table is away each process counts for itself, and afterwards everything is told', async () => {
  const [one, two] = [open(), open()]
  await database.pool.query('alter table rate_limits rename to away')
  expect([call(one, 6), call(two, 4)]).toEqual([6, 4])
  await one.exchange()
  await one.exchange()
  await two.exchange()
  expect([call(one, 1), call(two, 1)]).toEqual([1, 1])
  expect(said).toHaveLength(2)
  await database.pool.query('alter table away rename to rate_limits')
  await one.exchange()
  await two.exchange()
  expect(await rows()).toEqual([{ key: 'test:a', points: 12 }])
  expect(call(two, 1)).toBe(0)
})

test('who calls seldom costs no row', async () => {
  const limit = open({ calls: 600 })
  expect(call(limit, 9)).toBe(9)
  await limit.exchange()
  expect(await rows()).toEqual([])
  expect(call(limit, 1)).toBe(1)
  await limit.exchange()
  expect(await rows()).toEqual([{ key: 'test:a', points: 10 }])
})

test('one exchange takes a bounded number of rows, the next one goes on', async () => {
  const limit = open({ mostRows: 2 })
  for (const key of ['a', 'b', 'c']) call(limit, 1, key)
  await limit.exchange()
  expect((await rows()).map(({ key }) => key)).toEqual(['test:a', 'test:b'])
  await limit.exchange()
  expect((await rows()).map(({ key }) => key)).toEqual(['test:a', 'test:b', 'test:c'])
})

test('a flood of callers does not fill the memory, and forgets nobody who keeps calling', async () => {
  const limit = open({ mostCallers: 100 })
  let admitted = 0
  for (let n = 0; n < 10_000; n++) {
    limit.admit(`caller ${n}`)
    if (n % 10 === 0) admitted += call(limit, 1, 'always here')
  }
  expect(limit.size).toBeLessThanOrEqual(100)
  expect(admitted).toBe(10)
})

test('what has ended makes room by itself', async () => {
  const limit = open({ seconds: 0.01 })
  for (let n = 0; n < 100; n++) limit.admit(`caller ${n}`)
  const comeAgain = () => {
    limit.admit(`caller ${Math.random()}`)
    return limit.size
  }
  await expect.poll(comeAgain, PATIENCE).toBeLessThan(100)
})

test('processes that exchange the same callers at once do not lock each other out', async () => {
  const processes = [open(), open(), open(), open()]
  const keys = Array.from({ length: 200 }, (_, n) => `caller ${n}`)
  for (let round = 0; round < 2; round++) {
    for (const [at, limit] of processes.entries()) {
      for (const key of at % 2 === 0 ? keys : keys.toReversed()) limit.admit(key)
    }
    await Promise.all(processes.map((limit) => limit.exchange()))
  }
  expect(said).toEqual([])
  expect(new Set((await rows()).map(({ points }) => points))).toEqual(new Set([8]))
})
