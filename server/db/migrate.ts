import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { UserFacingError } from '#server/config/values.ts'
import { prepareJobTables } from './job-tables.ts'

const folder = path.resolve(import.meta.dirname, '../../db/migrations')
const LOCK = 7_301_146

interface Migration {
  name: string
  sql: string
  checksum: string
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies the migrations that are missing, in order, each in a transaction, and those of the job queue. If several
 * processes start at once, one migrates and the others wait. Throws UserFacingError if an applied migration was changed.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.checksum]))
    for (const migration of await readMigrations()) await apply(client, migration, applied.get(migration.name))
    await prepareJobTables(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    client.release(true)
  }
}

async function apply(client: pg.PoolClient, migration: Migration, checksum: string | undefined): Promise<void> {
  if (checksum === migration.checksum) return
  if (checksum) {
    throw new UserFacingError(
      `The migration ${migration.name} differs from the one that this database has. Start the version of Scriptyard that the database was last used with, or restore the file.`,
    )
  }
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
