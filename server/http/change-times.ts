import { LRUCache } from 'lru-cache'
import type { CachedResponse } from './cached-response.ts'

const MAX_RESPONSES = 10_000

/**
 * The times at which this process first saw each response as it is. The newest change of its data would not do: a response
 * also changes when something is deleted or hidden.
 */
export class ChangeTimes {
  readonly #seen = new LRUCache<string, { etag: string; time: number }>({ max: MAX_RESPONSES })

  /** Sets `lastModified` of the new response for a key. */
  stamp(key: string, response: CachedResponse): CachedResponse {
    const seen = this.#seen.get(key)
    const time = seen?.etag === response.etag ? seen.time : Date.now()
    this.#seen.set(key, { etag: response.etag, time })
    response.lastModified = time
    return response
  }
}
