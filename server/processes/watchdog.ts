/** How often whoever is watched has to say that it is alive, at least. */
export const HEARTBEAT_INTERVAL_MS = 5000
export const HEARTBEAT_TIMEOUT_MS = 30_000

/** Notices who was not heard of for too long: a process whose event loop stands still does not end by itself. */
export class Watchdog<T> {
  readonly #patienceMs: number
  readonly #onSilent: (who: T) => void
  readonly #lastHeartbeats = new Map<T, number>()
  readonly #timer: NodeJS.Timeout
  #lookedAt = performance.now()

  /** Tells of each once, until it is heard of again. */
  constructor(patienceMs: number, onSilent: (who: T) => void) {
    this.#patienceMs = patienceMs
    this.#onSilent = onSilent
    this.#timer = setInterval(() => this.#look(), patienceMs / 6).unref()
  }

  recordHeartbeat(who: T): void {
    this.#lastHeartbeats.set(who, performance.now())
  }

  forget(who: T): void {
    this.#lastHeartbeats.delete(who)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    // Whoever looks was held up: what the others said meanwhile is still on its way.
    const wasHeldUp = now - this.#lookedAt > this.#patienceMs / 2
    this.#lookedAt = now
    for (const [who, heardAt] of this.#lastHeartbeats) {
      if (wasHeldUp) this.#lastHeartbeats.set(who, now)
      else if (now - heardAt > this.#patienceMs) {
        this.#lastHeartbeats.delete(who)
        this.#onSilent(who)
      }
    }
  }
}
