import type pg from 'pg'
import { SettingError } from '#server/platform/config/values.ts'
import { migrate } from './migrate.ts'
import { type BoundedPool, type Connection, openPool, STATEMENT_TIMEOUT_MS } from './pool.ts'

interface PoolerSettings {
  /** The server itself if the connection leads to a pooler, which preserves neither session locks nor settings. */
  databaseDirectUrl?: string
}

/** Sessions that prepare a start have another name than those of running processes, which `migrate` looks for. */
const PREPARING = { application_name: 'scriptyard-start', needsPrimary: true }

export function openSitePool(
  connection: Connection,
  { databaseDirectUrl }: PoolerSettings,
  size?: number,
): BoundedPool {
  return openPool(connection, size, { isPooler: databaseDirectUrl !== undefined, needsPrimary: true })
}

export function openPreparingPool(connection: Connection, { databaseDirectUrl }: PoolerSettings): BoundedPool {
  return openPool(connection, undefined, { isPooler: databaseDirectUrl !== undefined, ...PREPARING })
}

/** Checks an external database and migrates it. Throws `SettingError` for what the operator can fix. */
export async function prepareExternalDatabase(pool: pg.Pool, { databaseDirectUrl }: PoolerSettings): Promise<void> {
  const direct = databaseDirectUrl ? openPool(databaseDirectUrl, 2, PREPARING) : pool
  try {
    await requireDurability(direct)
    // Before the migrations: their session lock would not work through an undeclared pooler.
    await withSettingError('DATABASE_URL', () => requireTimeLimit(pool, { isPooler: direct !== pool }))
    await migrate(direct)
  } catch (error) {
    throw toSettingError(databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', error as Error)
  } finally {
    if (direct !== pool) await direct.end()
  }
}

async function withSettingError(setting: string, run: () => Promise<void>): Promise<void> {
  await run().catch((error: Error) => {
    throw toSettingError(setting, error)
  })
}

function toSettingError(setting: string, error: Error): Error {
  if (error instanceof SettingError) return error
  const reason = error.message || (error as NodeJS.ErrnoException).code
  const advice = /unsupported startup parameter/.test(error.message)
    ? 'it is a pooler, so set DATABASE_DIRECT_URL to the server itself'
    : 'check it and start again'
  return new SettingError(setting, `is a database that cannot be used (${reason}); ${advice}.`)
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Throws if the database is configured so that it can lose committed transactions. */
export async function requireDurability(pool: pg.Pool): Promise<void> {
  for (const setting of DURABILITY_SETTINGS) {
    const { rows } = await pool.query<{ value: string }>('select current_setting($1) as value', [setting])
    if (rows[0]?.value === 'off') {
      throw new Error(`The database runs with ${setting}=off and could lose data; set ${setting} to on.`)
    }
  }
  const { rows } = await pool.query<{ is_local: boolean }>(
    `select current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') = 'local' as is_local`,
  )
  if (rows[0]?.is_local) {
    throw new Error(
      'The database has synchronous replicas and runs with synchronous_commit=local, so a failover could lose data; set synchronous_commit to on.',
    )
  }
}

/** Throws SettingError if statements have no time limit, or if an undeclared pooler drops our settings. */
export async function requireTimeLimit(pool: pg.Pool, { isPooler }: { isPooler: boolean }): Promise<void> {
  const { rows } = await pool.query<{ ms: number }>(
    `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
  )
  const ms = rows[0]?.ms ?? 0
  const advice = isPooler
    ? `sets no statement_timeout; configure the pooler to set it (connect_query='set statement_timeout = ${STATEMENT_TIMEOUT_MS}')`
    : 'ignores our statement_timeout, like a pooler; set DATABASE_DIRECT_URL to the server itself'
  if (isPooler ? ms === 0 : ms !== STATEMENT_TIMEOUT_MS) throw new SettingError('DATABASE_URL', `${advice}.`)
}
