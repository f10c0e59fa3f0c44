import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { CachedResponse, sendCachedResponse } from './cached-response.ts'
import { createServer } from './server.ts'
import { type FastRoute, FastPath, type Visitor } from './fast-path.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Answer {
  status: number | undefined
  headers: Record<string, unknown>
  body: string
}

/** An app that answers `/here` both ways, and which way it went. */
async function serve(route: Partial<FastRoute> = {}, trustProxy: string[] = []) {
  const fastPath = new FastPath({ isHttps: true, trustProxy })
  const app = createServer({ log: false, trustProxy, isHttps: true, fastPath })
  const finished = new CachedResponse('x'.repeat(2000), 'text/plain; charset=utf-8')
  const seen = { long: 0, admitted: [] as string[], given: [] as [string, Visitor][], isFull: false }
  const headers = { 'cache-control': 'public, no-cache', 'content-security-policy': "default-src 'self'" }
  app.get('/here', (asked, reply) => {
    seen.long++
    return sendCachedResponse(asked, reply.headers(headers), finished)
  })
  const onServed = (url: string, visitor: Visitor) => void seen.given.push([url, visitor])
  fastPath.add('/here', { headers, find: () => () => finished, onServed, ...route })
  const admit = (ip: string) => {
    seen.admitted.push(ip)
    return !seen.isFull
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string, given: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const asking = request({ port, path, method, headers: given, agent: false }, (answer) => {
        let body = ''
        answer.setEncoding('latin1').on('data', (part: string) => (body += part))
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }))
      })
      asking.on('error', reject).end()
    })
  return { ask, seen, finished, open: () => fastPath.enable({ log: app.log, admit }), fastPath }
}

/** Without what the connection itself says. */
function without({ status, headers, body }: Answer) {
  const own = new Set(['date', 'connection', 'keep-alive'])
  return { status, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name))), body }
}

describe('an answer that goes the short way', () => {
  const { etag } = new CachedResponse('x'.repeat(2000), '')
  test.each<Record<string, string>>([
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'gzip, br' },
    { 'accept-encoding': 'br;q=0, gzip;q=0.5' },
    { 'if-none-match': etag },
    { 'if-none-match': `W/"other", ${etag}` },
    { 'if-none-match': '"other"' },
  ])('is that of the long way, to %j', async (headers) => {
    const { ask, seen, open } = await serve()
    const long = await ask('/here?a=1', headers)
    open()
    const short = await ask('/here?a=1', headers)
    expect([seen.long, seen.admitted]).toEqual([1, ['127.0.0.1']])
    expect(without(short)).toEqual(without(long))
  })

  test('may take a while to make', async () => {
    const finished = new CachedResponse('late', 'text/plain')
    const { ask, seen, open } = await serve({ find: () => async () => finished })
    open()
    expect((await ask('/here')).body).toBe('late')
    expect(seen.long).toBe(0)
  })

  test('is told with who got it', async () => {
    const { ask, seen, open } = await serve({}, ['loopback'])
    open()
    await ask('/here?a=1', { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'me' })
    expect(seen.given).toEqual([
      ['/here?a=1', { ip: '198.51.100.7', headers: expect.objectContaining({ 'user-agent': 'me' }) }],
    ])
    expect(seen.admitted).toEqual(['198.51.100.7'])
  })

  test('believes no forwarded address when no proxy is trusted', async () => {
    const { ask, seen, open } = await serve()
    open()
    await ask('/here', { 'x-forwarded-for': '198.51.100.7' })
    expect(seen.admitted).toEqual(['127.0.0.1'])
  })
})

test('an answer that was asked for before the end keeps no connection', async () => {
  const making = Promise.withResolvers<CachedResponse>()
  const begun = Promise.withResolvers<void>()
  const make = () => {
    begun.resolve()
    return making.promise
  }
  const { ask, open, fastPath } = await serve({ find: () => make })
  open()
  const asked = ask('/here', { connection: 'keep-alive' })
  await begun.promise
  fastPath.disable()
  making.resolve(new CachedResponse('last', 'text/plain'))
  expect(await asked).toMatchObject({ body: 'last', headers: { connection: 'close' } })
})

describe('the long way is gone', () => {
  test.each([
    ['with a token', '/here', { authorization: 'Bearer x' }, 'GET', 200],
    ['by HEAD', '/here', {}, 'HEAD', 200],
    ['by POST', '/here', {}, 'POST', 404],
    ['to another address', '/here/and-there', {}, 'GET', 404],
  ] as const)('%s', async (_how, path, headers, method, status) => {
    const { ask, seen, open } = await serve()
    open()
    expect((await ask(path, headers, method)).status).toBe(status)
    expect(seen.admitted).toEqual([])
  })

  test('when the answer is not plain, when making it fails, and when it was too much', async () => {
    const fail = () => {
      throw new Error('broken')
    }
    for (const find of [() => undefined, () => () => Promise.reject(new Error('broken')), () => fail]) {
      const { ask, seen, open } = await serve({ find })
      open()
      expect([(await ask('/here')).status, seen.long]).toEqual([200, 1])
    }
    const { ask, seen, open } = await serve()
    open()
    seen.isFull = true
    await ask('/here')
    expect([seen.long, seen.given]).toEqual([1, []])
  })

  test('once the server is closing', async () => {
    const { ask, seen, open, fastPath } = await serve()
    open()
    fastPath.disable()
    await ask('/here')
    expect([seen.long, seen.admitted]).toEqual([1, []])
  })
})
