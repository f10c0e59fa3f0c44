import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { openPool } from './pool.ts'
import { type ReplayTarget, MAX_LAG_MS, ReplicaProgress } from './replica-progress.ts'

/** A replica that does not answer in this time is asked no longer; then the primary is. */
const TIMEOUT_MS = 5000
const FIRST_DELAY_MS = 4
const MAX_DELAY_MS = 100

/** PostgreSQL's classes for a broken connection, no resources left, and a shutdown. */
const AWAY = /^(08|53|57P)/

/** Which database this is; the same on a primary and its replicas. */
export const IDENTITY = `select system_identifier || '/' || current_database() as identity from pg_control_system()`

interface ReplicaOptions {
  address: string
  /** How many connections for reads. */
  size: number
  /** That of the primary, null where its host does not show it. */
  identity: Promise<string | null>
  log: FastifyBaseLogger
}

/** One streaming replica: its connections, and how far it is known to have come. */
export class Replica {
  readonly #name: string
  readonly #log: FastifyBaseLogger
  readonly #pool: pg.Pool
  /** Asks how far it is, also while reads have all the others. */
  readonly #probe: pg.Pool
  readonly #identity: Promise<string | null>
  readonly #progress = new ReplicaProgress()
  #isRightDatabase = false
  #isLooking = false
  #looking: Promise<void> = Promise.resolve()
  #trouble: string | undefined = 'it has not been looked at yet'
  #isClosed = false

  constructor({ address, size, identity, log }: ReplicaOptions) {
    const patience = { connectionTimeoutMillis: 1000, query_timeout: TIMEOUT_MS, keepAlive: true }
    this.#name = nameOf(address)
    this.#pool = openPool(address, size, patience)
    this.#probe = openPool(address, 1, { ...patience, query_timeout: 2 * MAX_LAG_MS })
    this.#identity = identity
    this.#log = log
  }

  /** Whether it holds everything up to `known`, and all that was written until a second ago. */
  has(known: number): boolean {
    return this.#progress.has(known)
  }

  /** Waits in the background until it has come this far. */
  waitFor(goal: ReplayTarget): void {
    this.#progress.waitFor(goal)
    if (!this.#isLooking) this.#looking = this.#look()
  }

  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#pool.query(text, [...values])
  }

  /** A query on it failed: it is not used until it has been looked at again, unless the query alone was meant. */
  recordFailure(error: Error): void {
    if (error instanceof pg.DatabaseError && !AWAY.test(error.code ?? '')) return
    this.#note(reasonOf(error))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#looking
    await Promise.all([this.#pool.end(), this.#probe.end()])
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    for (let pause = FIRST_DELAY_MS; this.#progress.hasTargets; pause = Math.min(pause * 2, MAX_DELAY_MS)) {
      try {
        const keepsUp = this.#progress.recordPosition(await this.#findPosition())
        if (keepsUp !== undefined) this.#note(keepsUp ? undefined : 'it is too far behind')
      } catch (error) {
        this.#note(reasonOf(error as Error))
      }
      if (this.#isClosed || !this.#progress.hasTargets) break
      await wait(pause)
    }
    this.#isLooking = false
  }

  /** Throws what keeps it from being used. */
  async #findPosition(): Promise<bigint> {
    const { rows } = await this.#probe.query<{ is_standby: boolean; position: string | null }>(
      `select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position`,
    )
    if (!rows[0]?.is_standby) throw new Error('it is no replica')
    if (!(await this.#isOfPrimary())) throw new Error('it is a replica of another database')
    return BigInt(rows[0].position ?? 0)
  }

  async #isOfPrimary(): Promise<boolean> {
    if (this.#isRightDatabase) return true
    const primary = await this.#identity
    const own = primary && (await this.#probe.query<{ identity: string }>(IDENTITY)).rows[0]?.identity
    this.#isRightDatabase = own === primary
    return this.#isRightDatabase
  }

  #note(trouble: string | undefined): void {
    if (trouble !== undefined) {
      this.#progress.reset()
      // Another server may answer at this address the next time.
      this.#isRightDatabase = false
    }
    if (trouble === this.#trouble || this.#isClosed) return
    this.#trouble = trouble
    if (trouble === undefined) this.#log.info({ replica: this.#name }, 'a replica is used')
    else this.#log.warn({ replica: this.#name, reason: trouble }, 'a replica is not used')
  }
}

const reasonOf = (error: Error) => error.message || String((error as NodeJS.ErrnoException).code)

/** Without what the log should not hold. */
function nameOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host}${pathname}`
}
