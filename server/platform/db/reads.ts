import type { FastifyBaseLogger } from 'fastify'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'
import type { BoundedPool } from './pool.ts'
import { Replicas } from './replicas.ts'
import type { DB } from './types.generated.ts'

/** Reads that may be a second old, for data that visitors see and no decision depends on. */
export interface Reads {
  db: Database
  /** Call it before invalidating cached data: later reads are at least as new as this call. */
  recordChange(): void
  close(): Promise<void>
}

interface ReadsOptions {
  db: Database
  pool: BoundedPool
  replicaUrls: readonly string[]
  log: FastifyBaseLogger
}

export function openReads({ db, pool, replicaUrls, log }: ReadsOptions): Reads {
  if (replicaUrls.length === 0) return { db, recordChange: () => {}, close: () => Promise.resolve() }
  const replicas = new Replicas(replicaUrls, pool, log)
  const dialect = new PostgresDialect({ pool })
  const driver = new ReadDriver(new ReadConnection(replicas, pool))
  return {
    db: new Kysely<DB>({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createIntrospector: (kysely) => dialect.createIntrospector(kysely),
        createQueryCompiler: () => dialect.createQueryCompiler(),
        createDriver: () => driver,
      },
    }),
    recordChange: () => replicas.recordChange(),
    close: () => replicas.close(),
  }
}

/** Sends each statement to a current replica, or to the primary if there is none or the replica fails. */
class ReadConnection implements DatabaseConnection {
  readonly #replicas: Replicas
  readonly #pool: pg.Pool

  constructor(replicas: Replicas, pool: pg.Pool) {
    this.#replicas = replicas
    this.#pool = pool
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const replica = this.#replicas.choose()
    if (replica) {
      try {
        return await replica.query(sql, parameters)
      } catch (error) {
        replica.recordFailure(error as Error)
      }
    }
    const result: pg.QueryResult = await this.#pool.query(sql, [...parameters])
    return result
  }

  streamQuery(): never {
    throw new Error('Reads do not support streaming.')
  }
}

class ReadDriver implements Driver {
  readonly #connection: ReadConnection

  constructor(connection: ReadConnection) {
    this.#connection = connection
  }

  acquireConnection = () => Promise.resolve(this.#connection)
  // Its statements would run on several connections.
  beginTransaction = () => Promise.reject(new Error('A transaction needs the primary.'))
  commitTransaction = () => this.beginTransaction()
  rollbackTransaction = () => Promise.resolve()
  init = () => Promise.resolve()
  releaseConnection = () => Promise.resolve()
  destroy = () => Promise.resolve()
}
