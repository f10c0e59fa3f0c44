const KEY = 'auth_token'

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

/** Keeps the lasting token in place of `spent`, unless somebody signed out or another member in meanwhile. */
export function replaceToken(spent: string, lasting: string): void {
  if (readToken() === spent) storeToken(lasting)
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

/** Calls `listener` once this page has forgotten the token, or another tab has changed it. Answers with the way to stop that. */
export function onTokenChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  // A page that comes back from the browser's store of left pages has heard of nothing.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  addEventListener('pageshow', onShow)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
    removeEventListener('pageshow', onShow)
  }
}
