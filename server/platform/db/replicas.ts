import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type BoundedPool, openPool, openPoolLike, type QueryListener } from './pool.ts'

const CHECK_INTERVAL_MS = 500
const PRIMARY_TIMEOUT_MS = 2000
/** A replica that does not answer in this time is not used; the primary answers instead. */
const REPLICA_TIMEOUT_MS = 5000
/** Data read from a replica is never older than this. */
const MAX_LAG_MS = 1000
/** The same while the primary does not answer, and nothing is known to have changed. */
const MAX_OUTAGE_MS = 30_000
const FIRST_DELAY_MS = 4
const MAX_DELAY_MS = 100

/** SQLSTATE classes for a broken connection, insufficient resources and a shutdown. */
const UNAVAILABLE = /^(08|53|57P)/

/** Identifies a database; the same on a primary and on its replicas. */
const IDENTITY = `select system_identifier || '/' || current_database() as identity from pg_control_system()`

interface ReplayTarget {
  position: bigint
  /** Number of changes that this process knew of before it requested the position. */
  changes: number
  requestedAt: number
}

/**
 * The streaming replicas of the database. One is used only while it has every change that this process knows of, and
 * everything up to a second ago. Both are checked against the log position of the primary, so the machines' clocks do not
 * matter.
 */
export class Replicas {
  readonly #replicas: Replica[]
  /** A separate connection, so that replicas stay usable while all others are busy. */
  readonly #primary: pg.Pool
  readonly #running: Promise<void>
  #changes = 0
  #next = 0
  #isPrimaryAway = false
  #isClosed = false
  #wake: (() => void) | undefined

  constructor(urls: readonly string[], pool: BoundedPool, log: FastifyBaseLogger) {
    this.#primary = openPoolLike(pool, {
      max: 1,
      connectionTimeoutMillis: PRIMARY_TIMEOUT_MS,
      query_timeout: PRIMARY_TIMEOUT_MS,
    })
    const identity = this.#findIdentity()
    const { queryListeners: listeners } = pool
    const size = pool.options.max
    this.#replicas = urls.map((url) => new Replica({ url, size, identity, listeners, log }))
    this.#running = this.#run()
  }

  /** From now on only a replica that has everything the primary has now is used. */
  recordChange(): void {
    this.#changes++
    this.#wake?.()
  }

  choose(): Replica | undefined {
    const maxAgeMs = this.#isPrimaryAway ? MAX_OUTAGE_MS : MAX_LAG_MS
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      this.#next = (this.#next + 1) % this.#replicas.length
      const replica = this.#replicas[this.#next]
      if (replica?.isCurrent(this.#changes, maxAgeMs)) return replica
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
      const changes = this.#changes
      const target = await this.#findTarget(changes).catch(() => undefined)
      this.#isPrimaryAway = target === undefined
      if (target) for (const replica of this.#replicas) replica.waitFor(target)
      // While the primary is unavailable, a change does not trigger an earlier check.
      await this.#pause(target ? changes : undefined)
    }
  }

  async #findTarget(changes: number): Promise<ReplayTarget> {
    const requestedAt = performance.now()
    const { rows } = await this.#primary.query<{ position: string }>(
      `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as position`,
    )
    return { position: BigInt(rows[0]?.position ?? 0), changes, requestedAt }
  }

  #pause(changes: number | undefined): Promise<void> {
    if (this.#isClosed || (changes !== undefined && changes !== this.#changes)) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CHECK_INTERVAL_MS)
      timer.unref()
      this.#wake = () => {
        if (changes === undefined && !this.#isClosed) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #findIdentity(): Promise<string | null> {
    try {
      const { rows } = await this.#primary.query<{ identity: string | null }>(IDENTITY)
      return rows[0]?.identity ?? null
    } catch {
      return null
    }
  }
}

interface ReplicaOptions {
  url: string
  size: number
  /** Identity of the primary; null if its host does not reveal it. */
  identity: Promise<string | null>
  listeners: readonly QueryListener[]
  log: FastifyBaseLogger
}

