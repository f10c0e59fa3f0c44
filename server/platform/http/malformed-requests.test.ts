import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchangeRaw, sendRaw } from '#tests/support/raw-request.ts'
import type { App } from './app.ts'
import { readTarget } from './malformed-requests.ts'
import { createServer } from './server.ts'

let app: App
let origin: string
beforeAll(async () => {
  const timeouts = { headersMs: 300, requestMs: 600, checkMs: 50 }
  app = createServer({ log: false, trustProxy: [], isHttps: true, timeouts })
  app.get('/*', ({ url }) => ({ url }))
  app.post('/*', ({ body }) => ({ body }))
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'host: a.test', ...headers, '', ''].join('\r\n')

describe('a request target', () => {
  test.each([
    ['/a?b=c', '/a?b=c'],
    ['http://other.test:80/a?b=c', '/a?b=c'],
    ['https://other.test', '/'],
    ['http://other.test?a=b', '/?a=b'],
    ['HTTP://other.test//a', '//a'],
  ])('%s is %s', async (target, url) => {
    const response = await exchangeRaw(origin, get(target))
    expect([response.status, JSON.parse(response.body)]).toEqual([200, { url }])
  })

  test.each(['*', 'a', 'http://', 'ftp://a.test/', 'a.test:80'])('%s is malformed', async (target) => {
    expect(readTarget(target)).toBeUndefined()
    expect((await exchangeRaw(origin, get(target))).status).toBe(400)
  })
})

describe('a malformed request gets an error in the form of all errors', () => {
  test.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['headers that are too large', get('/', `x: ${'x'.repeat(100_000)}`), 431, 'headers_too_large'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_host'],
    ['two hosts', get('/', 'Host: b.test'), 400, 'bad_host'],
    ['a bad target', get('*'), 400, 'bad_address'],
    ['letters that are not encoded', get('/?search=straße'), 400, 'bad_address'],
    ['an unknown expectation', get('/', 'expect: pizza'), 417, 'expectation_failed'],
  ])('with %s', async (_case, request, status, code) => {
    const response = await exchangeRaw(origin, request)
    expect([response.status, JSON.parse(response.body)]).toEqual([status, { code, error: expect.any(String) }])
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cache-control': 'no-store',
      connection: 'close',
    })
  })
})

test('a request of HTTP/1.0 needs no host', async () => {
  expect((await exchangeRaw(origin, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(200)
})

describe('a slow client gets a 408', () => {
  test.each([
    ['headers', 'GET / HTTP/1.1\r\nhost: a.test\r\n'],
    ['bodies', 'POST / HTTP/1.1\r\nhost: a.test\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'],
  ])('for unfinished %s', async (_case, start) => {
    const response = await exchangeRaw(origin, start)
    expect([response.status, JSON.parse(response.body)]).toEqual([408, { code: 'timeout', error: expect.any(String) }])
  })

  test('unless it has its response already', async () => {
    const start = 'POST / HTTP/1.1\r\nhost: a.test\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{'
    const { socket, response } = sendRaw(origin, start)
    expect((await response).status).toBe(413)
    let more = ''
    socket.on('data', (chunk) => (more += chunk.toString()))
    await once(socket, 'close')
    expect(more).toBe('')
  })
})

test('slow clients are looked for every two seconds', () => {
  const { server } = createServer({ log: false, trustProxy: [], isHttps: true })
  expect(server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 30_000, timeout: 60_000 })
  expect(server).toHaveProperty('connectionsCheckingInterval', 2000)
})
