import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { NamedClient, SilenceDetector, type SilenceEvent, type SilenceLimits, StandbyError } from './silence.ts'

/** bigint as a number: counts fit in a double, and ids are int4. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export const STATEMENT_TIMEOUT_MS = 20_000

export type Connection = string | { host: string; user: string; database: string }

/** For getting an idle connection. Long, because many members write at once when a giveaway opens. */
const CONNECT_TIMEOUT_MS = 10_000

/** Idle connections send a packet after this time, and are closed ten seconds later if nothing comes back. */
const KEEP_ALIVE_DELAY_MS = 10_000

/** Releases the locks of a vanished client within a minute. The operating system alone takes two hours. */
const SESSION_SETTINGS = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 25_000,
  idle_in_transaction_session_timeout: 60_000,
}
/** Longer, because a statement may wait in the pooler, where `pg_stat_activity` does not show it. */
const POOLER_PROBE_TIMEOUT_MS = 3000

/** For commands and background work, which wait for a slow server instead of failing. */
export const SLOW_SERVER: Partial<SilenceLimits> = { probeTimeoutMs: 30_000 }

export interface PoolOverrides extends pg.PoolConfig {
  /** A pooler rejects startup parameters that it does not know, so it has to set timeouts itself. */
  isPooler?: boolean
  /** Rejects connections to a replica: they would read old data, and fail to write. Like libpq's `target_session_attrs=primary`. */
  needsPrimary?: boolean
  silence?: Partial<SilenceLimits>
}

/** A small pool: with more connections, queries would only wait inside PostgreSQL. */
export function openPool(
  connection: Connection,
  size = MAX_POOL,
  { isPooler = false, needsPrimary = false, silence, ...overrides }: PoolOverrides = {},
): BoundedPool {
  const config: pg.PoolConfig = {
    ...configOf(connection, isPooler ? {} : SESSION_SETTINGS),
    types,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: !isPooler && STATEMENT_TIMEOUT_MS,
    application_name: 'scriptyard',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...(needsPrimary && { verify: requirePrimary }),
    ...overrides,
  }
  const limits = { ...(isPooler && { probeTimeoutMs: POOLER_PROBE_TIMEOUT_MS }), ...silence }
  return ignoreConnectionErrors(new BoundedPool(config, MAX_WAITING, limits))
}

const requirePrimary: pg.PoolConfig['verify'] = (client, done) => {
  const isStandby = client instanceof NamedClient && client.isStandby
  done(isStandby ? new StandbyError() : undefined)
}

export function openPoolLike(pool: pg.Pool, overrides: pg.PoolConfig): pg.Pool {
  return ignoreConnectionErrors(new pg.Pool({ ...optionsLike(pool), ...overrides }))
}

/** Options for a connection like those of a pool. A pool's password is not enumerable, so a spread does not copy it. */
export function optionsLike({ options }: pg.Pool): pg.ClientConfig {
  const { Client: _class, ...plain }: pg.PoolConfig = options
  return options.password === undefined ? plain : { ...plain, password: options.password }
}

/** Like `optionsLike`, but without functions, so that a child process can receive it. */
export function optionsForChild(pool: pg.Pool): pg.ClientConfig {
  const { types: _functions, ...options } = optionsLike(pool)
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== 'function'))
}

// A broken connection fails its query and is replaced on the next use. It also emits an error event, on the pool if it is
// idle and on itself otherwise, which would end the process without a listener.
function ignoreConnectionErrors<Pool extends pg.Pool>(pool: Pool): Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function configOf(connection: Connection, settings: Record<string, number>): pg.PoolConfig {
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  if (typeof connection !== 'string') return { ...connection, options: flags.join(' ') }
  const url = new URL(connection)
  const own = url.searchParams.get('options')
  if (own === null) return { connectionString: connection, options: flags.join(' ') }
  // Options in a URL would replace ours. The last value of a setting wins.
  url.searchParams.set('options', [...flags, own].join(' '))
  return { connectionString: url.href }
}

const MAX_POOL = 8
const MIN_POOL = 3
/** Connections of all processes of a machine together, as long as that gives each process `MIN_POOL`. */
const POOL_BUDGET = 32
/** Connections of a process outside its pool: for notifications, for jobs, and to read the catalogue into the index. */
const EXTRA_CONNECTIONS = 3
/** For startup, for an operator, and for lost connections that PostgreSQL still counts. */
const SPARE_CONNECTIONS = 10
const MIN_CONNECTIONS = 50

