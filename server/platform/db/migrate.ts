import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { UserFacingError } from '#server/platform/config/values.ts'
import { hasCurrentJobTables, prepareJobTables } from './job-tables.ts'

const folder = path.resolve(import.meta.dirname, '../../../db/migrations')
/** Session lock of a process that changes the schema: one that migrates or restores a backup. */
export const SCHEMA_LOCK = 7_301_146
const CREATE_TABLE = `create table if not exists migrations
  (name text primary key, checksum text not null, applied_at timestamptz not null default now());
  alter table migrations add column if not exists is_compatible boolean not null default false`
/** A line of a migration. One without it counts as incompatible. */
const COMPATIBILITY = /^-- compatible: (yes|no)$/m
/** For the locks of a compatible migration: statements of requests queue up behind it. */
const LOCK_TIMEOUT_MS = 2000
const LOCK_ATTEMPTS = 20
const LOCK_PAUSE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** Whether processes of the version before work while it is applied and after it (decision 69). */
  isCompatible: boolean
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8')
      const isCompatible = COMPATIBILITY.exec(sql)?.[1] === 'yes'
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), isCompatible }
    }),
  )
}

/** The migrations that a database does not have yet. Throws UserFacingError if an applied migration was changed. */
export async function findMissingMigrations(pool: pg.Pool): Promise<Migration[]> {
  const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`)
  const applied = rows[0]?.exists ? await findApplied(pool) : new Map<string, string>()
  return (await readMigrations()).filter((migration) => !isApplied(migration, applied))
}

/** Throws UserFacingError if processes of the version before cannot work while this version migrates the database. */
export async function requireCompatibleMigrations(pool: pg.Pool): Promise<void> {
  const incompatible = (await findMissingMigrations(pool)).find(({ isCompatible }) => !isCompatible)
  const change = incompatible?.name ?? ((await hasCurrentJobTables(pool)) ? undefined : 'the tables of the job queue')
  if (change === undefined) return
  throw new UserFacingError(
    `This version changes the database in a way that the running version does not support (${change}). Nothing was changed. Stop the site, back it up and start this version.`,
  )
}

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
 * If several processes start at once, one migrates. Throws UserFacingError if an applied migration was changed, if the
 * schema is newer, or if the site is running and does not support a migration.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
    await client.query(CREATE_TABLE)
    const applied = await findApplied(client)
    const migrations = await readMigrations()
    await rejectNewerSchema(client, migrations)
    const missing = migrations.filter((migration) => !isApplied(migration, applied))
    if (applied.size > 0) await rejectRunningSite(client, missing)
    for (const migration of missing) await apply(client, migration)
    await prepareJobTables(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SCHEMA_LOCK]).catch(() => {})
    client.release(true)
  }
}

/** In the caller's transaction. Throws UserFacingError if an applied migration was changed. */
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

async function rejectNewerSchema(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from migrations where not is_compatible and name <> all ($1) order by name limit 1',
    [migrations.map(({ name }) => name)],
  )
  if (!rows[0]) return
  throw new UserFacingError(
    `A newer version changed this database in a way that this version does not support (${rows[0].name}). Start the newer version, or restore a backup of this one.`,
  )
}

/** Sessions of other processes of the site. A pooler's may be idle and named after a process that has ended. */
const FIND_RUNNING = `select from pg_stat_activity
  where datname = current_database() and application_name like 'scriptyard %'
    and application_name not like regexp_replace(current_setting('application_name'), '-[0-9]+$', '') || '-%'
    and (state <> 'idle' or state_change > clock_timestamp() - interval '15 seconds')
  limit 1`

async function rejectRunningSite(client: pg.ClientBase, missing: readonly Migration[]): Promise<void> {
  const incompatible = missing.find(({ isCompatible }) => !isCompatible)
  if (!incompatible || (await client.query(FIND_RUNNING)).rowCount === 0) return
  throw new UserFacingError(
    `This version changes the database in a way that running processes of the site do not support (${incompatible.name}). Nothing was changed. Stop the site on all machines, then start this version.`,
  )
}

/** A compatible migration gives up its place in the queue for a lock every two seconds, so that requests do not wait for it. */
async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin')
    try {
      if (migration.isCompatible) await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query(migration.sql)
      await insert(client, migration)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      if (attempt === LOCK_ATTEMPTS) throw toLockError(migration)
    }
    await sleep(LOCK_PAUSE_MS)
  }
}

const toLockError = ({ name }: Migration) =>
  new UserFacingError(
    `The migration ${name} cannot lock its tables, because other transactions use them. Try again later.`,
  )

async function insert(client: pg.ClientBase, { name, checksum, isCompatible }: Migration): Promise<void> {
  await client.query('insert into migrations (name, checksum, is_compatible) values ($1, $2, $3)', [
    name,
    checksum,
    isCompatible,
  ])
}