/** One streaming replica: its connections, and how far it is known to have replayed the log. */
class Replica {
  readonly #name: string
  readonly #log: FastifyBaseLogger
  readonly #pool: BoundedPool
  /** A separate connection for the position, so that reads cannot delay it. */
  readonly #probe: pg.Pool
  readonly #identity: Promise<string | null>
  #reached: ReplayTarget | undefined
  #targets: ReplayTarget[] = []
  #isRightDatabase = false
  #isProbing = false
  #probing: Promise<void> = Promise.resolve()
  #problem: string | undefined = 'not checked yet'
  #isClosed = false

  constructor({ url, size, identity, listeners, log }: ReplicaOptions) {
    const timeouts = { connectionTimeoutMillis: 1000, query_timeout: REPLICA_TIMEOUT_MS, keepAlive: true }
    this.#name = nameOf(url)
    this.#pool = openPool(url, size, timeouts)
    this.#pool.queryListeners.push(...listeners)
    this.#probe = openPool(url, 1, { ...timeouts, query_timeout: 2 * MAX_LAG_MS })
    this.#identity = identity
    this.#log = log
  }

  /** Whether it has this number of changes and everything that was written up to `maxAgeMs` ago. */
  isCurrent(changes: number, maxAgeMs: number): boolean {
    return this.#reached?.changes === changes && performance.now() - this.#reached.requestedAt < maxAgeMs
  }

  /** Checks in the background until the replica has replayed the log to this position. */
  waitFor(target: ReplayTarget): void {
    this.#targets.push(target)
    if (!this.#isProbing) this.#probing = this.#probeUntilReached()
  }

  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#pool.query(text, [...values])
  }

  /** After a failed query the replica is not used until it was checked again, unless only the query itself was wrong. */
  recordFailure(error: Error): void {
    if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return
    this.#setProblem(reasonOf(error))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#probing
    await Promise.all([this.#pool.end(), this.#probe.end()])
  }

  async #probeUntilReached(): Promise<void> {
    this.#isProbing = true
    for (let delay = FIRST_DELAY_MS; this.#targets.length > 0; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      try {
        const isCurrent = this.#recordPosition(await this.#findPosition())
        if (isCurrent !== undefined) this.#setProblem(isCurrent ? undefined : 'too far behind')
      } catch (error) {
        this.#setProblem(reasonOf(error as Error))
      }
      if (this.#isClosed || this.#targets.length === 0) break
      await sleep(delay)
    }
    this.#isProbing = false
  }

  /** Returns whether the replica is current enough, or undefined while that is unknown. */
  #recordPosition(position: bigint): boolean | undefined {
    const oldest = performance.now() - MAX_LAG_MS
    const firstMissing = this.#targets.findIndex((target) => target.position > position)
    const reached = this.#targets.splice(0, firstMissing < 0 ? this.#targets.length : firstMissing).at(-1)
    if (reached) this.#reached = reached
    if (this.#targets.some(({ requestedAt }) => requestedAt <= oldest)) return false
    return reached && reached.requestedAt > oldest ? true : undefined
  }

  /** Throws if the server is not a replica of the primary. */
  async #findPosition(): Promise<bigint> {
    const { rows } = await this.#probe.query<{ is_standby: boolean; position: string | null }>(
      `select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position`,
    )
    if (!rows[0]?.is_standby) throw new Error('not a replica')
    if (!(await this.#isOfPrimary())) throw new Error('a replica of another database')
    return BigInt(rows[0].position ?? 0)
  }

  async #isOfPrimary(): Promise<boolean> {
    if (this.#isRightDatabase) return true
    const primary = await this.#identity
    const own = primary && (await this.#probe.query<{ identity: string }>(IDENTITY)).rows[0]?.identity
    this.#isRightDatabase = own === primary
    return this.#isRightDatabase
  }

  #setProblem(problem: string | undefined): void {
    if (problem !== undefined) {
      this.#reached = undefined
      this.#targets = []
      // Another server may answer at this URL next time.
      this.#isRightDatabase = false
    }
    if (problem === this.#problem || this.#isClosed) return
    this.#problem = problem
    if (problem === undefined) this.#log.info({ replica: this.#name }, 'replica enabled')
    else this.#log.warn({ replica: this.#name, reason: problem }, 'replica disabled')
  }
}

const reasonOf = (error: Error) => error.message || String((error as NodeJS.ErrnoException).code)

/** The host and the database, without credentials. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
