import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AdminStats } from '#contract/admin.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'

const PACKAGE = path.resolve(import.meta.dirname, '../../../package.json')
const ENVIRONMENTS: Record<Config['appEnv'], string> = { production: 'Production', local: 'Local' }
/** So many requests waiting for a connection are not chance. */
const BUSY = 8

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
  return version
}

/** Gives what tells of this process and its database at the moment of the call. */
export function watchSystem({ db, pool, appEnv }: { db: Database; pool: pg.Pool; appEnv: Config['appEnv'] }) {
  const started_at = new Date(Date.now() - process.uptime() * 1000).toISOString()
  const version = readVersion()
  return async (): Promise<AdminStats['system']> => {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
    return {
      environment: ENVIRONMENTS[appEnv],
      version: await version,
      started_at,
      database: pool.waitingCount >= BUSY ? 'Busy' : 'Operational',
      database_version: `PostgreSQL ${rows[0]?.version ?? ''}`.trim(),
    }
  }
}
