import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { exchangeRaw, sendRaw, sendUntilClosed } from '#tests/support/raw-request.ts'
import { BodyBudget } from './body-budget.ts'
import { registerRateLimits } from './rate-limits.ts'
import { createServer } from './server.ts'

let site: TestApp
let origin: string
let authorization: string
beforeAll(async () => {
  const from = { name: 'Site', address: 'site@example.com' }
  site = await createTestApp({ email: { smtpUrl: 'smtp://127.0.0.1:9', from, bounceAddress: from.address } })
  authorization = (await signIn(site.db, await makeMember(site.db))).authorization
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'host: a.test', 'content-type: application/json', ...headers, '', ''].join('\r\n')

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const call = request(origin + path, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, problem: JSON.parse(await text(response)) as { code: string } }
}

describe('a body is not received', () => {
  test.each(['/api/scripts', '/api/giveaways', '/api/admin-keys'])('from visitors at %s', async (path) => {
    const response = await exchangeRaw(origin, head(path, 'content-length: 60000'))
    expect([response.status, JSON.parse(response.body)]).toEqual([401, { error: 'Unauthorized', code: 'unauthorized' }])
  })

  test('from members at operations of admins', async () => {
    const response = await exchangeRaw(
      origin,
      head('/api/admin-keys', 'content-length: 60000', `authorization: ${authorization}`),
    )
    expect(response.status).toBe(403)
  })

  test('by an unknown URL', async () => {
    const { status } = await post('/api/nowhere', '{"a":'.repeat(1000))
    expect(status).toBe(404)
  })
})

describe('a body that is too large', () => {
  const body = JSON.stringify('x'.repeat(9_000_000))

  test.each([
    ['of announced length', {}],
    ['on a connection that closes', { connection: 'close' }],
  ])('%s always gets its 413', async (_case, headers) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/api/script-download', body, headers)))
    expect(answers).toEqual(
      answers.map(() => ({ status: 413, problem: expect.objectContaining({ code: 'too_large' }) })),
    )
  })

  test.each(['keep-alive', 'close'])('may be sent to its end after the 413 (connection: %s)', async (connection) => {
    const length = `content-length: ${body.length}`
    const { socket, response } = sendRaw(origin, head('/api/script-download', length, `connection: ${connection}`))
    expect((await response).status).toBe(413)
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    await new Promise<void>((resolve) => socket.write(body, () => resolve()))
    socket.end()
    await once(socket, 'close')
    expect(failures).toEqual([])
  })

  test('without an end closes the connection', async () => {
    const { socket, response } = sendRaw(origin, head('/api/script-download', 'transfer-encoding: chunked'))
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    const sent = sendUntilClosed(socket, chunk)
    expect((await response).status).toBe(411)
    expect(await sent).toBeGreaterThan(0)
  })

  test('in one operation may be allowed in another', async () => {
    const image = `data:image/png;base64,${'QUJD'.repeat(1_000_000)}`
    const script = { title: 'A', description: 'B', script_content: 'print("x")\n'.repeat(50_000), image }
    const { status, problem } = await post('/api/scripts', JSON.stringify(script), { authorization })
    expect([status, problem.code]).toEqual([400, 'bad_image'])
  })
})

