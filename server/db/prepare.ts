import type pg from 'pg'
import { SettingError } from '#server/config/values.ts'
import { requireDurability, requireTimeLimit } from './health.ts'
import { migrate } from './migrate.ts'
import { type Connection, openPool } from './pool.ts'

interface PoolerSettings {
  /** The server itself if the connection leads to a pooler, whose connections keep neither locks nor settings. */
  databaseDirectUrl?: string
}

/** Opens the pool that serves requests. */
export function openSitePool(connection: Connection, { databaseDirectUrl }: PoolerSettings, size?: number): pg.Pool {
  // A pooler rejects startup parameters that it does not know, so it has to set the timeout itself.
  return openPool(connection, size, databaseDirectUrl ? { statement_timeout: false } : {})
}

/** Checks an external database and migrates it. Throws `SettingError` for what the operator can fix. */
export async function prepareForeignDatabase(pool: pg.Pool, { databaseDirectUrl }: PoolerSettings): Promise<void> {
  const direct = databaseDirectUrl ? openPool(databaseDirectUrl, 2) : pool
  try {
    await requireDurability(direct)
    // Before the migrations: their lock does not hold on an undeclared pooler.
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
