import { ByteCache } from './byte-cache.ts'
import type { CachedResponse } from './cached-response.ts'

/** Finished answers by key; an answer that several ask for at once is made once. */
export class ResponseCache {
  readonly #cache: ByteCache<CachedResponse>
  readonly #pending = new Map<string, Promise<CachedResponse>>()
  readonly #maxAgeMs: number

  constructor(limitBytes: number, maxAgeMs: number) {
    this.#cache = new ByteCache(limitBytes)
    this.#maxAgeMs = maxAgeMs
  }

  get(key: string, version: number): CachedResponse | undefined {
    return this.#cache.get(key, version)
  }

  set(key: string, finished: CachedResponse, version: number): void {
    finished.detach()
    this.#cache.set(key, finished, version, this.#maxAgeMs)
  }

  /**
   * The answer under this key for this version of the data. What `make` read is at least as new as `version`, because
   * the version was read before; so a change in between throws the answer away and never keeps it too long.
   */
  async getOrCreate(key: string, version: number, make: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const cached = this.#cache.get(key, version)
    if (cached) return cached
    const flight = `${version} ${key}`
    const running = this.#pending.get(flight)
    if (running) return running
    const made = make().finally(() => this.#pending.delete(flight))
    this.#pending.set(flight, made)
    const finished = await made
    if (finished.status < 500) this.set(key, finished, version)
    return finished
  }
}
