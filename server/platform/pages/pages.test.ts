import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { createServer, securityHeaders } from '#server/platform/http/server.ts'
import { FastPath } from '#server/platform/http/fast-path.ts'
import type { RenderedPage, Renderer } from './renderer.ts'
import { registerPages } from './routes.ts'
import { contentSecurityPolicy } from './web.ts'

const POLICY = contentSecurityPolicy('https://cdn.example/x')

/** A server with pages from `render` that records what it did. */
function serve(render: (url: URL) => RenderedPage, { isHanging = false } = {}) {
  let apiText = 'first'
  const fastPath = new FastPath({ headers: securityHeaders(true), trustProxy: [] })
  const app = createServer({ log: false, trustProxy: [], isHttps: true, fastPath })
  const seen = { rendered: [] as string[], served: [] as string[], version: 1 }
  app.get('/api/shown', (_, reply) => reply.send(apiText))
  const renderer: Renderer = {
    parameters: ['page'],
    render: async (url, send) => {
      seen.rendered.push(url)
      if (isHanging) await new Promise(() => {})
      await send({ method: 'GET', url: '/api/shown' })
      return render(new URL(url))
    },
    close: () => Promise.resolve(),
  }
  registerPages(app, {
    renderer,
    contentSecurityPolicy: POLICY,
    isPage: () => true,
    publicUrl: 'https://site.example',
    isCached: true,
    version: () => seen.version,
    onPage: (path) => void seen.served.push(path),
    fastPath,
  })
  /** Changes what pages show. */
  const change = (text: string) => {
    apiText = text
    seen.version++
  }
  return { app, seen, change, fastPath }
}

const hello = () => serve((url) => ({ status: 200, html: `<p>${url.pathname}</p>` }))

