import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AdminStats } from '#contract/admin.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { getBackupState } from '#server/operations/backup/runs.ts'
import { getWalArchiveState } from '#server/operations/wal-archive/scheduled.ts'

const PACKAGE = path.resolve(import.meta.dirname, '../../../package.json')
const ENVIRONMENTS: Record<Config['appEnv'], string> = { production: 'Production', local: 'Local' }
/** Number of requests that wait for a connection above which the database counts as busy. */
const BUSY_WAITING = 8

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
  return version
}

export interface SystemOptions {
  db: Database
  pool: pg.Pool
  config: Pick<Config, 'appEnv' | 'walArchive'>
  findBackup: () => Config['backup']
  /** When the site started, in ISO 8601; the start of this process by default. */
  startedAt?: string | undefined
}

export function createSystemStatus({ db, pool, config, findBackup, startedAt }: SystemOptions) {
  const started_at = startedAt ?? new Date(Date.now() - process.uptime() * 1000).toISOString()
  const version = readVersion()
  return async (): Promise<AdminStats['system']> => {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
    const backup = await getBackupState(db, findBackup())
    const archive = await getWalArchiveState(db, config.walArchive)
    return {
      environment: ENVIRONMENTS[config.appEnv],
      version: await version,
      started_at,
      database: pool.waitingCount >= BUSY_WAITING ? 'Busy' : 'Operational',
      database_version: `PostgreSQL ${rows[0]?.version ?? ''}`.trim(),
      backup: backup && {
        verified_at: backup.verifiedAt?.toISOString() ?? null,
        is_late: backup.isLate,
        error: backup.error,
      },
      wal_archive: archive && {
        archived_at: archive.archivedAt?.toISOString() ?? null,
        is_failing: archive.isFailing,
        waiting: archive.waiting,
        base_at: archive.base.verifiedAt?.toISOString() ?? null,
        error: archive.base.error,
      },
    }
  }
}
