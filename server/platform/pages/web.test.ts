import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createServer } from '#server/platform/http/server.ts'
import { registerFiles } from './web.ts'

const PROGRAM = `console.log(${JSON.stringify('a '.repeat(1000))})`
const IMMUTABLE = 'public, max-age=31536000, immutable'

let folder: string
let assets: string
/** Files of another version. */
let others: Map<string, Buffer>
let app: ReturnType<typeof createServer>

function store(name: string, content: string | Buffer): void {
  writeFileSync(path.join(assets, name), content)
  writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(content))
  writeFileSync(path.join(assets, `${name}.gz`), gzipSync(content))
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-client-'))
  assets = path.join(folder, 'assets')
  mkdirSync(assets)
  store('main-a1.js', PROGRAM)
  store('compile-worker-b2.js', PROGRAM)
  writeFileSync(path.join(assets, 'inter-c3.woff2'), Buffer.alloc(5000, 1))
  writeFileSync(path.join(assets, 'notes.txt'), 'not served')
  writeFileSync(path.join(folder, 'service-worker.js'), PROGRAM)
  writeFileSync(path.join(folder, 'robots.txt'), 'User-agent: *')
  others = new Map([['old-d4.js', Buffer.from('old()')]])
  app = createServer({ log: false, trustProxy: [], isHttps: false })
  await registerFiles(app, folder, async (name) => others.get(name))
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (name: string, headers: Record<string, string> = {}) => app.inject({ url: `/assets/${name}`, headers })

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
])('a file is sent as the build compressed it to a client that accepts %s', async (accepted, encoding, decompress) => {
  for (const _ of ['read from the disk', 'read from memory']) {
    const response = await get('main-a1.js', { 'accept-encoding': accepted })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': IMMUTABLE,
      vary: 'accept-encoding',
    })
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length))
    expect(decompress(response.rawPayload).toString()).toBe(PROGRAM)
  }
})

test('a font is not compressed again', async () => {
  const response = await get('inter-c3.woff2', { 'accept-encoding': 'br' })
  expect(response.headers['content-encoding']).toBeUndefined()
  expect(response.headers['content-type']).toBe('font/woff2')
  expect(response.rawPayload).toEqual(Buffer.alloc(5000, 1))
})

test('a client with a current copy gets no content', async () => {
  const { headers } = await get('main-a1.js')
  const response = await get('main-a1.js', { 'if-none-match': String(headers['etag']) })
  expect(response.statusCode).toBe(304)
  expect(response.body).toBe('')
  expect(response.headers['cache-control']).toBe(IMMUTABLE)
  const other = await get('compile-worker-b2.js', { 'if-none-match': String(headers['etag']) })
  expect(other.statusCode).toBe(200)
})

test('only the worker that compiles scripts may run WebAssembly', async () => {
  const policy = "default-src 'none'; script-src 'wasm-unsafe-eval'"
  expect((await get('compile-worker-b2.js')).headers['content-security-policy']).toBe(policy)
  expect((await get('main-a1.js')).headers['content-security-policy']).not.toBe(policy)
})

test('the service worker is that of the running version, may only load from the site, and serves the whole site', async () => {
  const { statusCode, headers } = await app.inject('/service-worker.js')
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  })
})

test('a file of another version is found', async () => {
  const response = await get('old-d4.js')
  expect(response.statusCode).toBe(200)
  expect(response.body).toBe('old()')
  expect(response.headers['cache-control']).toBe(IMMUTABLE)
})

test('files stay available after another build replaced them', async () => {
  await get('main-a1.js')
  rmSync(assets, { recursive: true })
  expect((await get('main-a1.js')).body).toBe(PROGRAM)
  others.set('compile-worker-b2.js', Buffer.from(PROGRAM))
  expect((await get('compile-worker-b2.js')).body).toBe(PROGRAM)
  expect((await get('inter-c3.woff2')).statusCode).toBe(404)
})

test.each([
  'missing-e5.js',
  'notes.txt',
  'main-a1.js.br',
  '..%2Frobots.txt',
  'main-a1.js%00',
  '__proto__.js',
  '',
  `${'a'.repeat(300)}.js`,
])('there is no file %j', async (name) => {
  const response = await get(name)
  expect(response.statusCode).toBe(404)
  expect(response.headers['cache-control']).not.toBe(IMMUTABLE)
})
