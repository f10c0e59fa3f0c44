import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { type BoundedPool, openPool } from '#server/db/pool.ts'

export interface TestDatabase {
  connection: EmbeddedPostgres['connection']
  pool: BoundedPool
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

/** Clones a migrated, empty database. `drop` it after the tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection: server, template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnce(server, `create database ${name} template ${template} strategy file_copy`)
  const connection = { ...server, database: name }
  const pool = openPool(connection)
  return {
    connection,
    pool,
    drop: async () => {
      await pool.end()
      await runOnce(server, `drop database ${name} with (force)`)
    },
  }
}

async function runOnce(server: EmbeddedPostgres['connection'], sql: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(sql)
  await client.end()
}
