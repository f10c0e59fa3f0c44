/** The one application that the stand-in knows: the site that started it. */
export interface Application {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** A checked question of the site: who is this? */
export interface AuthorizationRequest {
  redirectUri: string
  state: string
  challenge: string
}

const CHALLENGE = /^[\w-]{43}$/

/** Reads the parameters of /oauth2/authorize; a sentence where something is wrong with them. */
export function parseAuthorizationRequest(
  given: URLSearchParams,
  application: Application,
): AuthorizationRequest | string {
  const redirectUri = given.get('redirect_uri') ?? ''
  const challenge = given.get('code_challenge') ?? ''
  const scopes = (given.get('scope') ?? '').split(' ')
  if (given.get('client_id') !== application.clientId) return 'client_id names no application known here.'
  if (redirectUri !== application.redirectUri) return 'redirect_uri is not the one of this application.'
  if (given.get('response_type') !== 'code') return 'response_type has to be code.'
  if (!scopes.includes('identify')) return 'scope has to hold identify.'
  if (given.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) return 'PKCE with S256 is missing.'
  return { redirectUri, state: given.get('state') ?? '', challenge }
}

/** The address that the browser goes back to. */
export function redirectUrl({ redirectUri, state }: AuthorizationRequest, answer: Record<string, string>): string {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, state })) address.searchParams.set(name, value)
  return address.href
}
