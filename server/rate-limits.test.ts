import type { FastifyRequest, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { kindOf, PER_ADDRESS, PER_MEMBER } from './rate-limits.ts'

type RouteOptions = FastifyRequest['routeOptions']

let site: TestApp
let second: TestApp

beforeAll(async () => {
  site = await createTestApp({ rateLimit: true })
  second = await createAppOn(site.database, site.pool, { rateLimit: true })
})
afterAll(async () => {
  await second.close()
  await site.close()
})

test.each([
  ['GET', undefined, 'read'],
  ['HEAD', undefined, 'read'],
  ['OPTIONS', undefined, 'read'],
  ['POST', undefined, 'write'],
  ['DELETE', undefined, 'write'],
  ['GET', 'export', 'export'],
  ['POST', 'read', 'read'],
  ['GET', 'none', undefined],
] as const)('%s of a route that declares %s counts as %s', (method, limit, kind) => {
  expect(kindOf({ method, routeOptions: { config: { limit } } as RouteOptions })).toBe(kind)
})

test.each(['/api/account-data', '/api/%61ccount-data', '/api/account%2Ddata?x=1'])(
  'GET %s counts as an export, however it is written',
  async (url) => {
    const call = { url, remoteAddress: `203.0.113.${100 + url.length}` }
    expect(await callOften(site.app, PER_ADDRESS.export.calls, call)).toEqual([])
    expect(await callOften(site.app, 1, call)).toHaveLength(1)
  },
)

const callOften = async (app: TestApp['app'], times: number, call: InjectOptions) => {
  const answers = await Promise.all(Array.from({ length: times }, () => app.inject(call)))
  return answers.filter(({ statusCode }) => statusCode === 429)
}

test('rejects reads of one address past the limit with the time to wait, and serves other addresses', async () => {
  const call = { url: '/api/site', remoteAddress: '203.0.113.1' }
  const { calls, seconds } = PER_ADDRESS.read
  expect(await callOften(site.app, calls, call)).toEqual([])
  const [rejected] = await callOften(site.app, 1, call)
  expect(rejected?.json()).toMatchObject({ code: 'too_many_requests', error: expect.stringContaining('try again in') })
  const wait = Number(rejected?.headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(seconds)
  expect(await callOften(site.app, 1, { ...call, remoteAddress: '203.0.113.2' })).toEqual([])
})

test('counts reads of one address in each process alone', async () => {
  const call = { url: '/api/site', remoteAddress: '203.0.113.4' }
  const { calls } = PER_ADDRESS.read
  expect(await callOften(site.app, calls + 1, call)).toHaveLength(1)
  expect(await callOften(second.app, 1, call)).toEqual([])
})

test('the fast path counts reads with the app and lets the app reject them', async () => {
  const { calls } = PER_ADDRESS.read
  const origin = await second.app.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 1; n < calls; n++) second.readLimit?.admit('127.0.0.1')
  const answers = []
  for (let n = 0; n < 3; n++) answers.push(await fetch(`${origin}/api/scripts`))
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 429])
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('counts an IPv6 network as one', async () => {
  const { calls } = PER_ADDRESS.read
  for (let n = 0; n < calls; n += 100) {
    await callOften(site.app, 100, { url: '/api/site', remoteAddress: `2001:db8::${n + 1}` })
  }
  expect(await callOften(site.app, 1, { url: '/api/site', remoteAddress: '2001:db8::ffff' })).toHaveLength(1)
  expect(await callOften(site.app, 1, { url: '/api/site', remoteAddress: '2001:db8:0:1::1' })).toEqual([])
})

test('counts writes of one address in all processes together', async () => {
  const call = {
    method: 'POST',
    url: '/api/script-download',
    payload: { script_id: 1 },
    remoteAddress: '203.0.113.3',
  } as const
  const half = PER_ADDRESS.write.calls / 2
  expect(await callOften(site.app, half, call)).toEqual([])
  expect(await callOften(second.app, half, call)).toEqual([])
  expect(await callOften(site.app, 1, call)).toHaveLength(1)
  expect(await callOften(second.app, 1, call)).toHaveLength(1)
})

test('counts a member wherever they call from, apart from other members', async () => {
  const guarded = async (headers: { authorization: string }, times: number, from: number) => {
    const ends: number[] = []
    for (let n = 0; n < times; n++) {
      const routeOptions = { url: '/api/x', config: {} }
      const request = { method: 'POST', routeOptions, headers, ip: `198.51.100.${(from + n) % 250}` }
      const outcome = await Promise.resolve(site.app.guards.member(request as never)).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
      ends.push(outcome)
    }
    return ends.filter((status) => status === 429)
  }
  const one = await signIn(site.db, await makeMember(site.db))
  const other = await signIn(site.db, await makeMember(site.db))
  const calls = PER_MEMBER.write?.calls ?? 0
  expect(await guarded(one, calls, 0)).toEqual([])
  expect(await guarded(one, 1, 0)).toEqual([429])
  expect(await guarded(other, 1, 0)).toEqual([])
})

test('counts writes in the process while the table is missing', async () => {
  await site.pool.query('alter table rate_limits rename to away')
  const call = {
    method: 'POST',
    url: '/api/script-download',
    payload: { script_id: 1 },
    remoteAddress: '203.0.113.9',
  } as const
  const answers = await Promise.all(Array.from({ length: 5 }, () => site.app.inject(call)))
  await site.pool.query('alter table away rename to rate_limits')
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
})
