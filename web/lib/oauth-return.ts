import { readToken, storeToken } from './token.ts'

/** Result of a sign-in, from the URL. */
export interface OAuthReturn {
  token?: string
  /** The token of a member who was already signed in. */
  previous?: string | null
  isNew: boolean
  loginError?: string
}

/** Parses the result of a sign-in, and returns the URL without it as `rest`. */
export function readOAuthReturn(href: string): OAuthReturn & { rest: string } {
  const url = new URL(href)
  const parameters = url.searchParams
  const [token, isNew, loginError] = ['token', 'new_user', 'login_error'].map((name) => parameters.get(name))
  if (token === null && isNew === null && loginError === null) return { isNew: false, rest: href }
  for (const name of ['token', 'new_user', 'login_error']) parameters.delete(name)
  return {
    ...(token ? { token } : {}),
    ...(loginError ? { loginError } : {}),
    isNew: isNew === 'true',
    rest: url.href,
  }
}

/**
 * Stores the token of a sign-in and removes the result from the URL. A signed-in member's token stays until the server
 * has accepted the new one, so that a forged link signs nobody out.
 */
export function consumeOAuthReturn(): OAuthReturn {
  const { rest, ...result } = readOAuthReturn(location.href)
  if (rest !== location.href) history.replaceState(history.state, '', rest)
  const previous = readToken()
  if (result.token && !previous) storeToken(result.token)
  if (result.isNew) console.info('Welcome to Scriptyard!')
  return { ...result, previous }
}
