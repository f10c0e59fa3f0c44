import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CachedResponse, selectEncoding } from './cached-response.ts'

test('a detached response keeps no other bytes in memory', () => {
  const large = randomBytes(100_000)
  const response = new CachedResponse(large.subarray(5000, 15_000), 'text/plain')
  response.detach()
  expect(response.body.equals(large.subarray(5000, 15_000))).toBe(true)
  expect(response.body.buffer.byteLength).toBe(10_000)
  for (const encoding of ['br', 'gzip'] as const) {
    const encoded = response.encoded(encoding)
    expect(encoded.buffer.byteLength).toBe(encoded.length)
  }
})

test('bytes that share no memory are not copied', () => {
  const response = new CachedResponse(Buffer.allocUnsafeSlow(10_000), 'text/plain')
  const { body } = response
  response.detach()
  expect(response.body).toBe(body)
})

test.each([
  ['gzip, br', 'br'],
  ['gzip;q=1, br;q=1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.001', 'br'],
  ['GZIP', 'gzip'],
  ['Br;Q=1, gzip;q=0.5', 'br'],
  ['bread', undefined],
  ['identity', undefined],
])('for Accept-Encoding %j the encoding is %s', (header, encoding) => {
  expect(selectEncoding(header)).toBe(encoding)
  expect(selectEncoding(header)).toBe(encoding)
})
