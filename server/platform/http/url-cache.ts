import { parse as parseSearch } from 'fast-querystring'

const MAX_URLS = 2048
const MAX_URL_LENGTH = 1000

/** Cache of parsed URLs, so that the fast path parses a frequent URL once. `parse` receives the query and the whole URL. */
export class UrlCache<T> {
  readonly #parse: (query: Record<string, unknown>, url: string) => T
  readonly #urls = new Map<string, T>()

  constructor(parse: (query: Record<string, unknown>, url: string) => T) {
    this.#parse = parse
  }

  /** Throws what parsing throws. */
  read(url: string): T {
    const cached = this.#urls.get(url)
    if (cached !== undefined) return cached
    const queryStart = url.indexOf('?')
    const parsed = this.#parse(queryStart < 0 ? {} : parseSearch(url.slice(queryStart + 1)), url)
    if (url.length > MAX_URL_LENGTH) return parsed
    if (this.#urls.size === MAX_URLS) this.#urls.clear()
    this.#urls.set(url, parsed)
    return parsed
  }
}
