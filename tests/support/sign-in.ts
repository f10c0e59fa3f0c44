import { callbackUrl } from '#server/features/accounts/discord.ts'
import type { Config } from '#server/config.ts'
import { type FakeDiscord, startFakeDiscord } from '#server/fake-discord/fake-discord.ts'
import { createTestApp, type TestApp } from './app.ts'

type App = TestApp['app']

export interface SignInSite extends TestApp {
  fakeDiscord: FakeDiscord
}

/** A site with a stand-in for Discord beside it. */
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
  /** As the browser sends it back. */
  cookie: string
}

/** A browser asks to sign in; with `cookie` it is one that did so before. */
export async function startSignIn(app: App, cookie?: string): Promise<StartedSignIn> {
  const answer = await app.inject({ url: '/api/discord-auth', headers: cookie ? { cookie } : {} })
  const authUrl = new URL(answer.json<{ authUrl: string }>().authUrl)
  const kept = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { authUrl, state: authUrl.searchParams.get('state') ?? '', cookie: kept }
}

/** Somebody chooses a person (an id, 'new', or '' for Cancel) on the stand-in's page; gives where that leads. */
export async function choosePerson(authUrl: URL, person: string): Promise<string> {
  const form = new URLSearchParams([...authUrl.searchParams, ['account', person]])
  const url = authUrl.href.split('?', 1)[0] ?? ''
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return `${back.pathname}${back.search}`
}

/** The browser comes back; gives where the site sends it. */
export async function followCallback(app: App, url: string, cookie?: string): Promise<string> {
  const answer = await app.inject({ url, headers: cookie ? { cookie } : {} })
  return `${answer.statusCode} ${String(answer.headers.location)}`
}

export interface CompletedSignIn {
  cookie: string
  /** The token in the address. */
  token: string
  isNew: boolean
}

/** From the button to the page with a token in its address. */
export async function completeSignIn(app: App, person = 'new'): Promise<CompletedSignIn> {
  const { authUrl, cookie } = await startSignIn(app)
  const target = await followCallback(app, await choosePerson(authUrl, person), cookie)
  const found = /^302 \/\?token=([\w-]{43})(&new_user=true)?$/.exec(target)
  if (!found) throw new Error(`The sign-in ended at ${target}.`)
  return { cookie, token: found[1] ?? '', isNew: found[2] !== undefined }
}

/** Asks who is signed in. */
export function requestOwnProfile(app: App, token: string, cookie?: string) {
  return app.inject({
    url: '/api/user-profile',
    headers: { authorization: `Bearer ${token}`, ...(cookie ? { cookie } : {}) },
  })
}

/** Signs in as a person and gives the lasting token. */
export async function signInAs(app: App, person = 'new'): Promise<string> {
  const { token, cookie } = await completeSignIn(app, person)
  return String((await requestOwnProfile(app, token, cookie)).headers['session-token'])
}
