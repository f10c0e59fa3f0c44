import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 2

/** Long work in short slices: others are served in between. */
export class Slices {
  #since = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#since > SLICE_MS
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}
