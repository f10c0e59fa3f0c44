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
import { Replicas } from './replicas.ts'
import type { DB } from './types.generated.ts'

/** Where is read what may be a second old: what visitors see and nobody's decision depends on. */
export interface Reads {
  db: Database
  /** To be told before anything made from an older state is thrown away: nothing older is read from then on. */
  recordChange(): void
  close(): Promise<void>
}

interface ReadsOptions {
  db: Database
  pool: pg.Pool
  replicaUrls: readonly string[]
  log: FastifyBaseLogger
}

/** Without replicas it is the database itself. */
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

/** Each statement goes where it may at that moment. What fails on a replica is asked of the primary. */
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
    const found: pg.QueryResult = await this.#pool.query(sql, [...parameters])
    return found
  }

  streamQuery(): never {
    throw new Error('Reads are not streamed.')
  }
}

class ReadDriver implements Driver {
  readonly #connection: ReadConnection

  constructor(connection: ReadConnection) {
    this.#connection = connection
  }

  acquireConnection = () => Promise.resolve(this.#connection)
  // Its statements would end up on several connections.
  beginTransaction = () => Promise.reject(new Error('A transaction belongs on the primary.'))
  commitTransaction = () => this.beginTransaction()
  rollbackTransaction = () => Promise.resolve()
  init = () => Promise.resolve()
  releaseConnection = () => Promise.resolve()
  destroy = () => Promise.resolve()
}
