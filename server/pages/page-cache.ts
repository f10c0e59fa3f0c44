import { hash } from 'node:crypto'
import { ByteCache } from '#server/http/byte-cache.ts'
import type { CachedResponse } from '#server/http/cached-response.ts'
import type { PageResponse, PageRequest } from '#server/http/in-process.ts'

const CACHE_BYTES = 96 * 1024 * 1024
/** A page says how long ago things were, so it grows old even when nothing changes. */
const MAX_AGE_MS = 30_000

export type Send = (request: PageRequest) => Promise<PageResponse>

/** A call that a page was made from, and which answer it got. */
interface Source {
  request: PageRequest
  tag: string
}

interface CachedPage {
  finished: CachedResponse
  sources: readonly Source[]
  /** Of the data: for this one the page is known to be right. */
  version: number
  bytes: number
}

export interface KeptPagesOptions {
  send: Send
  /** Makes a page from what it asks `send` for, and from nothing else. */
  make(address: string, send: Send): Promise<CachedResponse>
  /** Rises when something has changed that a page might show. */
  version(): number
}

/**
 * Pages as finished bytes, by address. When something changed, the calls that a page was made from are made again, and as
 * long as all of them are answered as before the page stays: that costs a fraction of making it.
 */
export class PageCache {
  readonly #options: KeptPagesOptions
  readonly #cache = new ByteCache<CachedPage>(CACHE_BYTES)
  readonly #pending = new Map<string, Promise<CachedResponse>>()

  constructor(options: KeptPagesOptions) {
    this.#options = options
  }

  /** What gives a page that is kept, at once when nothing changed since. */
  find(address: string): (() => CachedResponse | Promise<CachedResponse>) | undefined {
    const kept = this.#cache.get(address, 0)
    if (kept?.finished.status !== 200) return undefined
    return () => (kept.version === this.#options.version() ? kept.finished : this.get(address))
  }

  /** The page as it is now; several that ask at once share the work. */
  async get(address: string): Promise<CachedResponse> {
    const kept = this.#cache.get(address, 0)
    if (kept?.version === this.#options.version()) return kept.finished
    const version = this.#options.version()
    const flight = `${version} ${address}`
    const running = this.#pending.get(flight)
    if (running) return running
    const made = this.#revalidate(address, version).finally(() => this.#pending.delete(flight))
    this.#pending.set(flight, made)
    return made
  }

  /** What is asked for here is at least as new as `version`, which was read before. */
  async #revalidate(address: string, version: number): Promise<CachedResponse> {
    const kept = this.#cache.get(address, 0)
    if (!kept || !(await this.#isCurrent(kept))) return this.#make(address, version)
    kept.version = Math.max(kept.version, version)
    return kept.finished
  }

  async #isCurrent({ sources }: CachedPage): Promise<boolean> {
    const tags = await Promise.all(sources.map(async ({ request }) => tagOf(await this.#options.send(request))))
    return tags.every((tag, at) => tag === sources[at]?.tag)
  }

  async #make(address: string, version: number): Promise<CachedResponse> {
    const sources: Source[] = []
    const finished = await this.#options.make(address, async (request) => {
      const answer = await this.#options.send(request)
      sources.push({ request, tag: tagOf(answer) })
      return answer
    })
    if (finished.status < 500) {
      finished.detach()
      const kept = { finished, sources, version, bytes: finished.bytes + sources.length * 200 }
      this.#cache.set(address, kept, 0, MAX_AGE_MS)
    }
    return finished
  }
}

const tagOf = ({ status, text }: PageResponse) => `${status} ${hash('sha1', text, 'base64url')}`
