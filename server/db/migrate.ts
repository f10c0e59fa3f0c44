import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { UserFacingError } from '#server/config/values.ts'
import { prepareJobTables } from './job-tables.ts'

const folder = path.resolve(import.meta.dirname, '../../db/migrations')
/** Session lock of a process that changes the schema: one that migrates or restores a backup. */
export const SCHEMA_LOCK = 7_301_146
const CREATE_TABLE =
  'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The migrations of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Names of the migrations that a database does not have yet. Throws UserFacingError if an applied migration was changed. */
export async function findMissingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`)
  const applied = rows[0]?.exists ? await findApplied(pool) : new Map<string, string>()
  return (await readMigrations()).filter((migration) => !isApplied(migration, applied)).map(({ name }) => name)
}

/** Checksums of the applied migrations by name. */
export async function findApplied(client: Pick<pg.Pool, 'query'>): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

function isApplied({ name, checksum }: Migration, applied: ReadonlyMap<string, string>): boolean {
  const former = applied.get(name)
  if (former === undefined || former === checksum) return former !== undefined
  throw new UserFacingError(
    `The migration ${name} differs from the one that this database has. Start the version of Scriptyard that the database was last used with, or restore the file.`,
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
    await client.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
    await client.query(CREATE_TABLE)
    const applied = await findApplied(client)
    for (const migration of await readMigrations()) if (!isApplied(migration, applied)) await apply(client, migration)
    await prepareJobTables(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SCHEMA_LOCK]).catch(() => {})
    client.release(true)
  }
}

/**
 * Applies those of this version's migrations that are in `names` and missing, in the caller's transaction. Throws
 * UserFacingError if an applied one was changed.
 */
export async function applyMigrations(client: pg.ClientBase, names: ReadonlySet<string>): Promise<void> {
  await client.query(CREATE_TABLE)
  const applied = await findApplied(client)
  for (const migration of await readMigrations()) {
    if (!names.has(migration.name) || isApplied(migration, applied)) continue
    await client.query(migration.sql)
    await insert(client, migration)
    // Otherwise the next migration could not alter tables with pending triggers.
    await client.query('set constraints all immediate; set constraints all deferred')
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await insert(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function insert(client: pg.ClientBase, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}
