import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '#tests/support/app.ts'
import { startSignIn, choosePerson, createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'
import { startFakeDiscord } from './fake-discord.ts'

let site: SignInSite
beforeAll(async () => {
  site = await createSignInSite()
})
afterAll(() => site.close())

test('it does not run in production', async () => {
  await expect(
    startFakeDiscord({ appEnv: 'production', apiUrl: 'https://discord.com/api', redirectUri: 'https://a.example/' }),
  ).rejects.toThrow('the fake Discord lets anybody sign in')
})

test('a site in production without a Discord application lets nobody sign in', async () => {
  const production = await createTestApp({ appEnv: 'production', publicUrl: 'https://yard.example' })
  for (const url of ['/api/discord-auth', '/api/discord-callback?code=a&state=b']) {
    const answer = await production.app.inject(url)
    expect([answer.statusCode, answer.headers.location]).toEqual(
      url.includes('callback') ? [302, '/?login_error=sign_in_unavailable'] : [503, undefined],
    )
  }
  const { rows } = await production.pool.query('select 1 from sessions union all select 1 from login_tokens')
  expect(rows).toEqual([])
  await production.close()
})

test('it listens on this machine only', () => {
  expect(new URL(site.fakeDiscord.apiUrl).hostname).toBe('127.0.0.1')
})

describe('its page', () => {
  const page = async (change: Record<string, string> = {}) => {
    const { authUrl } = await startSignIn(site.app)
    for (const [name, value] of Object.entries(change)) authUrl.searchParams.set(name, value)
    return fetch(authUrl, { redirect: 'manual' })
  }

  test('shows the members of the demo, without a script', async () => {
    const answer = await page()
    const html = await answer.text()
    for (const name of ['marlow', 'okapi', 'ada_builds', 'lin', 'Someone new']) expect(html).toContain(name)
    expect(html).not.toContain('<script')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each([
    ['client_id', '2'],
    ['redirect_uri', 'https://evil.example/'],
    ['response_type', 'token'],
    ['scope', 'email'],
    ['code_challenge_method', 'plain'],
    ['code_challenge', 'short'],
  ])('rejects another %s without a redirect', async (name, value) => {
    const answer = await page({ [name]: value })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  test('escapes the parameters it received', async () => {
    const html = await (await page({ state: '"><script>alert(1)</script>' })).text()
    expect(html).not.toContain('<script')
    expect(html).toContain('&quot;&gt;&lt;script&gt;')
  })
})

describe('the exchange of a code', () => {
  const exchange = async (change: Record<string, string>, headers: Record<string, string> = {}) => {
    const { authUrl } = await startSignIn(site.app)
    const code = new URLSearchParams((await choosePerson(authUrl, 'new')).split('?')[1]).get('code') ?? ''
    const form = {
      client_id: site.fakeDiscord.clientId,
      client_secret: site.fakeDiscord.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: authUrl.searchParams.get('redirect_uri') ?? '',
      code,
      code_verifier: 'A'.repeat(43),
      ...change,
    }
    const answer = await fetch(`${site.fakeDiscord.apiUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
    return [answer.status, ((await answer.json()) as { error?: string }).error]
  }

  test.each([
    [{ client_secret: 'wrong' }, [401, 'invalid_client']],
    [{ client_id: '2' }, [401, 'invalid_client']],
    [{ grant_type: 'password' }, [400, 'unsupported_grant_type']],
    [{ code: 'unknown' }, [400, 'invalid_grant']],
    [{ redirect_uri: 'https://evil.example/' }, [400, 'invalid_grant']],
    // A valid verifier, but not of this challenge.
    [{}, [400, 'invalid_grant']],
  ])('with %j is rejected', async (change: Record<string, string>, expected) => {
    expect(await exchange(change)).toEqual(expected)
  })

  test('returns no user without a token', async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer abc']) {
      const answer = await fetch(`${site.fakeDiscord.apiUrl}/users/@me`, { headers: { authorization } })
      expect(answer.status).toBe(401)
    }
  })
})
