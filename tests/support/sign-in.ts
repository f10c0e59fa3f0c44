import { callbackUrl } from '#server/features/accounts/discord.ts'
import type { Config } from '#server/platform/config.ts'
import { type FakeDiscord, startFakeDiscord } from '#server/operations/fake-discord/fake-discord.ts'
import { createTestApp, type TestApp } from './app.ts'

type App = TestApp['app']

export interface SignInSite extends TestApp {
  fakeDiscord: FakeDiscord
}

export async function createSignInSite(settings: Partial<Config> = {}): Promise<SignInSite> {
  const publicUrl = settings.publicUrl ?? 'http://127.0.0.1:1'
  const fakeDiscord = await startFakeDiscord({
    appEnv: 'local',
    apiUrl: 'https://discord.com/api',
    redirectUri: callbackUrl(publicUrl),
  })
  const { apiUrl, clientId, clientSecret } = fakeDiscord
  const site = await createTestApp({
    publicUrl,
    discord: { apiUrl, clientId, clientSecret, cdnUrl: 'https://cdn.example' },
    ...settings,
  })
  return {
    ...site,
    fakeDiscord,
    close: async () => {
      await site.close()
      await fakeDiscord.close()
    },
  }
}

export interface StartedSignIn {
  authUrl: URL
  state: string
  /** The cookie as the browser sends it back. */
  cookie: string
}

/** Starts a sign-in. `cookie` is the sign-in cookie of an earlier one in the same browser. */
export async function startSignIn(app: App, cookie?: string): Promise<StartedSignIn> {
  const response = await app.inject({ url: '/api/discord-auth', headers: cookie ? { cookie } : {} })
  const authUrl = new URL(response.json<{ authUrl: string }>().authUrl)
  const sent = String(response.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { authUrl, state: authUrl.searchParams.get('state') ?? '', cookie: sent }
}

/** Chooses a person (an id, 'new', or '' for Cancel) on the fake Discord's page. Returns the callback URL. */
export async function choosePerson(authUrl: URL, person: string): Promise<string> {
  const form = new URLSearchParams([...authUrl.searchParams, ['account', person]])
  const url = authUrl.href.split('?', 1)[0] ?? ''
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '')
  return `${back.pathname}${back.search}`
}

/** Requests the callback URL. Returns status and location. */
export async function followCallback(app: App, url: string, cookie?: string): Promise<string> {
  const response = await app.inject({ url, headers: cookie ? { cookie } : {} })
  return `${response.statusCode} ${String(response.headers.location)}`
}

export interface CompletedSignIn {
  cookie: string
  /** Login token in the URL. */
  token: string
  isNew: boolean
}

/** Signs in up to the page with a login token in its URL. */
export async function completeSignIn(app: App, person = 'new'): Promise<CompletedSignIn> {
  const { authUrl, cookie } = await startSignIn(app)
  const target = await followCallback(app, await choosePerson(authUrl, person), cookie)
  const found = /^302 \/\?token=([\w-]{43})(&new_user=true)?$/.exec(target)
  if (!found) throw new Error(`The sign-in ended at ${target}.`)
  return { cookie, token: found[1] ?? '', isNew: found[2] !== undefined }
}

/** Requests the own profile, which exchanges a login token for a session. */
export function requestOwnProfile(app: App, token: string, cookie?: string) {
  return app.inject({
    url: '/api/user-profile',
    headers: { authorization: `Bearer ${token}`, ...(cookie ? { cookie } : {}) },
  })
}

export async function signInAs(app: App, person = 'new'): Promise<string> {
  const { token, cookie } = await completeSignIn(app, person)
  return String((await requestOwnProfile(app, token, cookie)).headers['session-token'])
}
