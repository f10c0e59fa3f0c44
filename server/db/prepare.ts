import type pg from 'pg'
import type { DatabaseSettings } from '#server/config/database.ts'
import { SettingError } from '#server/config/setting-error.ts'
import { requireDurability, requireTimeLimit } from './health.ts'
import { migrate } from './migrate.ts'
import { type Connection, openPool } from './pool.ts'

/** Where the server itself is when a pooler stands in front of it, on whose connections no lock and no setting lasts. */
type Behind = Pick<DatabaseSettings, 'databaseDirectUrl'>

/** Opens the pool that requests are served from. */
export function openSitePool(connection: Connection, { databaseDirectUrl }: Behind, size?: number): pg.Pool {
  // A pooler refuses a setting that it does not know, and has to set it by itself.
  return openPool(connection, size, databaseDirectUrl ? { statement_timeout: false } : {})
}

/**
 * Checks a database that is not our own and brings it up to date. Throws `SettingError` with what the person who starts
 * the server can mend.
 */
export async function prepareForeignDatabase(pool: pg.Pool, { databaseDirectUrl }: Behind): Promise<void> {
  const direct = databaseDirectUrl ? openPool(databaseDirectUrl, 2) : pool
  try {
    await requireDurability(direct)
    // Before the migrations, whose lock would not hold at a pooler that nobody told us of.
    await explaining('DATABASE_URL', () => requireTimeLimit(pool, { isPooler: direct !== pool }))
    await migrate(direct)
  } catch (error) {
    throw explain(databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', error as Error)
  } finally {
    if (direct !== pool) await direct.end()
  }
}

async function explaining(setting: string, run: () => Promise<void>): Promise<void> {
  await run().catch((error: Error) => {
    throw explain(setting, error)
  })
}

function explain(setting: string, error: Error): Error {
  if (error instanceof SettingError) return error
  const reason = error.message || (error as NodeJS.ErrnoException).code
  const advice = /unsupported startup parameter/.test(error.message)
    ? 'it is a pooler, so set DATABASE_DIRECT_URL to the server itself'
    : 'check it and start again'
  return new SettingError(setting, `names a database that cannot be used (${reason}); ${advice}.`)
}