export function poolSize(workers: number): number {
  return Math.min(MAX_POOL, Math.max(MIN_POOL, Math.floor(POOL_BUDGET / workers)))
}

export function maxConnections(workers: number): number {
  return Math.max(MIN_CONNECTIONS, workers * (poolSize(workers) + EXTRA_CONNECTIONS) + SPARE_CONNECTIONS)
}

export interface QueryListener {
  /** Called when a statement is sent. The returned function is called when it has ended. */
  onQuery(statement: string): (error?: unknown) => void
  onConnection(waitedMs: number): void
}

type Callback = (error: unknown, ...results: unknown[]) => void

function observeQueries(client: pg.Client, listeners: readonly QueryListener[]): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  const observed = (...args: unknown[]): unknown => {
    const [statement] = args
    if (typeof statement !== 'string' || listeners.length === 0) return send(...args)
    const ends = listeners.map((listener) => listener.onQuery(statement))
    const end = (error?: unknown) => {
      for (const onEnd of ends) onEnd(error)
    }
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      return send(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
        end(error)
        ;(callback as Callback)(error, ...results)
      })
    }
    const result = send(...args)
    if (result instanceof Promise) result.then(() => end(), end)
    return result
  }
  client.query = observed as typeof client.query
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void

/** More requests than this would time out before they get a connection. */
const MAX_WAITING = 4000

/** With PostgreSQL's code for `too_many_connections`. */
class TooManyWaiting extends Error {
  readonly code = '53300'
}

const ignoreRelease = () => {}

/**
 * A pool with a bounded queue that replaces silent connections. A request that finds the queue full, or a database that does
 * not answer at all, fails at once.
 */
export class BoundedPool extends pg.Pool {
  report: (event: SilenceEvent) => void = () => {}
  readonly queryListeners: QueryListener[] = []
  readonly #maxWaiting: number
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #lent = new Set<pg.Client>()
  readonly #silence: SilenceDetector

  constructor(config: pg.PoolConfig, maxWaiting = MAX_WAITING, silence: Partial<SilenceLimits> = {}) {
    super({ ...config, Client: NamedClient })
    this.#maxWaiting = maxWaiting
    this.#silence = new SilenceDetector(
      {
        options: () => optionsLike(this),
        countWaiting: () => this.#waiting.size,
        isIdle: (client) => !this.#lent.has(client),
        onOutage: (error) => {
          for (const reject of this.#waiting) reject(error)
        },
        report: (event) => this.report(event),
      },
      silence,
    )
    this.on('connect', (client) => {
      this.#silence.watch(client)
      observeQueries(client, this.queryListeners)
    })
    this.on('acquire', (client) => this.#lent.add(client))
    this.on('release', (_error, client) => this.#lent.delete(client))
    this.on('remove', (client) => this.#lent.delete(client))
  }

  /** Whether the database answers nothing, not even a new connection. */
  get isSilent(): boolean {
    return this.#silence.outage !== undefined
  }

  /** Rises when the database answers anything. */
  get answers(): number {
    return this.#silence.answers
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (callback) return this.#lend(callback)
    return new Promise((resolve, reject) => {
      this.#lend((error, client) => (client ? resolve(client) : reject(error)))
    })
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | void {
    this.#silence.close()
    return callback ? super.end(callback) : super.end()
  }

  #lend(callback: ConnectCallback): void {
    const failure = this.#silence.outage ?? this.#findOverload()
    if (failure) return callback(failure, undefined, ignoreRelease)
    const startedAt = performance.now()
    // A connection that another caller gives back arrives as part of that caller's work.
    const runForCaller = AsyncLocalStorage.snapshot()
    let isSettled = false
    const settle: ConnectCallback = (error, client, release) => {
      if (isSettled) {
        // In another turn: thousands of callers that gave up would release the client recursively.
        if (client) setImmediate(release)
        return
      }
      isSettled = true
      this.#waiting.delete(reject)
      runForCaller(() => {
        if (client) for (const listener of this.queryListeners) listener.onConnection(performance.now() - startedAt)
        callback(error, client, release)
      })
    }
    const reject = (error: Error) => settle(error, undefined, ignoreRelease)
    this.#waiting.add(reject)
    this.#silence.start()
    super.connect(settle)
  }

  #findOverload(): Error | undefined {
    const { size } = this.#waiting
    if (size < this.#maxWaiting) return undefined
    return new TooManyWaiting(`${size} requests are already waiting for a connection`)
  }
}
