import type { Profile } from '#contract/members.ts'
import type { TestApp } from './app.ts'
import type { signIn } from './factories.ts'

type SignedIn = Awaited<ReturnType<typeof signIn>>

/** Requests a profile by id, slug or username; without headers as a visitor. */
export function requestProfile({ app }: TestApp, name: number | string, headers: Partial<SignedIn> = {}) {
  return app.inject({ url: '/api/user-profiles', query: { user_id: String(name) }, headers })
}

export async function readProfile(site: TestApp, name: number | string, headers?: Partial<SignedIn>): Promise<Profile> {
  const response = await requestProfile(site, name, headers)
  if (response.statusCode !== 200) throw new Error(response.payload)
  return response.json<{ profile: Profile }>().profile
}

/** Sends a change of a profile as is. */
export function sendProfile({ app }: TestApp, headers: Partial<SignedIn>, body: unknown) {
  return app.inject({
    method: 'PUT',
    url: '/api/user-profiles',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Changes a profile. Returns it as its owner sees it. */
export async function changeProfile(site: TestApp, headers: SignedIn, body: unknown): Promise<Profile> {
  const response = await sendProfile(site, headers, body)
  if (response.statusCode !== 200) throw new Error(response.payload)
  return response.json<{ profile: Profile }>().profile
}
