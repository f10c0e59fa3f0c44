import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import type { BoundedPool } from '#server/platform/db/pool.ts'
import { openSitePool } from '#server/platform/db/prepare.ts'

export interface TestDatabase {
  connection: EmbeddedPostgres['connection']
  pool: BoundedPool
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

/** Clones a migrated, empty database. `drop` it after the tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${inject('postgres').template} strategy file_copy`)
}

const MIGRATIONS = path.resolve(import.meta.dirname, '../../db/migrations')

/** A database as it was before a migration. `drop` it after the test. */
export async function createDatabaseBefore(migration: string): Promise<TestDatabase> {
  const database = await createDatabase()
  const { pool } = database
  await pool.query('create table migrations (name text, checksum text, applied_at timestamptz default now())')
  const names = (await readdir(MIGRATIONS)).toSorted().filter((name) => name < migration)
  for (const name of names) {
    const sql = await readFile(path.join(MIGRATIONS, name), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    await pool.query(sql)
    await pool.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
  return database
}

/** A database without tables. `drop` it after the test. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase()

async function createDatabase(options = ''): Promise<TestDatabase> {
  const server = inject('postgres').connection
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnce(server, `create database ${name} ${options}`)
  const connection = { ...server, database: name }
  const pool = openSitePool(connection, {})
  return {
    connection,
    pool,
    drop: async () => {
      await pool.end()
      // With force, because a pool ends before its sessions. Their errors need a listener, as openPoolLike adds.
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
