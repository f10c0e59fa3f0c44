const KEY = 'recent_searches'
const MAX_RECENT = 5

/** The texts last searched for in this browser, newest first. Empty if storage is blocked or holds something else. */
export function readRecentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter((text) => typeof text === 'string').slice(0, MAX_RECENT)
  } catch {
    return []
  }
}

export function recordSearch(text: string): void {
  const others = readRecentSearches().filter((each) => each !== text)
  try {
    localStorage.setItem(KEY, JSON.stringify([text, ...others].slice(0, MAX_RECENT)))
  } catch {
    // Storage is blocked: nothing is suggested.
  }
}

export function forgetSearches(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage is blocked: nothing was stored.
  }
}
