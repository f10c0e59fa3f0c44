const KEY = 'auth_token'
const IN_ADDRESS = 'token'
const IS_NEW = 'new_user'

const listeners = new Set<() => void>()

/** The session's token, null when signed out or where storage is blocked. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function storeToken(token: string): void {
  try {
    localStorage.setItem(KEY, token)
  } catch {
    // Storage is blocked: nobody can stay signed in here.
  }
}

/** Signs out on this side. With `token`, only while that one is still the stored one. */
export function forgetToken(token?: string): void {
  if (token !== undefined && readToken() !== token) return
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was kept.
  }
  for (const listener of listeners) listener()
}

/** Calls `listener` once the token is gone, by this page or by another tab. Answers with the way to stop that. */
export function onTokenGone(listener: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if ((key === KEY || key === null) && newValue === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** Keeps the token that a sign-in left in the address and takes it out of there at once. */
export function takeTokenFromAddress(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get(IN_ADDRESS)
  if (address.searchParams.get(IS_NEW) === 'true') console.info('Welcome! Good to have you here.')
  if (token === null && !address.searchParams.has(IS_NEW)) return
  if (token) storeToken(token)
  address.searchParams.delete(IN_ADDRESS)
  address.searchParams.delete(IS_NEW)
  history.replaceState(history.state, '', address)
}
