import { LRUCache } from 'lru-cache'
import type { CachedResponse } from './cached-response.ts'

const MAX_RESPONSES = 10_000

/** When this process first saw each response. Not the newest change: a response also changes when something is deleted. */
export class ChangeTimes {
  readonly #seen = new LRUCache<string, { etag: string; time: number }>({ max: MAX_RESPONSES })

  stamp(key: string, response: CachedResponse): CachedResponse {
    const seen = this.#seen.get(key)
    const time = seen?.etag === response.etag ? seen.time : Date.now()
    this.#seen.set(key, { etag: response.etag, time })
    response.lastModified = time
    return response
  }
}
