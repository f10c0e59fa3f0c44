import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { Metrics } from './metrics.ts'
import { serveMetrics } from './server.ts'

const metrics = new Metrics()
let site: TestApp
let closeDatabase: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  closeDatabase = () => database.drop()
  site = await createAppOn(
    database,
    database.pool,
    { catalogueIndex: 'memory' },
    { metrics, runsJobs: true, sandboxes: fakeSandboxes },
  )
})
afterAll(async () => {
  await site.close()
  await closeDatabase()
})

/** The value of one line of the metrics, such as `scriptyard_index_ready`. */
async function read(line: string): Promise<number | undefined> {
  const text = await metrics.registry.metrics()
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length))
}

const requests = (labels: string) => read(`scriptyard_http_requests_total{${labels}}`)

test('responses are counted by the pattern of their route', async () => {
  const script = await makeScript(site.db)
  await site.app.inject({ url: `/api/scripts?page=1&search=lamp` })
  await site.app.inject({ url: `/api/v1/scripts/a-${script}` })
  await site.app.inject({ url: '/api/v1/scripts/a-999999' })
  await site.app.inject({ url: '/api/no-such-thing' })
  expect(await requests('method="GET",route="/api/scripts",status="200"')).toBe(1)
  expect(await requests('method="GET",route="/api/v1/scripts/:slug",status="200"')).toBe(1)
  expect(await requests('method="GET",route="/api/v1/scripts/:slug",status="404"')).toBe(1)
  expect(await requests('method="GET",route="none",status="404"')).toBe(1)
  expect(await read('scriptyard_http_request_duration_seconds_count{route="/api/v1/scripts/:slug"}')).toBe(2)
})

test('cached responses are counted with the others', async () => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const ok = 'method="GET",route="/api/scripts",status="200"'
  const before = (await requests(ok)) ?? 0
  let sent = 0
  // The index and the change feed empty the cache in between, so that more than one of these lists may have to be created.
  await vi.waitUntil(
    async () => {
      expect((await fetch(`${origin}/api/scripts?page=1&limit=7`)).status).toBe(200)
      sent++
      return ((await read('scriptyard_list_cache_lookups_total{result="hit"}')) ?? 0) >= 2
    },
    { timeout: 30_000 },
  )
  expect(await requests(ok)).toBe(before + sent)
  expect(await read('scriptyard_list_cache_entries')).toBeGreaterThan(0)
})

test('the database, the index and the jobs of the site are measured', async () => {
  await vi.waitUntil(async () => (await read('scriptyard_index_scripts')) === 1, { timeout: 30_000 })
  await vi.waitUntil(async () => (await read('scriptyard_index_ready')) === 1, { timeout: 30_000 })
  expect(await read('scriptyard_database_connections{state="idle"}')).toBeGreaterThan(0)
  expect(await read('scriptyard_database_waiting_requests')).toBe(0)
  expect(await read('scriptyard_jobs{queue="dead-letters",state="waiting"}')).toBe(0)
  expect(await read('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
})

test('nothing that identifies a member, a script or an address is in the metrics', async () => {
  const member = await makeMember(site.db, { username: 'walrus_of_doom' })
  const { authorization } = await signIn(site.db, member)
  const script = await makeScript(site.db, { title: 'Purple lantern' })
  for (const url of [`/api/user-profiles?id=${member}`, `/api/script-details?id=${script}`, '/profile/walrus_of_doom'])
    await site.app.inject({ url, headers: { authorization }, remoteAddress: '203.0.113.77' })
  const text = await metrics.registry.metrics()
  for (const secret of ['walrus', 'lantern', '203.0.113.77', authorization.slice(8, 20)])
    expect(text).not.toContain(secret)
})

test('metrics have a port of their own, which serves nothing else', async () => {
  const port = await findFreePort()
  const close = await serveMetrics({ host: '127.0.0.1', port }, () => metrics.registry.metrics())
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  expect(await response.text()).toContain('# TYPE scriptyard_http_requests_total counter')
  expect((await fetch(`http://127.0.0.1:${port}/api/scripts`)).status).toBe(404)
  expect((await site.app.inject({ url: '/metrics' })).statusCode).toBe(404)
  await expect(serveMetrics({ host: '127.0.0.1', port }, async () => '')).rejects.toThrow(
    `METRICS_PORT ${port} on 127.0.0.1 is not available (EADDRINUSE); set another one.`,
  )
  await close()
})

test('a failed collection is a 503', async () => {
  const port = await findFreePort()
  const close = await serveMetrics({ host: '127.0.0.1', port }, () => Promise.reject(new Error('a secret')))
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([response.status, await response.text()]).toEqual([503, ''])
  await close()
})

test.each(['alerts.yml', 'dashboard.json'])('%s uses metrics that exist', async (name) => {
  const text = readFileSync(`docs/monitoring/${name}`, 'utf8')
  const used = new Set(text.match(/\b(scriptyard|nodejs|process)_[a-z0-9_]+\b/g))
  const existing = await metrics.registry.metrics()
  expect(used.size).toBeGreaterThan(5)
  for (const metric of used) expect(existing).toMatch(new RegExp(`^${metric}[{ ]`, 'm'))
})
