import pg from 'pg'
import { WaitingPool } from './waiting-pool.ts'

/** Counts fit in a double; ids are int4. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export type Connection = string | { host: string; user: string; database: string }

/** How long who writes waits for a turn: many come at once when a giveaway opens. A new connection has as long. */
const LONGEST_WAIT_MS = 10_000

/** A small pool: more connections than this gain nothing, they only queue inside PostgreSQL. */
export function openPool(connection: Connection, size = 8): pg.Pool {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  const pool = new WaitingPool({
    ...where,
    types,
    max: size,
    connectionTimeoutMillis: LONGEST_WAIT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: 20_000,
    application_name: 'scriptyard',
  })
  // A connection that breaks fails its query and is replaced on the next use. It also says so in an event, which without
  // a listener would end the process: on the pool while it is idle, on itself while a query has it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
