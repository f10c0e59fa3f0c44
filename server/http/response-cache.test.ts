import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CachedResponse } from './cached-response.ts'
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
