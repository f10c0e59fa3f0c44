import { constants } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { SettingError } from '#server/platform/config/values.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { optionsForChild } from '#server/platform/db/pool.ts'
import { type BackupState, readState, recordRun } from '#server/operations/backup/runs.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { runInBackground } from '#server/platform/jobs/background-process.ts'
import { findRanges, readArchive } from './archive.ts'
import { findIdentity } from './wal-files.ts'
import type { BaseResult, BaseTask } from './base-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'base-process.ts')
const EVERY_HOURS = 24
const INSPECT_EVERY_MS = 3_600_000

export interface ScheduledBaseBackupOptions {
  db: Database
  pool: pg.Pool
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  config: Config
  /** Priority of the child process; the lowest by default. */
  priority?: number
  /** Whether to write the checkpoint at once; over minutes by default. */
  isFast?: boolean
}

/** Writes a base backup every day, and at once if the archive has none that leads to its end. Does nothing without WAL_ARCHIVE. */
export class ScheduledBaseBackup {
  readonly #options: ScheduledBaseBackupOptions
  readonly #stop = new AbortController()
  #inspectedAt = -Infinity

  constructor(options: ScheduledBaseBackupOptions) {
    this.#options = options
  }

  /** Never rejects for a base backup that fails: that is recorded and logged. */
  async run(): Promise<void> {
    const { db, log, config, pool, priority = constants.priority.PRIORITY_LOW, isFast = false } = this.#options
    const { walArchive, dataDir } = config
    if (!walArchive) return
    const everyHours = (await this.#needsOne(walArchive)) ? 0 : EVERY_HOURS
    const task: BaseTask = { connection: optionsForChild(pool), walArchive, keyFolder: dataDir, isFast }
    const { signal } = this.#stop
    const result = await recordRun(
      db,
      { kind: 'base', name: new Date().toISOString(), everyHours },
      { signal, write: () => runInBackground<BaseResult>(PROGRAM, task, { signal, priority, stopsItself: true }) },
    )
    if (!result) return
    const { bytes, seconds, error } = result
    if (error === undefined) log.info({ bytes, seconds }, 'base backup written')
    else log.error({ reason: error }, 'base backup failed')
  }

  stop(): void {
    this.#stop.abort()
  }

  /** A new archive has no base backup. Segments are missing after a time without the setting. */
  async #needsOne({ location }: NonNullable<Config['walArchive']>): Promise<boolean> {
    const now = performance.now()
    if (now - this.#inspectedAt < INSPECT_EVERY_MS) return false
    const storage = openStorage(location)
    const ranges = await findRanges(storage, await readArchive(storage))
    this.#inspectedAt = now
    return ranges.at(-1)?.missing !== undefined || ranges.length === 0
  }
}

/** Throws SettingError if the archive is of another database. An archive that cannot be reached prevents no start. */
export async function requireOwnArchive(pool: pg.Pool, walArchive: Config['walArchive']): Promise<void> {
  if (!walArchive) return
  const storage = openStorage(walArchive.location)
  const identity = await findIdentity(storage).catch(() => undefined)
  const { rows } = await pool.query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
  if (identity === undefined || identity === rows[0]?.id) return
  throw new SettingError(
    'WAL_ARCHIVE',
    `(${storage.location}) has the archive of another database; set it to a new place.`,
  )
}

export interface WalArchiveState {
  archivedAt: Date | null
  isFailing: boolean
  /** Segments that wait on the disk of the database. */
  waiting: number
  base: BackupState
}

/** Null without the setting WAL_ARCHIVE. */
export async function getWalArchiveState(
  db: Database,
  walArchive: Config['walArchive'],
): Promise<WalArchiveState | null> {
  if (!walArchive) return null
  const { archivedAt, isFailing, waiting } = await readArchiver(db)
  return { archivedAt, isFailing, waiting, base: await readState(db, 'base', EVERY_HOURS) }
}

export async function readArchiver(db: Database): Promise<Omit<WalArchiveState, 'base'>> {
  const { rows } = await sql<{ archived_at: Date | null; is_failing: boolean; waiting: number }>`select
    last_archived_time as archived_at,
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing,
    (select count(*) from pg_ls_archive_statusdir() where name like '%.ready')::int as waiting
    from pg_stat_archiver`.execute(db)
  const { archived_at = null, is_failing = false, waiting = 0 } = rows[0] ?? {}
  return { archivedAt: archived_at, isFailing: is_failing, waiting }
}
