import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { AppError } from './errors.ts'
import { createServer, makeDecodable } from './server.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const author_id = await makeMember(site.db)
  for (let number = 0; number < 5; number++) await makeScript(site.db, { author_id })
})
afterAll(() => site.close())

describe('cached responses', () => {
  const list = (headers: Record<string, string>) => site.app.inject({ url: '/api/scripts', headers })

  test('are compressed in an encoding that the client accepts', async () => {
    const plain = await list({})
    const br = await list({ 'accept-encoding': 'gzip, br' })
    const gzip = await list({ 'accept-encoding': 'br;q=0, gzip' })
    expect([plain, br, gzip].map((answer) => answer.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.payload)
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.payload)
    expect(plain.headers.vary).toBe('accept-encoding')
  })

  test('are revalidated by their ETag', async () => {
    const { etag } = (await list({})).headers
    const again = await list({ 'if-none-match': `W/"x", ${String(etag)}` })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
    expect((await list({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

describe('rejected requests', () => {
  const post = (payload: string, type = 'application/json') =>
    site.app.inject({ method: 'POST', url: '/api/script-download', headers: { 'content-type': type }, payload })

  test.each([
    ['broken JSON', '{"script_id":', 'application/json', 400, 'malformed_json'],
    ['no body', '', 'application/json', 400, 'malformed_json'],
    ['a zero character', '{"script_id":"\\u0000"}', 'application/json', 400, 'invalid'],
    ['half a character', '{"script_id":"\\ud800"}', 'application/json', 400, 'invalid'],
    ['a prototype', '{"__proto__":{"x":1}}', 'application/json', 400, 'malformed_json'],
    ['arrays 20,000 deep', '['.repeat(20_000) + ']'.repeat(20_000), 'application/json', 400, 'too_complex'],
    ['objects 5,000 deep', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'application/json', 400, 'too_complex'],
    ['a deep member', `{"script_id":${'['.repeat(20)}${']'.repeat(20)}}`, 'application/json', 400, 'too_complex'],
    ['many values', `{"script_id":[${'1,'.repeat(3000)}1]}`, 'application/json', 400, 'too_complex'],
    ['much white space', `{"script_id":${' '.repeat(65_000)}1,`, 'application/json', 400, 'malformed_json'],
    ['100 KB', `"${'x'.repeat(100_000)}"`, 'application/json', 413, 'too_large'],
    ['half a body', '{"script_id":1', 'application/json', 400, 'malformed_json'],
    ['a huge number', '{"script_id":1e20}', 'application/json', 400, 'invalid'],
    ['plain text', '{"script_id":1}', 'text/plain', 415, 'unsupported_type'],
    ['a form', 'script_id=1', 'application/x-www-form-urlencoded', 415, 'unsupported_type'],
    ['5 MB', `"${'x'.repeat(5_000_000)}"`, 'application/json', 413, 'too_large'],
  ])('with %s get the right status and code', async (_case, payload, type, status, code) => {
    const answer = await post(payload, type)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
  })

  test('to an unknown URL get JSON', async () => {
    const answer = await site.app.inject('/api/nowhere')
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found'])
  })
})

test.each([
  ['POST', '/api/site', 'GET, HEAD'],
  ['PATCH', '/api/scripts', 'GET, HEAD, POST'],
  ['GET', '/api/script-check', 'POST'],
  ['DELETE', '/api/v1/scripts/any/versions', 'GET, HEAD, PUT'],
  ['POST', '/raw/any-1', 'GET, HEAD'],
] as const)('%s %s gets the methods that the URL accepts', async (method, url, allow) => {
  const { statusCode, headers } = await site.app.inject({ method, url })
  expect([statusCode, headers.allow]).toEqual([405, allow])
})

test('responses carry security headers', async () => {
  const { headers } = await site.app.inject('/api/scripts')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
})

describe('a failure', () => {
  const failing = (error: Error) => {
    const app = createServer({ log: false, trustProxy: [], isHttps: true })
    app.get('/', () => {
      throw error
    })
    return app.inject('/')
  }

  test('that is unexpected shows no internals', async () => {
    const answer = await failing(new Error('select secret from members at /srv/app.ts:1'))
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      error: 'Something went wrong on our side. Please try again.',
      code: 'internal',
    })
  })

  test.each([
    { code: '57P01' },
    { code: '25006' },
    { code: 'ECONNREFUSED' },
    { message: 'Connection terminated unexpectedly' },
  ])('of the database (%j) asks to retry', async (traits) => {
    const answer = await failing(Object.assign(new Error('lost'), traits))
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
  })

  test('that is an AppError is sent as it is', async () => {
    const answer = await failing(new AppError('odd', 409, 'That is odd.', { fields: { a: 'b' } }))
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'That is odd.', code: 'odd', fields: { a: 'b' } },
    ])
  })
})

test.each([
  ['/a%20b', '/a%20b'],
  ['/%ff', '/%25ff'],
  ['/100%', '/100%25'],
  ['/plain', '/plain'],
  ['/a?search=%ff', '/a?search=%ff'],
  ['/%ff?search=%ff', '/%25ff?search=%ff'],
])('rewrites the URL %s to %s', (url, decodable) => {
  expect(makeDecodable(url)).toBe(decodable)
})

test('a request writes one log line, without its query, headers or body', async () => {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const app = createServer({ log: 'info', logTo, trustProxy: [], isHttps: false })
  app.post('/here', () => ({}))
  await app.inject({
    method: 'POST',
    url: '/here?token=SECRET',
    headers: { authorization: 'Bearer SECRET', cookie: 'a=SECRET' },
    payload: { password: 'SECRET' },
  })
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ method: 'POST', path: '/here', status: 200 }),
  ])
  expect(lines.join('')).not.toContain('SECRET')
  await app.close()
})
