import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppOn, createTestApp } from '#tests/support/app.ts'
import {
  completeSignIn,
  requestOwnProfile,
  startSignIn,
  choosePerson,
  followCallback,
  createSignInSite,
  type SignInSite,
} from '#tests/support/sign-in.ts'

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

const MISMATCH = '302 /?login_error=state_mismatch'
const BAD_CODE = '302 /?login_error=bad_code'

function tokenOf(target: string): string {
  const token = /^302 \/\?token=([\w-]{43})(&new_user=true)?$/.exec(target)?.[1]
  if (!token) throw new Error(`The callback leads to ${target}.`)
  return token
}

describe('starting a sign-in', () => {
  test('leads to Discord with a state, PKCE and a fixed redirect URL', async () => {
    const { authUrl, state } = await startSignIn(site.app)
    expect(authUrl.href.startsWith(`${site.fakeDiscord.apiUrl}/oauth2/authorize?`)).toBe(true)
    expect(Object.fromEntries(authUrl.searchParams)).toEqual({
      response_type: 'code',
      client_id: site.fakeDiscord.clientId,
      redirect_uri: 'http://127.0.0.1:1/api/discord-callback',
      scope: 'identify email',
      state,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(state).toMatch(/^[\w-]{43}$/)
  })

  test('is bound to the browser by an HttpOnly cookie', async () => {
    const { headers } = await site.app.inject('/api/discord-auth')
    expect(headers['set-cookie']).toMatch(/^sign-in=[\w-]{43}; Path=\/; Max-Age=2678400; HttpOnly; SameSite=Lax$/)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('over HTTPS uses a cookie that no other host can set', async () => {
    const secure = await createSignInSite({ publicUrl: 'https://yard.example' })
    const { headers } = await secure.app.inject({ url: '/api/discord-auth', headers: { host: 'evil.example' } })
    expect(headers['set-cookie']).toMatch(/^__Host-sign-in=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
    const { authUrl, cookie } = await startSignIn(secure.app)
    expect(authUrl.searchParams.get('redirect_uri')).toBe('https://yard.example/api/discord-callback')
    const plain = cookie.replace('__Host-', '')
    expect(await followCallback(secure.app, await choosePerson(authUrl, 'new'), plain)).toBe(MISMATCH)
    await secure.close()
  })

  test('never repeats a state or challenge', async () => {
    const [one, two] = [await startSignIn(site.app), await startSignIn(site.app)]
    expect(one.state).not.toBe(two.state)
    expect(one.authUrl.searchParams.get('code_challenge')).not.toBe(two.authUrl.searchParams.get('code_challenge'))
    expect(one.cookie).not.toBe(two.cookie)
  })

  test('without a Discord application is rejected with an error message', async () => {
    const bare = await createTestApp()
    const answer = await bare.app.inject('/api/discord-auth')
    const sentence = 'Signing in is not available on this site yet.'
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: sentence, code: 'sign_in_unavailable' }])
    expect(await followCallback(bare.app, '/api/discord-callback?state=a&code=b')).toBe(
      '302 /?login_error=sign_in_unavailable',
    )
    await bare.close()
  })
})

describe('the callback from Discord', () => {
  test('redirects to the start page with a token, and marks new members', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    const answer = await site.app.inject({ url: back, headers: { cookie } })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/\?token=[\w-]{43}&new_user=true$/),
    ])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  test('recognizes a member', async () => {
    const { adminId } = site.fakeDiscord
    expect((await completeSignIn(site.app, adminId)).isNew).toBe(true)
    expect((await completeSignIn(site.app, adminId)).isNew).toBe(false)
  })

  test('with denied consent says so, also when it is repeated', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, '')
    for (let i = 0; i < 2; i++) {
      expect(await followCallback(site.app, back, cookie)).toBe('302 /?login_error=access_denied')
    }
  })

  test.each([
    ['without the cookie', undefined],
    ['with the cookie of another browser', `sign-in=${'A'.repeat(43)}`],
    ['with a cookie of the wrong form', 'sign-in=x'],
  ])('%s is rejected, and the sign-in stays valid in its own browser', async (_how, cookie) => {
    const begun = await startSignIn(site.app)
    const back = await choosePerson(begun.authUrl, 'new')
    expect(await followCallback(site.app, back, cookie)).toBe(MISMATCH)
    expect(await followCallback(site.app, back, begun.cookie)).toContain('302 /?token=')
  })

  test('with an unknown or missing state is rejected', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = new URL(await choosePerson(authUrl, 'new'), 'http://site')
    for (const query of [
      `code=${back.searchParams.get('code')}`,
      `code=${back.searchParams.get('code')}&state=${'A'.repeat(43)}`,
      `code=a&state=${authUrl.searchParams.get('state')}&state=b`,
      `code=a&state=${'x'.repeat(5000)}`,
      'error=access_denied',
      'state=%00&code=%ff',
    ]) {
      expect(await followCallback(site.app, `/api/discord-callback?${query}`, cookie)).toBe(MISMATCH)
    }
  })

  test('with two codes for one state signs in with each', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const [first, second] = [await choosePerson(authUrl, 'new'), await choosePerson(authUrl, 'new')]
    expect(first).not.toBe(second)
    for (const back of [first, second]) {
      const token = tokenOf(await followCallback(site.app, back, cookie))
      expect((await requestOwnProfile(site.app, token, cookie)).statusCode).toBe(200)
    }
    expect(await followCallback(site.app, second)).toBe(MISMATCH)
  })

  test('a second time signs the same member in', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    const ids = []
    for (let i = 0; i < 3; i++) {
      const token = tokenOf(await followCallback(site.app, back, cookie))
      ids.push((await requestOwnProfile(site.app, token, cookie)).json<{ id: number }>().id)
    }
    expect(new Set(ids).size).toBe(1)
    expect(await followCallback(site.app, back)).toBe(MISMATCH)
    expect(await followCallback(site.app, back, `sign-in=${'A'.repeat(43)}`)).toBe(MISMATCH)
  })

  test('later leads a signed-in member home, and nobody who has signed out', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    const token = tokenOf(await followCallback(site.app, back, cookie))
    await requestOwnProfile(site.app, token, cookie)
    await sql`update login_tokens set created_at = now() - interval '61 seconds'`.execute(site.db)
    expect(await followCallback(site.app, back, cookie)).toBe('302 /')
    await sql`update sign_ins set started_at = started_at - interval '10 minutes'`.execute(site.db)
    expect(await followCallback(site.app, back, cookie)).toBe('302 /')
    expect(await followCallback(site.app, back)).toBe(MISMATCH)
    const headers = { authorization: `Bearer ${token}`, cookie }
    await site.app.inject({ method: 'DELETE', url: '/api/session', headers })
    expect(await followCallback(site.app, back, cookie)).toBe(MISMATCH)
  })

  test('right after signing out signs nobody in', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    const token = tokenOf(await followCallback(site.app, back, cookie))
    // The login token of a repeated redirect that the browser has dropped.
    tokenOf(await followCallback(site.app, back, cookie))
    const lasting = String((await requestOwnProfile(site.app, token, cookie)).headers['session-token'])
    const headers = { authorization: `Bearer ${lasting}`, cookie }
    expect((await site.app.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(200)
    await sql`update sign_ins set used_at = null`.execute(site.db)
    expect(await followCallback(site.app, back, cookie)).toBe(BAD_CODE)
  })

  test('with a used code and another state is rejected', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    expect(await followCallback(site.app, back, cookie)).toContain('302 /?token=')
    const { state } = await startSignIn(site.app, cookie)
    const code = new URLSearchParams(back.split('?')[1]).get('code')
    expect(await followCallback(site.app, `/api/discord-callback?code=${code}&state=${state}`, cookie)).toBe(BAD_CODE)
  })

  test('with the code of another sign-in is rejected because of PKCE', async () => {
    const victim = await startSignIn(site.app)
    const code = new URLSearchParams((await choosePerson(victim.authUrl, 'new')).split('?')[1]).get('code')
    const attacker = await startSignIn(site.app)
    const url = `/api/discord-callback?code=${code}&state=${attacker.state}`
    expect(await followCallback(site.app, url, attacker.cookie)).toBe(BAD_CODE)
  })

  test('without a code is rejected', async () => {
    const { state, cookie } = await startSignIn(site.app)
    expect(await followCallback(site.app, `/api/discord-callback?state=${state}`, cookie)).toBe(BAD_CODE)
  })

  test('after ten minutes is rejected', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    await sql`update sign_ins set started_at = started_at - interval '10 minutes'`.execute(site.db)
    expect(await followCallback(site.app, back, cookie)).toBe(MISMATCH)
  })

  test('sent twenty times at once to two processes signs one member in', async () => {
    const second = await createAppOn(site.database, site.pool, {
      publicUrl: site.config.publicUrl,
      secretKey: site.config.secretKey,
      discord: site.config.discord,
    })
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = await choosePerson(authUrl, 'new')
    const apps = Array.from({ length: 20 }, (_, number) => (number % 2 ? site.app : second.app))
    const targets = await Promise.all(apps.map((app) => followCallback(app, back, cookie)))
    const profiles = targets.map((target) => requestOwnProfile(site.app, tokenOf(target), cookie))
    const ids = (await Promise.all(profiles)).map((response) => response.json<{ id: number }>().id)
    expect([ids.length, new Set(ids).size]).toEqual([20, 1])
    await second.close()
  })

  test('works in two tabs of one browser', async () => {
    const first = await startSignIn(site.app)
    const second = await startSignIn(site.app, first.cookie)
    for (const { authUrl } of [second, first]) {
      expect(await followCallback(site.app, await choosePerson(authUrl, 'new'), second.cookie)).toContain(
        '302 /?token=',
      )
    }
  })

  test.each(['redirect', 'redirect_uri', 'next', 'return_to', 'url'])('never follows a %s parameter', async (name) => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const back = `${await choosePerson(authUrl, 'new')}&${name}=https://evil.example`
    expect(await followCallback(site.app, back, cookie)).toMatch(/^302 \/\?token=[\w-]{43}&new_user=true$/)
    expect(await followCallback(site.app, back, cookie)).toMatch(/^302 \/\?token=[\w-]{43}$/)
  })

  test('is not spent by HEAD', async () => {
    const { authUrl, cookie } = await startSignIn(site.app)
    const url = await choosePerson(authUrl, 'new')
    await site.app.inject({ method: 'HEAD', url, headers: { cookie } })
    expect(await followCallback(site.app, url, cookie)).toContain('302 /?token=')
  })
})

test('stores no secret in plain text', async () => {
  const { authUrl, state, cookie } = await startSignIn(site.app)
  const back = await choosePerson(authUrl, 'new')
  const code = new URLSearchParams(back.split('?')[1]).get('code') ?? ''
  const during = await readEverything()
  const token = (await followCallback(site.app, back, cookie)).split('token=')[1]?.split('&')[0] ?? ''
  const between = await readEverything()
  const lasting = String((await requestOwnProfile(site.app, token, cookie)).headers['session-token'])
  const after = await readEverything()
  const secrets = [state, code, token, lasting, cookie.split('=')[1] ?? '', site.fakeDiscord.clientSecret]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    for (const text of [during, between, after]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
      expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
  }
})

async function readEverything(): Promise<string> {
  const { rows } = await site.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const texts = rows.map(({ name }) => site.pool.query<{ text: string }>(`select t::text as text from "${name}" t`))
  return (await Promise.all(texts)).flatMap((found) => found.rows.map(({ text }) => text)).join('\n')
}
