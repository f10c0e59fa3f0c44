import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { CachedResponse, sendCachedResponse } from './cached-response.ts'
import { FastPath, type FastRoute, FlushQueue, type Visitor } from './fast-path.ts'
import { createServer, securityHeaders } from './server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Reply {
  status: number | undefined
  headers: Record<string, unknown>
  body: string
}

/** A server that serves `/here` on the fast path and through the app, and records which one it was. */
async function serve(route: Partial<FastRoute> = {}, trustProxy: string[] = []) {
  const fastPath = new FastPath({ headers: securityHeaders(true), trustProxy })
  const app = createServer({ log: false, trustProxy, isHttps: true, fastPath })
  const cached = new CachedResponse('x'.repeat(2000), 'text/plain; charset=utf-8')
  const seen = { fallthroughs: 0, admitted: [] as string[], served: [] as [string, Visitor][], isFull: false }
  const headers = { 'cache-control': 'public, no-cache', 'content-security-policy': "default-src 'self'" }
  app.get('/here', (message, reply) => {
    seen.fallthroughs++
    return sendCachedResponse(message, reply.headers(headers), cached)
  })
  const onServed = (url: string, visitor: Visitor) => void seen.served.push([url, visitor])
  fastPath.add('/here', { headers, find: () => () => cached, onServed, ...route })
  const admit = (ip: string) => {
    seen.admitted.push(ip)
    return !seen.isFull
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string, requestHeaders: Record<string, string> = {}, method = 'GET') =>
    new Promise<Reply>((resolve, reject) => {
      const call = request({ port, path, method, headers: requestHeaders, agent: false }, (response) => {
        let body = ''
        response.setEncoding('latin1').on('data', (part: string) => (body += part))
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
      })
      call.on('error', reject).end()
    })
  return { ask, seen, enable: () => fastPath.enable({ log: app.log, admit }), fastPath }
}

function withoutConnectionHeaders({ status, headers, body }: Reply) {
  const connectionHeaders = new Set(['date', 'connection', 'keep-alive'])
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name))),
    body,
  }
}

describe('a response of the fast path', () => {
  const { etag } = new CachedResponse('x'.repeat(2000), '')
  test.each<Record<string, string>>([
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'gzip, br' },
    { 'accept-encoding': 'br;q=0, gzip;q=0.5' },
    { 'if-none-match': etag },
    { 'if-none-match': `W/"other", ${etag}` },
    { 'if-none-match': '*' },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': '"other"' },
  ])('equals that of the app, for %j', async (headers) => {
    const { ask, seen, enable } = await serve()
    const slow = await ask('/here?a=1', headers)
    enable()
    const first = await ask('/here?a=1', headers)
    expect([seen.fallthroughs, seen.admitted]).toEqual([1, ['127.0.0.1']])
    expect(withoutConnectionHeaders(first)).toEqual(withoutConnectionHeaders(slow))
    // The headers of the first one are cached.
    expect(withoutConnectionHeaders(await ask('/here?a=1', headers))).toEqual(withoutConnectionHeaders(slow))
  })

  test('may be loaded asynchronously', async () => {
    const cached = new CachedResponse('late', 'text/plain')
    const { ask, seen, enable } = await serve({ find: () => async () => cached })
    enable()
    expect((await ask('/here')).body).toBe('late')
    expect(seen.fallthroughs).toBe(0)
  })

  test('is reported with the client that received it', async () => {
    const { ask, seen, enable } = await serve({}, ['loopback'])
    enable()
    await ask('/here?a=1', { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'me' })
    expect(seen.served).toEqual([
      ['/here?a=1', { ip: '198.51.100.7', headers: expect.objectContaining({ 'user-agent': 'me' }) }],
    ])
    expect(seen.admitted).toEqual(['198.51.100.7'])
  })

  test('ignores forwarded addresses if no proxy is trusted', async () => {
    const { ask, seen, enable } = await serve()
    enable()
    await ask('/here', { 'x-forwarded-for': '198.51.100.7' })
    expect(seen.admitted).toEqual(['127.0.0.1'])
  })
})

