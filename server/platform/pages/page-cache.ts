import { hash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { CachedResponse } from '#server/platform/http/cached-response.ts'
import type { PageRequest, PageResponse } from '#server/platform/http/in-process.ts'
import {
  createByteCache,
  isUnavailable,
  MAX_STALE_MS,
  SingleFlight,
  STALE_AFTER_MS,
} from '#server/platform/http/response-cache.ts'

const CACHE_BYTES = 96 * 1024 * 1024
/** Pages show relative times ("2 hours ago"), so they expire even when nothing changes. */
const MAX_AGE_MS = 30_000
const SOURCE_BYTES = 200

export type Send = (request: PageRequest) => Promise<PageResponse>

interface Source {
  request: PageRequest
  tag: string
}

interface CachedPage {
  response: CachedResponse
  sources: readonly Source[]
  /** Version of the data for which the page is known to be current. */
  version: number
  renderedAt: number
  confirmedAt: number
}

export interface PageCacheOptions {
  send: Send
  /** Renders the page of a URL. All its data must come through `send`. */
  render(url: string, send: Send): Promise<CachedResponse>
  /** Rises whenever something changes that a page may show. */
  version(): number
}

/** After a change, a page stays if its API requests get the same responses: a fraction of the cost of rendering it. */
export class PageCache {
  readonly #options: PageCacheOptions
  readonly #pages: LRUCache<string, CachedPage>
  readonly #flights = new SingleFlight<CachedResponse>()

  constructor(options: PageCacheOptions) {
    this.#options = options
    this.#pages = createByteCache(CACHE_BYTES, MAX_STALE_MS, ({ response, sources }) => {
      return response.bytes + sources.length * SOURCE_BYTES
    })
  }

  /** A function that returns a cached page, synchronously if nothing changed; undefined if the page is not cached. */
  find(url: string): (() => CachedResponse | Promise<CachedResponse>) | undefined {
    const page = this.#pages.get(url)
    if (page?.response.status !== 200 || isExpired(page)) return undefined
    return () => (page.version === this.#options.version() ? page.response : this.get(url))
  }

  /**
   * The current page; concurrent callers share the work. While the database is unavailable, an earlier page, at once if it may
   * still be current. Throws AppError `unavailable` if there is none and rendering takes too long.
   */
  async get(url: string): Promise<CachedResponse> {
    // Read first: whatever is requested after this is at least as new.
    const version = this.#options.version()
    const page = this.#pages.get(url)
    if (page?.version === version && !isExpired(page)) return page.response
    const isLikelyCurrent = page && (page.version === version || Date.now() - page.confirmedAt < MAX_AGE_MS)
    const task = () => this.#revalidate(url, version)
    const revalidating = this.#flights.run(`${version} ${url}`, task, isLikelyCurrent ? STALE_AFTER_MS : undefined)
    if (!page) return revalidating
    try {
      const current = await revalidating
      return current.status === 503 ? page.response : current
    } catch (error) {
      if (isUnavailable(error as Error)) return page.response
      throw error
    }
  }

  async #revalidate(url: string, version: number): Promise<CachedResponse> {
    const page = this.#pages.get(url)
    const requestedAt = Date.now()
    if (!page || isExpired(page) || !(await this.#isCurrent(page))) return this.#render(url, version)
    page.version = Math.max(page.version, version)
    page.confirmedAt = requestedAt
    return page.response
  }

  async #isCurrent({ sources }: CachedPage): Promise<boolean> {
    const tags = await Promise.all(sources.map(async ({ request }) => tagOf(await this.#options.send(request))))
    return tags.every((tag, i) => tag === sources[i]?.tag)
  }

  async #render(url: string, version: number): Promise<CachedResponse> {
    const sources: Source[] = []
    const renderedAt = Date.now()
    const response = await this.#options.render(url, async (request) => {
      const result = await this.#options.send(request)
      sources.push({ request, tag: tagOf(result) })
      return result
    })
    if (response.status < 500) {
      response.detach()
      this.#pages.set(url, { response, sources, version, renderedAt, confirmedAt: renderedAt })
    }
    return response
  }
}

const isExpired = ({ renderedAt }: CachedPage) => Date.now() - renderedAt >= MAX_AGE_MS

const tagOf = ({ status, text }: PageResponse) => `${status} ${hash('sha1', text, 'base64url')}`
