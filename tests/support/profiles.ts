import type { Profile } from '#contract/members.ts'
import type { TestApp } from './app.ts'
import type { signIn } from './factories.ts'

type SignedIn = Awaited<ReturnType<typeof signIn>>

/** Asks for a profile by id, slug or username; as a visitor without headers. */
export function requestProfile({ app }: TestApp, name: number | string, headers: Partial<SignedIn> = {}) {
  return app.inject({ url: '/api/user-profiles', query: { user_id: String(name) }, headers })
}

/** The profile that an answer holds. */
export async function readProfile(site: TestApp, name: number | string, headers?: Partial<SignedIn>): Promise<Profile> {
  const answer = await requestProfile(site, name, headers)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json<{ profile: Profile }>().profile
}

/** Sends a change of a profile as it is. */
export function sendProfile({ app }: TestApp, headers: Partial<SignedIn>, body: unknown) {
  return app.inject({
    method: 'PUT',
    url: '/api/user-profiles',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Changes a profile and gives it as its owner sees it then. */
export async function changeProfile(site: TestApp, headers: SignedIn, body: unknown): Promise<Profile> {
  const answer = await sendProfile(site, headers, body)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json<{ profile: Profile }>().profile
}
