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

export interface SystemOptions {
  db: Database
  pool: pg.Pool
  appEnv: Config['appEnv']
  /** Of the site on this machine; of this process unless told. */
  startedAt?: string | undefined
}

/** Gives what tells of the site and its database at the moment of the call, as seen from this process. */
export function createSystemStatus({ db, pool, appEnv, startedAt }: SystemOptions) {
  const started_at = startedAt ?? new Date(Date.now() - process.uptime() * 1000).toISOString()
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