describe('a body of a member', () => {
  const send = (body: string) => post('/api/scripts', body, { authorization })

  test.each([
    ['a million tags', `{"tags":[${'"a",'.repeat(1_000_000)}"a"]}`],
    ['a million objects', `{"constructor":1,"a":[${'{},'.repeat(1_000_000)}{}]}`],
    ['many keys', `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['a long number', `{"title":${'1'.repeat(3_000_000)}}`],
    ['deep arrays', '['.repeat(2_000_000)],
  ])('with %s is rejected', async (_case, body) => {
    expect(await send(body)).toMatchObject({ status: 400, problem: { code: 'too_complex' } })
  })

  test('with too many tags gets one error for them', async () => {
    expect(await send(JSON.stringify({ tags: Array.from({ length: 1500 }, () => 1) }))).toMatchObject({
      status: 400,
      problem: { code: 'invalid', fields: { tags: 'Tags must have at most 100 entries.' } },
    })
  })

  test('in chunks gets a 411, however small they are', async () => {
    const chunks = Array.from('{"script_id":77}', (byte) => `1\r\n${byte}\r\n`).join('')
    const response = await exchangeRaw(
      origin,
      `${head('/api/script-download', 'transfer-encoding: chunked')}${chunks}0\r\n\r\n`,
    )
    expect([response.status, JSON.parse(response.body)]).toMatchObject([411, { code: 'length_required' }])
  })

  test('may arrive one byte at a time', async () => {
    const body = '{"script_id":77}'
    const { socket, response } = sendRaw(origin, head('/api/script-download', `content-length: ${body.length}`))
    socket.setNoDelay(true)
    for (const byte of body) await new Promise<void>((resolve) => socket.write(byte, () => resolve()))
    expect((await response).status).toBe(404)
    socket.destroy()
  })
})

describe('a header that the site does not support', () => {
  const script = JSON.stringify({ title: 'A', description: 'B', script_content: 'return 1' })
  const scripts = async () => (await site.db.selectFrom('scripts').select('id').execute()).length

  test.each<[Record<string, string>, number, string]>([
    ...['gzip', 'br', 'deflate', 'zstd', 'identity, GZIP', 'x'].map(
      (encoding): [Record<string, string>, number, string] => [
        { 'content-encoding': encoding },
        415,
        'unsupported_encoding',
      ],
    ),
    ...['utf-16', '"UTF-16LE"', 'iso-8859-1', 'utf-8; charset=latin1', ''].map(
      (charset): [Record<string, string>, number, string] => [
        { 'content-type': `application/json; Charset=${charset}` },
        415,
        'unsupported_charset',
      ],
    ),
    [{ 'content-type': "application/json; charset*=utf-8''utf-16" }, 415, 'unsupported_charset'],
    [{ 'content-range': 'bytes 0-9/100' }, 400, 'unsupported_range'],
    [{ 'if-match': '"a"' }, 412, 'unsupported_condition'],
    [{ 'if-none-match': '*' }, 412, 'unsupported_condition'],
    [{ 'if-unmodified-since': 'Sat, 28 Nov 2026 12:00:00 GMT' }, 412, 'unsupported_condition'],
  ])('is rejected before the script is published: %j', async (headers, status, code) => {
    const before = await scripts()
    const response = await post('/api/scripts', script, { authorization, ...headers })
    expect([response.status, response.problem.code]).toEqual([status, code])
    expect(await scripts()).toBe(before)
  })

  test.each<Record<string, string>>([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset="UTF-8"' },
    { 'content-type': 'application/json;charset=us-ascii' },
    { 'accept-charset': 'utf-16' },
  ])('is none of these: %j', async (headers) => {
    expect((await post('/api/scripts', script, { authorization, ...headers })).status).toBe(201)
  })

  test.each(['/api/media', '/api/oidc-token', '/api/script-comments?id=1', '/email/unsubscribe?token=x'])(
    'is rejected at %s',
    async (path) => {
      const types: Record<string, string> = {
        '/api/media': 'multipart/form-data; boundary=b',
        '/email/unsubscribe?token=x': 'application/x-www-form-urlencoded',
      }
      const type = types[path] ?? 'application/json'
      const send = (headers: object) => post(path, '{}', { authorization, 'content-type': type, ...headers })
      expect((await send({ 'content-encoding': 'gzip' })).problem.code).toBe('unsupported_encoding')
      expect((await send({ 'content-type': `${type}; charset=utf-16` })).problem.code).toBe('unsupported_charset')
    },
  )

  test('of a part of a form is rejected', async () => {
    const part = (encoding: string) =>
      [
        '--b',
        'content-disposition: form-data; name="file"; filename="a.png"',
        'content-type: image/png',
        `content-transfer-encoding: ${encoding}`,
        '',
        'iVBORw0KGgo=',
        '--b--',
        '',
      ].join('\r\n')
    const type = { authorization, 'content-type': 'multipart/form-data; boundary=b' }
    const codes = ['base64', 'Binary'].map(
      async (encoding) => (await post('/api/media', part(encoding), type)).problem.code,
    )
    expect(await Promise.all(codes)).toEqual(['unsupported_encoding', 'bad_image'])
  })

  test('or bytes that are not UTF-8 do not become other text', async () => {
    const body = Buffer.from(script.replace('A', 'caf\u00e9'), 'latin1')
    const response = await fetch(`${origin}/api/scripts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed_json' }])
  })
})

describe('a body in chunks of one byte', () => {
  const bytewise = Buffer.from('1\r\nx\r\n'.repeat(300_000))
  /** A server whose handler reads no body and waits until `answer` is called. */
  const open = async () => {
    const app = createServer({ log: false, trustProxy: [], isHttps: false })
    const answer = Promise.withResolvers<void>()
    const requests: IncomingMessage[] = []
    app.get('/', async ({ raw }) => {
      requests.push(raw)
      await answer.promise
      return {}
    })
    return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), answer, requests }
  }
  const get = 'GET / HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n'

  test('is not received, and closes the connection after the response', async () => {
    const { app, url, answer, requests } = await open()
    const { socket, response } = sendRaw(url, get)
    const sent = sendUntilClosed(socket, bytewise)
    await vi.waitUntil(() => requests.length === 1 && socket.writableLength > 0)
    await setTimeout(200)
    // One read of 64 KiB.
    expect(requests[0]?.readableLength).toBeLessThan(11_000)
    answer.resolve()
    expect((await response).status).toBe(200)
    await sent
    await app.close()
  })

  test.each([
    ['GET', 'accept: */*', 200],
    ['POST', 'content-type: application/json', 411],
  ])('does not cost a client that sends on the response to a %s', async (method, header, status) => {
    const app = createServer({ log: false, trustProxy: [], isHttps: false })
    app.route({ url: '/', method: ['GET', 'POST'], handler: () => ({}) })
    const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect({ host: hostname, port: Number(port) })
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    socket.write(`${method} / HTTP/1.1\r\nhost: a.test\r\n${header}\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n`)
    // The response arrives, and the client goes on sending before it reads it.
    await setTimeout(100)
    socket.write('1\r\nx\r\n')
    await setTimeout(50)
    socket.write('1\r\nx\r\n')
    expect([(await text(socket)).slice(0, 12), failures]).toEqual([`HTTP/1.1 ${status}`, []])
    socket.destroy()
    await app.close()
  })

  test('is not accepted as an upload', async () => {
    const type = 'content-type: multipart/form-data; boundary=b'
    const start = ['POST /api/media HTTP/1.1', 'host: a', type, `authorization: ${authorization}`]
    const response = await exchangeRaw(origin, [...start, 'transfer-encoding: chunked', '', '1\r\n-\r\n'].join('\r\n'))
    expect([response.status, JSON.parse(response.body)]).toMatchObject([411, { code: 'length_required' }])
  })
})

