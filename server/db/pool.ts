import pg from 'pg'

/** bigint as a number: counts fit in a double, and ids are int4. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export const STATEMENT_TIMEOUT_MS = 20_000

export type Connection = string | { host: string; user: string; database: string }

/** For getting an idle or a new connection. Long, because many members write at once when a giveaway opens. */
const CONNECT_TIMEOUT_MS = 10_000

/** A small pool: with more connections, queries would only wait inside PostgreSQL. */
export function openPool(connection: Connection, size = MAX_POOL, overrides: pg.PoolConfig = {}): pg.Pool {
  return ignoreConnectionErrors(
    new BoundedPool({
      ...configOf(connection),
      types,
      max: size,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'scriptyard',
      ...overrides,
    }),
  )
}

/** Another pool for the same database. */
export function openPoolLike(pool: pg.Pool, overrides: pg.PoolConfig): pg.Pool {
  return ignoreConnectionErrors(new pg.Pool({ ...optionsLike(pool), ...overrides }))
}

/** Options for a connection like those of a pool. A pool's password is not enumerable, so a spread does not copy it. */
export function optionsLike({ options }: pg.Pool): pg.ClientConfig {
  return options.password === undefined ? { ...options } : { ...options, password: options.password }
}

// A broken connection fails its query and is replaced on the next use. It also emits an error event, on the pool if it is
// idle and on itself otherwise, which would end the process without a listener.
function ignoreConnectionErrors(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function configOf(connection: Connection): pg.PoolConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection
}

const MAX_POOL = 8
const MIN_POOL = 3
/** Connections of all processes of a machine together, as long as that gives each process `MIN_POOL`. */
const POOL_BUDGET = 32
/** Connections of a process outside its pool: one for notifications, one to read the catalogue into the index. */
const EXTRA_CONNECTIONS = 2
/** For startup, for an operator, and for lost connections that PostgreSQL still counts. */
const SPARE_CONNECTIONS = 10
const MIN_CONNECTIONS = 50

/** Size of the connection pool of each of `workers` processes. */
export function poolSize(workers: number): number {
  return Math.min(MAX_POOL, Math.max(MIN_POOL, Math.floor(POOL_BUDGET / workers)))
}

/** `max_connections` of a PostgreSQL for `workers` processes. */
export function maxConnections(workers: number): number {
  return Math.max(MIN_CONNECTIONS, workers * (poolSize(workers) + EXTRA_CONNECTIONS) + SPARE_CONNECTIONS)
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

/** A pool with a bounded queue: a request that finds it full fails at once instead of after its timeout. */
export class BoundedPool extends pg.Pool {
  readonly #maxWaiting: number

  constructor(config: pg.PoolConfig, maxWaiting = MAX_WAITING) {
    super(config)
    this.#maxWaiting = maxWaiting
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (this.waitingCount < this.#maxWaiting) return callback ? super.connect(callback) : super.connect()
    const error = new TooManyWaiting(`${this.waitingCount} requests are already waiting for a connection`)
    if (!callback) return Promise.reject(error)
    callback(error, undefined, () => {})
  }
}
