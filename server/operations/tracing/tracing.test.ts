import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Tracing } from './tracing.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

interface Received {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

const PROXY = '10.0.0.5'
const TRACE = 'a'.repeat(32)
const SERVER = 2
const FAILED = 2
const options = {
  headers: { 'x-key': 'secret' },
  ratio: 1,
  serviceName: 'scriptyard',
  trustProxy: [PROXY],
  delayMs: 20,
}

let database: TestDatabase
let collector: Server
let endpoint: string
let spans: Span[] = []
let paths = new Set<string>()
let tracing: Tracing
let site: TestApp

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  paths.add(`${request.method} ${request.url} ${String(request.headers['x-key'])}`)
  for (const { scopeSpans } of ((await json(request)) as Received).resourceSpans)
    for (const scope of scopeSpans) spans.push(...scope.spans)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

beforeAll(async () => {
  database = await createTestDatabase()
  collector = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  tracing = new Tracing({ ...options, endpoint })
  site = await createAppOn(database, database.pool, { catalogueIndex: 'memory' }, { tracing })
})
afterAll(async () => {
  await site.close()
  await tracing.close()
  collector.close()
  await database.drop()
})
beforeEach(() => {
  spans = []
  paths = new Set()
})

/** Waits for a span with this name. */
const findSpan = (name: string) => vi.waitUntil(() => spans.find((span) => span.name === name), { timeout: 10_000 })

test('a request is a span with the pattern of its route, and its statements are its children', async () => {
  const script = await makeScript(site.db)
  await site.app.inject({ url: `/api/v1/scripts/a-${script}` })
  const request = await findSpan('GET /api/v1/scripts/:slug')
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  expect(request.kind).toBe(SERVER)
  expect(statements.map(({ name }) => name)).toContain('select scripts')
  expect([...paths]).toEqual(['POST /v1/traces secret'])
})

test('a failed statement marks its span', async () => {
  await tracing.runJob('fail', () => site.pool.query('select 1 / 0')).catch(() => {})
  expect((await findSpan('job fail')).status).toEqual({ code: FAILED })
  expect((await findSpan('select')).status).toEqual({ code: FAILED })
})

test('only a proxy continues a trace', async () => {
  const headers = { traceparent: `00-${TRACE}-${'b'.repeat(16)}-01` }
  await site.app.inject({ url: '/api/site', headers, remoteAddress: '203.0.113.9' })
  await findSpan('GET /api/site')
  expect(spans.map(({ traceId }) => traceId)).not.toContain(TRACE)
  await site.app.inject({ url: '/api/site', headers, remoteAddress: PROXY })
  await expect
    .poll(() => spans.find(({ traceId }) => traceId === TRACE), { timeout: 10_000 })
    .toMatchObject({
      name: 'GET /api/site',
      parentSpanId: 'b'.repeat(16),
    })
})

test('cached responses are spans too', async () => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  for (let i = 0; i < 3; i++) await (await fetch(`${origin}/api/scripts?page=1&limit=7`)).text()
  const cached = () => spans.filter(({ attributes }) => attributes.some(({ key }) => key === 'scriptyard.cached'))
  await expect.poll(() => cached().length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(new Set(cached().map(({ name }) => name))).toEqual(new Set(['GET /api/scripts']))
})

test('nothing that identifies a member, a script or an address is in traces', async () => {
  const member = await makeMember(site.db, { username: 'walrus_of_doom' })
  const { authorization } = await signIn(site.db, member)
  const script = await makeScript(site.db, { title: 'Purple lantern', author_id: member })
  const headers = { authorization, 'user-agent': 'Lantern/1.0' }
  for (const url of [
    `/api/user-profiles?user_id=${member}`,
    `/api/script-details-slug?slug=purple-${script}`,
    '/api/user-profile',
  ])
    await site.app.inject({ url, headers, remoteAddress: '203.0.113.77' })
  const change = { method: 'PUT', url: `/api/script-details?id=${script}`, headers } as const
  await site.app.inject({ ...change, payload: { title: 'Purple lamp' } })
  await findSpan('PUT /api/script-details')
  const text = JSON.stringify(spans)
  for (const secret of ['walrus', 'urple', 'Lantern', '203.0.113', authorization.slice(8, 20)])
    expect(text).not.toContain(secret)
})

test('a collector that does not answer disturbs no request and is logged once', async () => {
  const lines: string[] = []
  const broken = new Tracing({ ...options, endpoint: 'http://127.0.0.1:9' })
  const other = await createAppOn(
    database,
    database.pool,
    {},
    { tracing: broken, log: 'warn', logTo: { write: (line) => void lines.push(line) } },
  )
  for (let i = 0; i < 5; i++) expect((await other.app.inject({ url: '/api/site' })).statusCode).toBe(200)
  const start = performance.now()
  await other.close()
  await broken.close()
  expect(performance.now() - start).toBeLessThan(5000)
  expect(lines.filter((line) => line.includes('traces not sent')).length).toBeLessThanOrEqual(1)
})
