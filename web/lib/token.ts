import { forgetSearches } from './recent-searches.ts'

const KEY = 'auth_token'

const listeners = new Set<() => void>()

/** The session token, null if signed out or if storage is blocked. */
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
    // Storage is blocked: sessions cannot be stored in this browser.
  }
}

/** Replaces the used token by the session token, unless the stored token changed in the meantime. */
export function replaceToken(used: string, sessionToken: string): void {
  if (readToken() === used) storeToken(sessionToken)
}

/** Deletes the stored token and the member's recent searches. With `token`, only if that is the stored one. */
export function forgetToken(token?: string): void {
  if (token !== undefined && readToken() !== token) return
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage is blocked: nothing was stored.
  }
  forgetSearches()
  for (const listener of listeners) listener()
}

/** Calls `listener` when this page deletes the token or another tab changes it. Returns a function that unsubscribes. */
export function onTokenChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  // A page in the back/forward cache receives no storage events.
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
