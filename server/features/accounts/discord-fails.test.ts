import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { startSignIn, followCallback } from '#tests/support/sign-in.ts'

const discord = createServer()
// No test uses a connection of the one before it.
discord.maxRequestsPerSocket = 1
let site: TestApp
beforeAll(async () => {
  await once(discord.listen(0, '127.0.0.1'), 'listening')
  const { port } = discord.address() as AddressInfo
  site = await createTestApp({
    discord: { clientId: '1', clientSecret: 'secret', apiUrl: `http://127.0.0.1:${port}/api`, cdnUrl: '' },
  })
})
afterEach(() => {
  discord.removeAllListeners('request')
  discord.closeAllConnections()
})
afterAll(async () => {
  await site.close()
  discord.close()
})

async function signInWith(answer: RequestListener): Promise<{ target: string; members: number }> {
  discord.on('request', answer)
  const { state, cookie } = await startSignIn(site.app)
  const target = await followCallback(site.app, `/api/discord-callback?code=a&state=${state}`, cookie)
  const { rows } = await site.pool.query<{ count: number }>('select count(*)::int as count from members')
  return { target, members: rows[0]?.count ?? -1 }
}

const TOKEN = JSON.stringify({ access_token: 'abc', token_type: 'Bearer' })
const UNAVAILABLE = { target: '302 /?login_error=discord_unavailable', members: 0 }

/** Exchanges the code, and answers the request for the user like this. */
const describing =
  (status: number, body: string): RequestListener =>
  (request, response) => {
    const isToken = request.url?.endsWith('/token')
    response.writeHead(isToken ? 200 : status).end(isToken ? TOKEN : body)
  }

test.each<[string, RequestListener]>([
  ['an error', (_, response) => response.writeHead(500).end('{}')],
  ['too many requests', (_, response) => response.writeHead(429, { 'retry-after': '60' }).end('{}')],
  ['no JSON', (_, response) => response.end('<html>')],
  ['nothing', (_, response) => response.end()],
  ['a closed connection', (_, response) => response.destroy()],
  [
    'half an answer',
    (_, response) => response.writeHead(200, { 'content-length': '900' }).write('{', () => response.destroy()),
  ],
  ['another address', (_, response) => response.writeHead(302, { location: 'https://evil.example/' }).end()],
  ['a token that breaks headers', (_, response) => response.end(JSON.stringify({ access_token: 'a\r\nb' }))],
  ['a very long token', (_, response) => response.end(JSON.stringify({ access_token: 'a'.repeat(200_000) }))],
  ['an error about the member', describing(500, '{}')],
  ['a member without an id', describing(200, '{"username":"a"}')],
  ['an invalid id', describing(200, '{"id":"1; drop table members","username":"a"}')],
  ['a list', describing(200, '[]')],
  ['null', describing(200, 'null')],
])('%s from Discord leads to an error message and no session', async (_what, answer) => {
  expect(await signInWith(answer)).toEqual(UNAVAILABLE)
})

test('reports a rejected code separately', async () => {
  const reject: RequestListener = (_, response) => response.writeHead(400).end('{"error":"invalid_grant"}')
  expect(await signInWith(reject)).toEqual({ target: '302 /?login_error=bad_code', members: 0 })
})

test('times out if Discord does not respond', async () => {
  expect(await signInWith(() => {})).toEqual(UNAVAILABLE)
}, 20_000)

test('ignores malformed optional fields of a user', async () => {
  const odd = {
    id: '77',
    username: '\u202e  a\u0000  b ',
    avatar: '../../x',
    email: 'no',
    verified: true,
    discriminator: 7,
  }
  const { target, members } = await signInWith(describing(200, JSON.stringify(odd)))
  expect(target).toMatch(/^302 \/\?token=/)
  expect(members).toBe(1)
})
