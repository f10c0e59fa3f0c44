import { describe, expect, test } from 'vitest'
import { createServer } from '#server/http/server.ts'
import { FastPath } from '#server/http/fast-path.ts'
import { contentSecurityPolicy } from './policy.ts'
import type { Rendered, Renderer } from './renderer.ts'
import { registerPages } from './routes.ts'

const POLICY = contentSecurityPolicy({ discordCdnUrl: 'https://cdn.example/x', isDevelopment: false })

/** A server whose pages come from `render`, and what it did. */
function serve(render: (url: URL) => Rendered) {
  let answered = 'first'
  const fastPath = new FastPath({ isHttps: true, trustProxy: [] })
  const app = createServer({ log: false, trustProxy: [], isHttps: true, fastPath })
  const seen = { rendered: [] as string[], given: [] as string[], version: 1 }
  app.get('/api/shown', (_, reply) => reply.send(answered))
  const renderer: Renderer = {
    render: async (url, send) => {
      seen.rendered.push(url)
      await send({ method: 'GET', url: '/api/shown' })
      return render(new URL(url))
    },
    close: () => Promise.resolve(),
  }
  registerPages(app, {
    renderer,
    policy: POLICY,
    publicUrl: 'https://site.example',
    isCached: true,
    version: () => seen.version,
    onPage: (path) => void seen.given.push(path),
    fastPath,
  })
  /** What is shown from now on. */
  const change = (text: string) => {
    answered = text
    seen.version++
  }
  return { app, seen, change, fastPath }
}

const hello = () => serve((url) => ({ status: 200, html: `<p>${url.pathname}</p>` }))

describe('pages', () => {
  test('are made once for each address and what they show', async () => {
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

  test('are known again by their tag', async () => {
    const { app } = hello()
    const { etag } = (await app.inject('/a')).headers
    expect((await app.inject({ url: '/a', headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304)
  })

  test('take the address from the settings and never from the request', async () => {
    const { app, seen } = hello()
    await app.inject({ url: '/a', headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
    expect(seen.rendered).toEqual(['https://site.example/a'])
  })

  test('carry the policy, also where there is nothing', async () => {
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

  test('that are elsewhere lead there', async () => {
    const { app } = serve(() => ({ status: 302, location: '/scripts/%D9%82-1' }))
    const answer = await app.inject('/scripts/x-1')
    expect([answer.statusCode, answer.headers.location, answer.payload]).toEqual([302, '/scripts/%D9%82-1', ''])
  })

  test('that failed are not kept', async () => {
    let isBroken = true
    const { app } = serve(() => ({ status: isBroken ? 500 : 200, html: '<p></p>' }))
    expect((await app.inject('/a')).statusCode).toBe(500)
    isBroken = false
    expect((await app.inject('/a')).statusCode).toBe(200)
  })

  test('that cannot be made at all show nothing of the inside', async () => {
    const { app } = serve(() => {
      throw new Error('select secret at /srv/web.ts:1')
    })
    const answer = await app.inject('/a')
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).not.toMatch(/secret|\.ts/)
  })

  test('are told of when a visitor was given one, and only then', async () => {
    const { app, seen } = serve(({ pathname }) =>
      pathname === '/moved' ? { status: 302, location: '/' } : { status: pathname === '/a' ? 200 : 404, html: '' },
    )
    for (const url of ['/a?page=2', '/a', '/nothing', '/moved']) await app.inject(url)
    await app.inject({ method: 'HEAD', url: '/a' })
    expect(seen.given).toEqual(['/a', '/a'])
  })

  test('go the short way once they are here, and the long one when they are gone', async () => {
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
    expect(seen.given).toEqual(['/a', '/a', '/a'])
    await app.close()
  })

  test('are no answer to a program', async () => {
    const { app, seen } = hello()
    for (const request of [
      { method: 'GET', url: '/api/nothing' },
      { method: 'POST', url: '/' },
      { method: 'DELETE', url: '/scripts/a-1' },
    ] as const) {
      const answer = await app.inject(request)
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found'])
    }
    expect(seen.rendered).toEqual([])
  })
})

test('the policy lets a page load its own files and the pictures of the chat, nothing else', () => {
  expect(POLICY.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' blob: https://cdn.example",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
  ])
})
