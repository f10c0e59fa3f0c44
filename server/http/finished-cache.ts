import { ByteCache } from './byte-cache.ts'
import type { Finished } from './finished.ts'

/** Finished answers by key; an answer that several ask for at once is made once. */
export class FinishedCache {
  readonly #cache: ByteCache<Finished>
  readonly #pending = new Map<string, Promise<Finished>>()
  readonly #maxAgeMs: number

  constructor(limitBytes: number, maxAgeMs: number) {
    this.#cache = new ByteCache(limitBytes)
    this.#maxAgeMs = maxAgeMs
  }

  get(key: string, version: number): Finished | undefined {
    return this.#cache.get(key, version)
  }

  set(key: string, finished: Finished, version: number): void {
    finished.own()
    this.#cache.set(key, finished, version, this.#maxAgeMs)
  }

  /**
   * The answer under this key for this version of the data. What `make` read is at least as new as `version`, because
   * the version was read before; so a change in between throws the answer away and never keeps it too long.
   */
  async getOrMake(key: string, version: number, make: () => Promise<Finished>): Promise<Finished> {
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
