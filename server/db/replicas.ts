import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { openPoolLike } from './pool.ts'
import { IDENTITY, Replica } from './replica.ts'
import type { ReplayTarget } from './replica-progress.ts'

const CHECK_INTERVAL_MS = 500
const TIMEOUT_MS = 2000

/**
 * The replicas of the database. One is used only while it holds every change that this process knows of, and all that
 * was written until a second ago: by then asked of the primary and compared with it, no clock of theirs is needed.
 */
export class Replicas {
  readonly #replicas: Replica[]
  /** A connection of its own: replicas must not be lost just when all the others are busy. */
  readonly #primary: pg.Pool
  readonly #running: Promise<void>
  /** Raised with every change that this process learns of. */
  #known = 0
  #turn = 0
  #isClosed = false
  #wake: (() => void) | undefined

  constructor(addresses: readonly string[], pool: pg.Pool, log: FastifyBaseLogger) {
    this.#primary = openPoolLike(pool, { max: 1, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS })
    const identity = this.#askIdentity()
    const size = pool.options.max
    this.#replicas = addresses.map((address) => new Replica({ address, size, identity, log }))
    this.#running = this.#run()
  }

  /** From now on only a replica is used that holds all that the primary holds now. */
  recordChange(): void {
    this.#known++
    this.#wake?.()
  }

  /** One that may be read now, each in turn. */
  choose(): Replica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#replicas.length
      const replica = this.#replicas[this.#turn]
      if (replica?.has(this.#known)) return replica
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake?.()
    await this.#running
    await Promise.all([this.#primary.end(), ...this.#replicas.map((replica) => replica.close())])
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const known = this.#known
      const goal = await this.#findGoal(known).catch(() => undefined)
      if (goal) for (const replica of this.#replicas) replica.waitFor(goal)
      // While the primary is away it is not asked the more, the more is written.
      await this.#pause(goal ? known : undefined)
    }
  }

  async #findGoal(known: number): Promise<ReplayTarget> {
    const askedAt = performance.now()
    const { rows } = await this.#primary.query<{ position: string }>(
      `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as position`,
    )
    return { position: BigInt(rows[0]?.position ?? 0), known, askedAt }
  }

  /** Until it is time to look again, or more than `known` is known. */
  #pause(known: number | undefined): Promise<void> {
    if (this.#isClosed || (known !== undefined && known !== this.#known)) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CHECK_INTERVAL_MS)
      timer.unref()
      this.#wake = () => {
        if (known === undefined && !this.#isClosed) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #askIdentity(): Promise<string | null> {
    try {
      const { rows } = await this.#primary.query<{ identity: string | null }>(IDENTITY)
      return rows[0]?.identity ?? null
    } catch {
      return null
    }
  }
}
