// The scheduled backup: writes, verifies and records one when it is due, removes old ones, and notifies admins of failures.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { optionsLike } from '#server/db/pool.ts'
import { isActive } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { ScheduledResult, ScheduledTask } from './scheduled-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'scheduled-process.ts')
/** One thread for garbage collection, which would otherwise run with the priority that the process started with. */
const NODE_OPTIONS = ['--single-threaded-gc', '--v8-pool-size=1']
const NAME = /^backup-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/
const UNVERIFIED = '.unverified'
/** Between two attempts, also of several machines. */
const RETRY_AFTER = sql`interval '1 hour'`
const RECORDED_FOR = sql`interval '400 days'`
const MAX_ERROR_LENGTH = 500
/** For the child process to stop its PostgreSQL. */
const STOP_TIMEOUT_MS = 8000
/** A backup is late after so many periods. */
const LATE_AFTER = 2
const HOUR_MS = 3_600_000

export interface ScheduledBackupOptions {
  db: Database
  pool: pg.Pool
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  config: Pick<Config, 'dataDir' | 'mediaS3'>
  /** Undefined if none is wanted now. */
  findBackup: () => Config['backup']
  /** Of the child process; the lowest by default. */
  priority?: number
}

/** Writes a backup when it is due. Does nothing without a target. */
export class ScheduledBackup {
  readonly #options: ScheduledBackupOptions
  readonly #stop = new AbortController()

  constructor(options: ScheduledBackupOptions) {
    this.#options = options
  }

  /** Never rejects for a backup that fails: that is recorded and logged. */
  async run(): Promise<void> {
    const { db, log, findBackup } = this.#options
    const backup = findBackup()
    if (!backup) return
    const name = `backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const id = await startRun(db, name, backup.everyHours)
    if (id === undefined) return
    const target = path.join(backup.target, name)
    const started = performance.now()
    const { bytes = null, error = null } = await this.#write(target).catch((reason: Error): ScheduledResult => ({
      error: reason.message,
    }))
    if (this.#stop.signal.aborted) return
    const seconds = (performance.now() - started) / 1000
    const text = error?.slice(0, MAX_ERROR_LENGTH) || null
    await sql`update backups set seconds = ${seconds}, bytes = ${bytes}, error = ${text},
      verified_at = ${error === null ? sql`now()` : null} where id = ${id}`.execute(db)
    if (error === null) {
      log.info({ name, bytes, seconds }, 'backup written and verified')
      await removeOld(backup)
      await sql`delete from backups where started_at < now() - ${RECORDED_FOR}`.execute(db)
    } else {
      log.error({ name, reason: error }, 'backup failed')
      await rename(target, `${target}${UNVERIFIED}`).catch(() => {})
      await notifyAdmins(db, id, error)
    }
  }

  /** Ends the backup in progress. */
  stop(): void {
    this.#stop.abort()
  }

  async #write(target: string): Promise<ScheduledResult> {
    const { pool, config, priority = constants.priority.PRIORITY_LOW } = this.#options
    await mkdir(path.dirname(target), { recursive: true })
    await removeUnfinished(path.dirname(target))
    const { types: _functions, ...connection } = optionsLike(pool)
    const { dataDir, mediaS3 } = config
    const task: ScheduledTask = { connection, target, config: { dataDir, ...(mediaS3 && { mediaS3 }) } }
    const { signal } = this.#stop
    signal.throwIfAborted()
    const child = fork(PROGRAM, {
      execArgv: NODE_OPTIONS,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    child.on('error', () => {})
    changePriority(child, priority)
    const exited = once(child, 'exit')
    try {
      child.send(task)
      const failure = exited.then(([code, name]): [ScheduledResult] => [
        { error: `the process exited (${name ?? code})` },
      ])
      const [result] = (await Promise.race([once(child, 'message', { signal }), failure])) as [ScheduledResult]
      return result
    } finally {
      // It stops its PostgreSQL first.
      if (child.connected) child.disconnect()
      const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timeout)
    }
  }
}

function changePriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has exited.
  }
}

/** Records a run if one is due, and returns its id. Several machines start one at a time. */
async function startRun(db: Database, name: string, everyHours: number): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table backups in share row exclusive mode`.execute(trx)
    const { rows } = await sql<{ id: number }>`insert into backups (name) select ${name} where not exists (
        select from backups where started_at > now() - ${RETRY_AFTER}
          or verified_at is not null and started_at > now() - make_interval(hours => ${everyHours}))
      returning id`.execute(trx)
    return rows[0]?.id
  })
}

async function removeOld({ target, keep }: NonNullable<Config['backup']>): Promise<void> {
  const names = await readdir(target)
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep)
  const unverified = names.filter((name) => name.endsWith(UNVERIFIED) && NAME.test(name.slice(0, -UNVERIFIED.length)))
  for (const name of [...old, ...unverified]) await rm(path.join(target, name), { recursive: true, force: true })
}

/** What a run that was killed left behind. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((one) => one.endsWith('.partial') && NAME.test(one.slice(0, -'.partial'.length)))) {
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/** Once a day, however many backups fail. */
async function notifyAdmins(db: Database, id: number, error: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('backups')
      .set({ notified_at: sql`now()` })
      .where('id', '=', id)
      .where(sql<boolean>`not exists (select from backups where notified_at > now() - interval '1 day')`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const { rows } = await sql<{ id: number }>`select id from members m where is_admin and ${isActive('m')}`.execute(
      trx,
    )
    for (const admin of rows) {
      await notify(trx, {
        memberId: admin.id,
        kind: 'admin',
        type: 'error',
        title: 'The backup failed',
        message: `${error} The site tries again in an hour.`,
        link: '/admin/notifications',
      })
    }
  })
}

export interface BackupState {
  verifiedAt: Date | null
  /** Two backups in a row are missing. */
  isLate: boolean
  /** Of the last run, if it failed. */
  error: string | null
}

/** Age and result of the last backups; null without the setting BACKUP_TARGET. */
export async function getBackupState(db: Database, backup: Config['backup']): Promise<BackupState | null> {
  if (!backup) return null
  const { rows } = await sql<{ verified_at: Date | null; error: string | null; first_at: Date | null }>`select
    max(verified_at) as verified_at, min(started_at) as first_at,
    (select error from backups where error is not null or verified_at is not null order by started_at desc limit 1) as error
    from backups`.execute(db)
  const { verified_at: verifiedAt = null, first_at = null, error = null } = rows[0] ?? {}
  const since = verifiedAt ?? first_at
  const isLate = since !== null && Date.now() - since.getTime() > LATE_AFTER * backup.everyHours * HOUR_MS
  return { verifiedAt, isLate, error }
}