test('a response that cannot be sent is sent by the app, and does not affect others', async () => {
  class Broken extends CachedResponse {
    override headers(): never {
      throw new Error('broken')
    }
  }
  const broken = new Broken('broken', 'text/plain')
  const cached = new CachedResponse('cached', 'text/plain')
  const { ask, seen, enable } = await serve({ find: (url) => () => (url.includes('broken') ? broken : cached) })
  enable()
  const replies = await Promise.all(['/here', '/here?broken', '/here'].map((url) => ask(url)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect([seen.fallthroughs, seen.served.length]).toEqual([1, 2])
})

test('a response that is loaded while the server closes does not keep its connection alive', async () => {
  const loading = Promise.withResolvers<CachedResponse>()
  const started = Promise.withResolvers<void>()
  const load = () => {
    started.resolve()
    return loading.promise
  }
  const { ask, enable, fastPath } = await serve({ find: () => load })
  enable()
  const pending = ask('/here', { connection: 'keep-alive' })
  await started.promise
  fastPath.disable()
  loading.resolve(new CachedResponse('last', 'text/plain'))
  expect(await pending).toMatchObject({ body: 'last', headers: { connection: 'close' } })
})

describe('a request falls through to the app', () => {
  test.each([
    ['with a token', '/here', { authorization: 'Bearer x' }, 'GET', 200],
    ['by HEAD', '/here', {}, 'HEAD', 200],
    ['by POST', '/here', {}, 'POST', 404],
    ['to another address', '/here/and-there', {}, 'GET', 404],
  ] as const)('%s', async (_case, path, headers, method, status) => {
    const { ask, seen, enable } = await serve()
    enable()
    expect((await ask(path, headers, method)).status).toBe(status)
    expect(seen.admitted).toEqual([])
  })

  test('if there is no cached response, if loading it fails, and if the client exceeds its limit', async () => {
    const fail = () => {
      throw new Error('broken')
    }
    for (const find of [() => undefined, () => () => Promise.reject(new Error('broken')), () => fail]) {
      const { ask, seen, enable } = await serve({ find })
      enable()
      expect([(await ask('/here')).status, seen.fallthroughs]).toEqual([200, 1])
    }
    const { ask, seen, enable } = await serve()
    enable()
    seen.isFull = true
    await ask('/here')
    expect([seen.fallthroughs, seen.served]).toEqual([1, []])
  })

  test('while the server closes', async () => {
    const { ask, seen, enable, fastPath } = await serve()
    enable()
    fastPath.disable()
    await ask('/here')
    expect([seen.fallthroughs, seen.admitted]).toEqual([1, []])
  })
})

const fail = (error: unknown) => {
  throw error
}

test('a flush queue handles the other items if one throws', async () => {
  const handled: number[] = []
  const failed: [error: unknown, item: number][] = []
  const handle = (item: number) => {
    if (item % 3 === 0) throw new Error(`broken ${item}`)
    handled.push(item)
  }
  const queue = new FlushQueue<number>(handle, (error, item) => failed.push([error, item]))
  for (let item = 0; item < 40; item++) queue.add(item)
  await setImmediate()
  expect(handled).toHaveLength(26)
  expect(failed).toHaveLength(14)
  expect(failed[1]).toEqual([new Error('broken 3'), 3])
})

test('a flush queue handles the items of one turn at its end, in order', async () => {
  const handled: number[] = []
  const queue = new FlushQueue<number>((item) => handled.push(item), fail)
  for (const item of [1, 2, 3]) queue.add(item)
  await Promise.resolve()
  expect(handled).toEqual([])
  await setImmediate()
  expect(handled).toEqual([1, 2, 3])
})

test('a flush queue handles 32 items at once without waiting for the end', async () => {
  const handled: number[] = []
  const queue = new FlushQueue<number>((item) => handled.push(item), fail)
  for (let item = 0; item < 70; item++) queue.add(item)
  expect(handled).toHaveLength(64)
  await setImmediate()
  expect(handled).toEqual(Array.from({ length: 70 }, (_, item) => item))
})

test('a flush queue handles an item that is added while it flushes in the next turn', async () => {
  const handled: number[] = []
  const queue = new FlushQueue<number>((item) => {
    handled.push(item)
    if (item === 1) queue.add(2)
  }, fail)
  queue.add(1)
  await setImmediate()
  await setImmediate()
  expect(handled).toEqual([1, 2])
})
