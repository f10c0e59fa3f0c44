import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction as KyselyTransaction,
  type TransactionBuilder,
} from 'kysely'
import pg from 'pg'
import type { DB } from './types.generated.ts'

export type Database = Kysely<DB>

/** The database inside of a transaction, for functions that must not run outside of one. */
export type Transaction = KyselyTransaction<DB>

/** Receives the ids of one transaction in `catalogue_changes`: scripts, and 0 for a profile or a giveaway. */
export type CommitListener = (scriptIds: readonly number[]) => void

/**
 * Calls `onCommit` before `transaction().execute()` resolves, so that a request never reads its own write from a stale cache.
 * A single statement outside a transaction does not call it: its changes arrive through the feed.
 */
export function openDatabase(pool: pg.Pool, onCommit?: CommitListener): Database {
  return new RetryingKysely({
    dialect: onCommit ? new ChangeReportingDialect(pool, onCommit) : new PostgresDialect({ pool }),
  })
}

/** SQLSTATE `deadlock_detected`: PostgreSQL rolled this transaction back so that the other one can go on. */
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 4
/** Without a pause, a transaction may take its locks again before the other one has got them. */
const PAUSE_MS = 20

/** Repeats a transaction after a deadlock. Effects outside of the transaction must be harmless if they happen twice. */
class RetryingKysely extends Kysely<DB> {
  override transaction(): TransactionBuilder<DB> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async (callback) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await execute(callback)
        } catch (error) {
          if ((error as { code?: unknown }).code !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
          await sleep(attempt * PAUSE_MS * (1 + Math.random()))
        }
      }
    }
    return builder
  }
}

class ChangeReportingDialect extends PostgresDialect {
  readonly #pool: PostgresPool
  readonly #onCommit: CommitListener

  constructor(pool: pg.Pool, onCommit: CommitListener) {
    super({ pool })
    this.#pool = poolWithSingleResults(pool)
    this.#onCommit = onCommit
  }

  override createDriver(): PostgresDriver {
    return new ChangeReportingDriver(this.#pool, this.#onCommit)
  }
}

// Both statements are sent in one round trip, because row locks last until the commit. In an aborted transaction the first
// one fails, which rolls back.
const COMMIT = CompiledQuery.raw(
  `select distinct script_id from catalogue_changes where transaction_id = pg_current_xact_id_if_assigned(); commit`,
)

/** The transaction may or may not be committed. The code is SQLSTATE `transaction_resolution_unknown`. */
class UnconfirmedCommitError extends Error {
  readonly code = '08007'
}

/** SQLSTATE classes of a connection that broke and a server that stopped. */
const LOST = /^(08|57P)/

const isLost = (error: unknown) => !(error instanceof pg.DatabaseError) || LOST.test(error.code ?? '')

class ChangeReportingDriver extends PostgresDriver {
  readonly #onCommit: CommitListener

  constructor(pool: PostgresPool, onCommit: CommitListener) {
    super({ pool })
    this.#onCommit = onCommit
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { rows } = await connection.executeQuery<{ script_id: number }>(COMMIT).catch((error: Error) => {
      throw isLost(error) ? new UnconfirmedCommitError(error.message, { cause: error }) : error
    })
    if (rows.length > 0) this.#onCommit(rows.map((row) => row.script_id))
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    // On a broken connection this fails as well, and Kysely would throw that error instead of the original one. The
    // connection is not used again.
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

/** The pool, with the rows of the first statement as the result of COMMIT: pg returns one result for each statement. */
function poolWithSingleResults(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      return {
        release: (destroy?: boolean) => client.release(destroy),
        query: (sql: string, parameters: unknown[]) =>
          sql === COMMIT.sql ? queryFirst(client, sql) : client.query(sql, parameters),
      } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
}

async function queryFirst(client: pg.PoolClient, sql: string): Promise<pg.QueryResult | undefined> {
  const results = (await client.query(sql)) as unknown as pg.QueryResult[]
  return results[0]
}
