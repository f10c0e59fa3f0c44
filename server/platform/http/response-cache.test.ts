import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CachedResponse } from './cached-response.ts'
import { AppError } from './errors.ts'
import { createByteCache, ResponseCache, SingleFlight } from './response-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const text = (body: string, status = 200) => new CachedResponse(body, 'text/plain', status)
const bodyOf = (response: CachedResponse | undefined) => response?.body.toString()

test('a response is cached for its version and its maximum age', () => {
  const cache = new ResponseCache(100_000, 1000)
  cache.set('a', text('one'), 1)
  expect(bodyOf(cache.get('a', 1))).toBe('one')
  expect(cache.get('a', 2)).toBeUndefined()
  vi.advanceTimersByTime(900)
  expect(bodyOf(cache.get('a', 1))).toBe('one')
  vi.advanceTimersByTime(200)
  expect(cache.get('a', 1)).toBeUndefined()
})

test('a cache with a limit of 0 stores nothing', () => {
  const cache = new ResponseCache(0, 1000)
  cache.set('a', text('one'), 1)
  expect(cache.get('a', 1)).toBeUndefined()
})

test('a byte cache evicts the least recently used, and never exceeds its limit', () => {
  const cache = createByteCache<{ bytes: number }>(16_000, 1000, (value) => value.bytes)
  for (let key = 0; key < 20; key++) {
    cache.set(String(key), { bytes: 700 })
    cache.get('0')
    expect(cache.calculatedSize).toBeLessThanOrEqual(16_000)
  }
  expect(['0', '1', '19'].map((key) => cache.has(key))).toEqual([true, false, true])
})

test('a byte cache stores nothing larger than a sixteenth of its limit', () => {
  const cache = createByteCache<{ bytes: number }>(16_000, 1000, (value) => value.bytes)
  cache.set('a', { bytes: 10 })
  cache.set('a', { bytes: 1000 })
  expect(cache.has('a')).toBe(false)
})

test('a response that several callers ask for at once is created once', async () => {
  const cache = new ResponseCache(100_000, 1000)
  let count = 0
  const create = async () => text(`created ${++count}`)
  const both = await Promise.all([cache.getOrCreate('k', 1, create), cache.getOrCreate('k', 1, create)])
  expect(both.map(bodyOf)).toEqual(['created 1', 'created 1'])
  expect(bodyOf(await cache.getOrCreate('k', 1, create))).toBe('created 1')
  expect(bodyOf(await cache.getOrCreate('k', 2, create))).toBe('created 2')
})

test('neither a rejection nor a server error is cached', async () => {
  const cache = new ResponseCache(100_000, 1000)
  await expect(cache.getOrCreate('k', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(bodyOf(await cache.getOrCreate('k', 1, async () => text('broken', 500)))).toBe('broken')
  expect(bodyOf(await cache.getOrCreate('k', 1, async () => text('fine')))).toBe('fine')
})

test('a single flight runs one task per key at a time', async () => {
  const flights = new SingleFlight<string>()
  let count = 0
  const run = (key: string) => flights.run(key, async () => `${key} ${++count}`)
  expect(await Promise.all([run('a'), run('a'), run('b')])).toEqual(['a 1', 'a 1', 'b 2'])
  expect(await run('a')).toBe('a 3')
})

const unavailable = () => Promise.reject(new AppError('unavailable', 503, 'Busy.'))
const never = () => new Promise<CachedResponse>(() => {})

test('a response of an earlier version is served while the database is unavailable, until its maximum age', async () => {
  const cache = new ResponseCache(100_000, 1000)
  cache.set('k', text('earlier'), 1)
  expect(bodyOf(await cache.getOrCreate('k', 2, unavailable))).toBe('earlier')
  await expect(cache.getOrCreate('k', 2, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
  vi.advanceTimersByTime(1200)
  await expect(cache.getOrCreate('k', 2, unavailable)).rejects.toThrow('Busy.')
})

test('a response that takes long is replaced by an earlier one, and cached when it arrives', async () => {
  const cache = new ResponseCache(100_000, 10_000)
  cache.set('k', text('earlier'), 1)
  const created = Promise.withResolvers<CachedResponse>()
  const slow = cache.getOrCreate('k', 2, () => created.promise)
  vi.advanceTimersByTime(1500)
  expect(bodyOf(await slow)).toBe('earlier')
  created.resolve(text('late'))
  await vi.waitFor(() => expect(bodyOf(cache.get('k', 2))).toBe('late'))
})

test('a task that hangs holds nobody for long, and is started again after a while', async () => {
  const flights = new SingleFlight<CachedResponse>()
  let started = 0
  const hang = () => {
    started++
    return never()
  }
  const errors: string[] = []
  const run = () => flights.run('k', hang).catch((error: AppError) => errors.push(error.code))
  const first = run()
  vi.advanceTimersByTime(4000)
  const follower = run()
  vi.advanceTimersByTime(1000)
  await Promise.all([first, follower])
  expect([errors, started]).toEqual([['unavailable', 'unavailable'], 1])
  const late = run()
  vi.advanceTimersByTime(0)
  await late
  expect(started).toBe(1)
  vi.advanceTimersByTime(20_000)
  void run()
  expect(started).toBe(2)
})
