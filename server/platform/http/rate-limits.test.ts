import { expect, test } from 'vitest'
import { MemoryLimit, networkOf } from './rate-limits.ts'

const countAdmitted = (limit: MemoryLimit, calls: number, key = 'a', now = 0) =>
  Array.from({ length: calls }, () => limit.admit(key, now)).filter(Boolean).length

test('a memory limit admits its number of calls to each client', () => {
  const limit = new MemoryLimit({ calls: 10, seconds: 60 })
  expect([countAdmitted(limit, 15), countAdmitted(limit, 15, 'b')]).toEqual([10, 10])
})

test('a memory limit admits calls again when the window ends', () => {
  const limit = new MemoryLimit({ calls: 10, seconds: 60 })
  expect(countAdmitted(limit, 15)).toBe(10)
  expect(countAdmitted(limit, 1, 'a', 59_999)).toBe(0)
  expect(countAdmitted(limit, 15, 'a', 60_000)).toBe(10)
})

test('a memory limit rejects with the time to wait', () => {
  const limit = new MemoryLimit({ calls: 1, seconds: 60 })
  limit.consume('a', undefined, 0)
  expect(() => limit.consume('a', undefined, 58_500)).toThrow(
    expect.objectContaining({ code: 'too_many_requests', status: 429, details: { retryAfter: 2 } }),
  )
})

test('a memory limit forgets the client that called longest ago when there are too many', () => {
  const limit = new MemoryLimit({ calls: 1, seconds: 60 }, 2)
  for (const key of ['a', 'b', 'a', 'c']) limit.admit(key, 0)
  expect(countAdmitted(limit, 1, 'a')).toBe(0)
  expect(countAdmitted(limit, 1, 'b')).toBe(1)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8::ffff:cb00:7109', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::1]:4711', '2001:db8:0:0'],
  ['in-process', 'unknown'],
  ['', 'unknown'],
  ['203.0.113.9'.repeat(1000), 'unknown'],
  ['x'.repeat(16_000), 'unknown'],
])('the network of %.40s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
