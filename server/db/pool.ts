import pg from 'pg'
import { BoundedPool } from './bounded-pool.ts'

/** Counts fit in a double; ids are int4. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export const STATEMENT_TIMEOUT_MS = 20_000

export type Connection = string | { host: string; user: string; database: string }

/** How long who writes waits for a turn: many come at once when a giveaway opens. A new connection has as long. */
const CONNECT_TIMEOUT_MS = 10_000

/** A small pool: more connections than this gain nothing, they only queue inside PostgreSQL. */
export function openPool(connection: Connection, size = 8, special: pg.PoolConfig = {}): pg.Pool {
  return listened(
    new BoundedPool({
      ...where(connection),
      types,
      max: size,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'scriptyard',
      ...special,
    }),
  )
}

/** One beside a pool, to the same database in the same way. */
export function openPoolLike(pool: pg.Pool, special: pg.PoolConfig): pg.Pool {
  return listened(new pg.Pool({ ...optionsLike(pool), ...special }))
}

/** For a connection of its own like those of a pool, which hides its password from being copied. */
export function optionsLike({ options }: pg.Pool): pg.ClientConfig {
  return options.password === undefined ? { ...options } : { ...options, password: options.password }
}

// A connection that breaks fails its query and is replaced on the next use. It also says so in an event, which without a
// listener would end the process: on the pool while it is idle, on itself while a query has it.
function listened(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function where(connection: Connection): pg.PoolConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection
}
