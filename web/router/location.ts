/** A URL of the site, in parts. */
export interface Location {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  /** Stored with the entry of the browser's history. */
  state: unknown
  /** Identifies the entry of the browser's history. */
  key: string
}

/**
 * A path, a query or a hash. A query or a hash keeps the parts of the current URL before it. An object sets single
 * parts.
 */
export type To = string | { pathname?: string; search?: string; hash?: string }

const withPrefix = (prefix: string, value = '') => (value === '' || value.startsWith(prefix) ? value : prefix + value)

/** The text of a link's URL at the current location. */
export function hrefOf(to: To, current: Pick<Location, 'pathname' | 'search'>): string {
  if (typeof to !== 'string') {
    return (to.pathname ?? current.pathname) + withPrefix('?', to.search) + withPrefix('#', to.hash)
  }
  if (to === '' || to.startsWith('#')) return current.pathname + current.search + to
  return to.startsWith('?') ? current.pathname + to : to
}

export const pathOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash

export function parseLocation(url: string, origin: string, state: unknown = null, key = 'default'): Location {
  const { pathname, search, hash } = new URL(url, origin)
  return { pathname, search, hash, state, key }
}
