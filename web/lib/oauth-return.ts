import { storeToken } from './token.ts'

/** How a sign-in ended, as the address tells. */
export interface OAuthReturn {
  token?: string
  isNew: boolean
  /** The code of what kept the visitor out. */
  loginError?: string
}

/** What the address says of a sign-in, and the address without it. */
export function readOAuthReturn(href: string): OAuthReturn & { rest: string } {
  const address = new URL(href)
  const given = address.searchParams
  const [token, isNew, loginError] = ['token', 'new_user', 'login_error'].map((name) => given.get(name))
  if (token === null && isNew === null && loginError === null) return { isNew: false, rest: href }
  for (const name of ['token', 'new_user', 'login_error']) given.delete(name)
  return {
    ...(token ? { token } : {}),
    ...(loginError ? { loginError } : {}),
    isNew: isNew === 'true',
    rest: address.href,
  }
}

/** Keeps the token that a sign-in left in the address, and takes all it left out of there at once. */
export function consumeOAuthReturn(): OAuthReturn {
  const { rest, ...arrival } = readOAuthReturn(location.href)
  if (rest !== location.href) history.replaceState(history.state, '', rest)
  if (arrival.token) storeToken(arrival.token)
  if (arrival.isNew) console.info('Welcome! Good to have you here.')
  return arrival
}
