import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.ts'
import { accepts, CachedResponse } from './cached-response.ts'
import { ResponseCache } from './response-cache.ts'

const sized = (bytes: number) => ({ bytes })

test('keeps a value for its version and its time', () => {
  const cache = new ByteCache<{ bytes: number }>(100_000)
  cache.set('a', sized(10), 1, 1000, 0)
  expect(cache.get('a', 1, 999)).toEqual(sized(10))
  expect(cache.get('a', 1, 1000)).toBeUndefined()
  cache.set('a', sized(10), 1, 1000, 0)
  expect(cache.get('a', 2, 1)).toBeUndefined()
})

test('throws away what was not used again', () => {
  const cache = new ByteCache<{ bytes: number }>(16_000)
  for (let key = 0; key < 20; key++) {
    cache.set(String(key), sized(700), 0, 1000, 0)
    cache.get('0', 0, 1)
  }
  expect(cache.get('0', 0, 1)).toBeDefined()
  expect(cache.get('1', 0, 1)).toBeUndefined()
  expect(cache.get('19', 0, 1)).toBeDefined()
})

test('lets a new one in where all others are used, and goes on keeping most of them', () => {
  const cache = new ByteCache<{ bytes: number }>(160_000)
  const keys = Array.from({ length: 150 }, (_, key) => String(key))
  for (const key of keys) cache.set(key, sized(700), 0, 1000, 0)
  for (let round = 0; round < 20; round++) {
    const kept = keys.filter((key) => cache.get(key, 0, 1))
    expect(kept.length).toBeGreaterThan(100)
    cache.set(`new ${round}`, sized(700), 0, 1000, 0)
    expect(cache.get(`new ${round}`, 0, 1)).toBeDefined()
  }
})

test('never holds more bytes than its limit, and none when empty', () => {
  const step = fc.tuple(fc.nat(30), fc.nat(3000), fc.nat(2), fc.boolean())
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = new ByteCache<{ bytes: number }>(16_000)
      for (const [key, bytes, version, isGone] of steps) {
        if (isGone) cache.delete(String(key))
        else cache.set(String(key), sized(bytes), version, 1000, 0)
        cache.get(String(key), 1, 1)
        expect(cache.bytes).toBeGreaterThanOrEqual(0)
        expect(cache.bytes).toBeLessThanOrEqual(16_000)
      }
      for (let key = 0; key <= 30; key++) cache.delete(String(key))
      expect(cache.bytes).toBe(0)
    }),
  )
})

test('an answer that several want at once is made once, and a failure is not kept', async () => {
  const cache = new ResponseCache(100_000, 1000)
  let made = 0
  const make = async () => new CachedResponse(`made ${++made}`, 'text/plain')
  const both = await Promise.all([cache.getOrCreate('k', 1, make), cache.getOrCreate('k', 1, make)])
  expect(both.map(({ body }) => body.toString())).toEqual(['made 1', 'made 1'])
  expect((await cache.getOrCreate('k', 2, make)).body.toString()).toBe('made 2')
  await expect(cache.getOrCreate('bad', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect((await cache.getOrCreate('bad', 1, make)).body.toString()).toBe('made 3')
})

test.each([
  ['gzip, br', 'br', true],
  ['br;q=0', 'br', false],
  ['br;q=0.001', 'br', true],
  ['bread', 'br', false],
  ['', 'gzip', false],
])('of %j takes %s: %s', (header, encoding, is) => {
  expect(accepts(header, encoding)).toBe(is)
})