describe('pages', () => {
  test('are rendered once for each URL and its data', async () => {
    const { app, seen, change } = hello()
    for (const url of ['/?page=2', '/?utm=1&page=2', '/?page=3']) await app.inject(url)
    expect(seen.rendered).toEqual(['https://site.example/?page=2', 'https://site.example/?page=3'])
    change('first')
    await app.inject('/?page=2')
    expect(seen.rendered).toHaveLength(2)
    change('second')
    await app.inject('/?page=2')
    expect(seen.rendered).toHaveLength(3)
  })

  test('are revalidated by their ETag', async () => {
    const { app } = hello()
    const { etag } = (await app.inject('/a')).headers
    expect((await app.inject({ url: '/a', headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304)
  })

  test('take the origin of the site from the settings and never from the request', async () => {
    const { app, seen } = hello()
    await app.inject({ url: '/a', headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
    expect(seen.rendered).toEqual(['https://site.example/a'])
  })

  test('carry the Content-Security-Policy, errors included', async () => {
    const { app } = serve(({ pathname }) => ({ status: pathname === '/' ? 200 : 404, html: '<p></p>' }))
    for (const [url, caching] of [
      ['/', 'public, no-cache'],
      ['/nothing', 'no-store'],
    ] as const) {
      const { headers } = await app.inject(url)
      expect(headers).toMatchObject({
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': caching,
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      })
    }
  })

  test.each(['/?token=abc', '/a?page=2&token=', '/?%74oken=abc', '/nothing?a=b&token=c'])(
    'with a login token in their URL reach no referrer and no cache: %s',
    async (url) => {
      const { app, fastPath } = serve(({ pathname }) => ({ status: pathname === '/nothing' ? 404 : 200, html: '' }))
      await app.listen({ port: 0, host: '127.0.0.1' })
      fastPath.enable({ log: app.log, admit: () => true })
      const { port } = app.server.address() as AddressInfo
      const get = async (path: string) => {
        const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
        return [headers.get('referrer-policy'), headers.get('cache-control')]
      }
      // The second response comes from the page cache.
      for (let i = 0; i < 2; i++) {
        expect(await get(url)).toEqual(['no-referrer', 'no-store'])
        expect(await get('/?tokens=abc&page=token')).toEqual(['strict-origin-when-cross-origin', 'public, no-cache'])
      }
      await app.close()
    },
  )

  test('can redirect', async () => {
    const { app } = serve(() => ({ status: 302, location: '/scripts/%D9%82-1' }))
    const answer = await app.inject('/scripts/x-1')
    expect([answer.statusCode, answer.headers.location, answer.payload]).toEqual([302, '/scripts/%D9%82-1', ''])
  })

  test('that failed are not cached', async () => {
    let isBroken = true
    const { app } = serve(() => ({ status: isBroken ? 500 : 200, html: '<p></p>' }))
    expect((await app.inject('/a')).statusCode).toBe(500)
    isBroken = false
    expect((await app.inject('/a')).statusCode).toBe(200)
  })

  test('that need an unavailable database say when to try again', async () => {
    const { app } = serve(() => ({ status: 503, html: '<p>Busy</p>' }))
    const answer = await app.inject('/a')
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ])
  })

  test('that take too long are answered with a page that says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { app } = serve(() => ({ status: 200, html: '<p></p>' }), { isHanging: true })
    const asking = app.inject('/a')
    await vi.advanceTimersByTimeAsync(5000)
    const answer = await asking
    vi.useRealTimers()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect(answer.payload).toContain('<p>The site is busy right now. Please try again in a moment.</p>')
  })

  test('that cannot be rendered show no internals', async () => {
    const { app } = serve(() => {
      throw new Error('select secret at /srv/web.ts:1')
    })
    const answer = await app.inject('/a')
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).not.toMatch(/secret|\.ts/)
  })

  test('are reported if a visitor received one, and only then', async () => {
    const { app, seen } = serve(({ pathname }) =>
      pathname === '/moved' ? { status: 302, location: '/' } : { status: pathname === '/a' ? 200 : 404, html: '' },
    )
    for (const url of ['/a?page=2', '/a', '/nothing', '/moved']) await app.inject(url)
    await app.inject({ method: 'HEAD', url: '/a' })
    expect(seen.served).toEqual(['/a', '/a'])
  })

  test('take the fast path once they are cached, and the app when they are gone', async () => {
    let isThere = true
    const { app, seen, change, fastPath } = serve(() => ({ status: isThere ? 200 : 404, html: '<p></p>' }))
    let admitted = 0
    const admit = () => ++admitted > 0
    fastPath.enable({ log: app.log, admit })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const ask = async () => {
      const { status, headers } = await fetch(`${origin}/a`)
      return [status, headers.get('cache-control'), admitted, seen.rendered.length]
    }
    expect(await ask()).toEqual([200, 'public, no-cache', 0, 1])
    change('first')
    expect(await ask()).toEqual([200, 'public, no-cache', 1, 1])
    change('second')
    expect(await ask()).toEqual([200, 'public, no-cache', 2, 2])
    isThere = false
    change('third')
    expect(await ask()).toEqual([404, 'no-store', 3, 3])
    expect(await ask()).toEqual([404, 'no-store', 3, 3])
    expect(seen.served).toEqual(['/a', '/a', '/a'])
    await app.close()
  })

  test('are not sent to programs', async () => {
    const { app, seen } = hello()
    for (const [method, url, status, code] of [
      ['GET', '/api/nothing', 404, 'not_found'],
      ['POST', '/api/nothing', 404, 'not_found'],
      ['POST', '/', 405, 'method_not_allowed'],
      ['DELETE', '/scripts/a-1', 405, 'method_not_allowed'],
    ] as const) {
      const answer = await app.inject({ method, url })
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
      expect(answer.headers.allow).toBe(status === 405 ? 'GET, HEAD' : undefined)
    }
    expect(seen.rendered).toEqual([])
  })
})

test('the policy allows a page its own files and the avatars of Discord only', () => {
  expect(POLICY.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "frame-src 'self'",
    "img-src 'self' blob: https://cdn.example",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
    'trusted-types compile-worker service-worker',
  ])
})
