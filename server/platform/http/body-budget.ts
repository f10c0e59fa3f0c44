import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from './errors.ts'
import { tooManyRequests } from './rate-limits.ts'

export interface BodyBudgetOptions {
  /** Bytes of all request bodies that the process holds at a time. */
  bytes: number
  /** Further bytes for bodies of at most `smallBytes`, so that large ones do not keep them out. */
  reserveBytes: number
  smallBytes: number
  /** Bytes that one member or address may have in flight. */
  ownerBytes: number
  /** How long a body waits for others before it is rejected. */
  waitMs: number
}

const DEFAULTS: BodyBudgetOptions = {
  bytes: 32 * 1024 * 1024,
  reserveBytes: 8 * 1024 * 1024,
  smallBytes: 65_536,
  ownerBytes: 16 * 1024 * 1024,
  waitMs: 2000,
}

const busy = () =>
  new AppError('busy', 503, 'The site is busy right now. Please try again in a moment.', { retryAfter: 2 })

const RETRY_OWNER_MS = 2000
const POLL_MS = 20

/** Only received bytes count, so clients that announce a body and do not send it take nothing from others. */
export class BodyBudget {
  readonly #options: BodyBudgetOptions
  readonly #byOwner = new Map<string, number>()
  #used = 0

  constructor(options: Partial<BodyBudgetOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  get used(): number {
    return this.#used
  }

  /** Starts to count the body of one request. `owner` identifies the member or address that sends it. */
  open(owner: string): BodyLease {
    let size = 0
    let isReleased = false
    const { bytes: total, reserveBytes, smallBytes, ownerBytes, waitMs } = this.#options
    const hasRoom = (bytes: number) => this.#used + bytes <= (size + bytes <= smallBytes ? total + reserveBytes : total)
    return {
      add: async (bytes) => {
        const owned = this.#byOwner.get(owner) ?? 0
        if (owned + bytes > ownerBytes) throw tooManyRequests(RETRY_OWNER_MS)
        for (const end = Date.now() + waitMs; !hasRoom(bytes);) {
          if (Date.now() >= end) throw busy()
          await delay(POLL_MS)
        }
        if (isReleased) return
        size += bytes
        this.#used += bytes
        this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + bytes)
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#used -= size
        const left = (this.#byOwner.get(owner) ?? 0) - size
        if (left > 0) this.#byOwner.set(owner, left)
        else this.#byOwner.delete(owner)
      },
    }
  }
}

export interface BodyLease {
  /** Waits while the budget is used up. Throws AppError `too_many_requests` past the owner's share, `busy` after a long wait. */
  add: (bytes: number) => Promise<void>
  /** Returns the bytes; further calls do nothing. */
  release: () => void
}