test('a large body past a rate limit gets its 429 before it has arrived', async () => {
  const app = createServer({ log: false, trustProxy: [], isHttps: false })
  const perAddress = { write: { calls: 1, seconds: 60, counted: 'memory' } } as const
  registerRateLimits(app, { pool: site.pool, perAddress, perMember: {}, perToken: {}, kindOf: () => 'write' })
  app.post('/', () => ({}))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await exchangeRaw(url, `${head('/', 'content-length: 2')}{}`)
  const response = await exchangeRaw(url, head('/', 'content-length: 60000'))
  expect([response.status, JSON.parse(response.body)]).toMatchObject([429, { code: 'too_many_requests' }])
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  await app.close()
})

describe('the memory for bodies', () => {
  const open = async () => {
    const bodyBudget = new BodyBudget({ bytes: 50_000, reserveBytes: 0, ownerBytes: 1_000_000, waitMs: 0 })
    const app = createServer({ log: false, trustProxy: [], isHttps: false, bodyBudget })
    const waiting: (() => void)[] = []
    app.post('/', () => new Promise((resolve) => waiting.push(() => resolve({}))))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify('x'.repeat(30_000))
    const start = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { app, url, bodyBudget, waiting, start }
  }

  test('is bounded, and free again after the response', async () => {
    const { app, bodyBudget, waiting, start } = await open()
    const first = start()
    await vi.waitUntil(() => waiting.length === 1)
    const rejected = await start()
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await rejected.json()).toMatchObject({ code: 'busy' })
    waiting[0]?.()
    expect((await first).status).toBe(200)
    await vi.waitUntil(() => bodyBudget.used === 0)
    await app.close()
  })

  test('is free again after clients go away', async () => {
    const { app, url, bodyBudget } = await open()
    const { socket, response } = sendRaw(url, `${head('/', 'content-length: 40000')}"${'x'.repeat(20_000)}`)
    response.catch(() => undefined)
    await vi.waitUntil(() => bodyBudget.used > 0)
    socket.destroy()
    await vi.waitFor(() => expect(bodyBudget.used).toBe(0))
    await app.close()
  })
})
