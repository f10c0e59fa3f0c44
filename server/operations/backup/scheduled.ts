// The scheduled backup: writes, verifies and records one when it is due, removes old ones, and notifies admins of failures.
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { makeFolder } from '#server/platform/config/data-dir.ts'
import { locationIn, type StorageLocation } from '#server/platform/config/storage.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { stopLeftoverPostgres } from '#server/platform/db/embedded.ts'
import { optionsForChild } from '#server/platform/db/pool.ts'
import { runInBackground } from '#server/platform/jobs/background-process.ts'
import { MANIFEST } from './manifest.ts'
import { recordRun } from './runs.ts'
import type { ScheduledResult, ScheduledTask } from './scheduled-process.ts'
import { openStorage } from './storage.ts'
import { removeBackup } from './transfer.ts'

const PROGRAM = path.join(import.meta.dirname, 'scheduled-process.ts')
const NAME = /^backup-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/
const UNVERIFIED = '.unverified'

export interface ScheduledBackupOptions {
  db: Database
  pool: pg.Pool
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  config: Pick<Config, 'dataDir' | 'mediaS3'>
  findBackup: () => Config['backup']
  priority?: number
}

export class ScheduledBackup {
  readonly #options: ScheduledBackupOptions
  readonly #stop = new AbortController()
  #hasCleaned = false

  constructor(options: ScheduledBackupOptions) {
    this.#options = options
  }

  /** Never rejects for a backup that fails: that is recorded and logged. */
  async run(): Promise<void> {
    const { db, log, config, findBackup } = this.#options
    const backup = findBackup()
    if (!backup) return
    if (!this.#hasCleaned) await removeScratch(scratchOf(config.dataDir))
    this.#hasCleaned = true
    const name = `backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const target = locationIn(backup.target, name)
    const result = await recordRun(
      db,
      { kind: 'full', name, everyHours: backup.everyHours },
      { signal: this.#stop.signal, write: () => this.#write(backup.target, target) },
    )
    if (!result) return
    const { bytes, seconds, error } = result
    if (error === undefined) {
      log.info({ name, bytes, seconds }, 'backup written and verified')
      await removeOld(backup)
    } else {
      log.error({ name, reason: error }, 'backup failed')
      if (typeof target === 'string') await rename(target, `${target}${UNVERIFIED}`).catch(() => {})
    }
  }

  stop(): void {
    this.#stop.abort()
  }

  async #write(parent: StorageLocation, target: StorageLocation): Promise<ScheduledResult> {
    const { pool, config, priority = constants.priority.PRIORITY_LOW } = this.#options
    await removeUnfinished(parent)
    const connection = optionsForChild(pool)
    const { dataDir, mediaS3 } = config
    const scratch = scratchOf(dataDir)
    await removeScratch(scratch)
    makeFolder(scratch, 0o711)
    const task: ScheduledTask = { connection, target, scratch, config: { dataDir, ...(mediaS3 && { mediaS3 }) } }
    try {
      return await runInBackground<ScheduledResult>(PROGRAM, task, {
        signal: this.#stop.signal,
        priority,
        stopsItself: true,
      })
    } finally {
      await removeScratch(scratch)
    }
  }
}

/** Folder in which a backup is checked. Always the same for a site, so that a later run finds what a killed one left. */
const scratchOf = (dataDir: string): string =>
  path.join(tmpdir(), `scriptyard-backup-check-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)

/** Also stops the PostgreSQL that a killed process left running. */
async function removeScratch(scratch: string): Promise<void> {
  await stopLeftoverPostgres(path.join(scratch, 'data'))
  await rm(scratch, { recursive: true, force: true })
}

async function removeOld({ target, keep }: NonNullable<Config['backup']>): Promise<void> {
  if (typeof target !== 'string') {
    const whole = [...(await listBackups(target))].filter(([, isWhole]) => isWhole).map(([name]) => name)
    for (const name of whole.toSorted().slice(0, -keep)) await removeBackup(openStorage(locationIn(target, name)))
    return
  }
  const names = await readdir(target)
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep)
  const unverified = names.filter((name) => name.endsWith(UNVERIFIED) && NAME.test(name.slice(0, -UNVERIFIED.length)))
  for (const name of [...old, ...unverified]) await rm(path.join(target, name), { recursive: true, force: true })
}

async function removeUnfinished(parent: StorageLocation): Promise<void> {
  if (typeof parent !== 'string') {
    const unfinished = [...(await listBackups(parent))].filter(([, isWhole]) => !isWhole)
    for (const [name] of unfinished) await removeBackup(openStorage(locationIn(parent, name)))
    return
  }
  await mkdir(parent, { recursive: true })
  const names = await readdir(parent)
  for (const name of names.filter((one) => one.endsWith('.partial') && NAME.test(one.slice(0, -'.partial'.length)))) {
    await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

/** Names of the scheduled backups in a bucket, and whether they are whole. */
async function listBackups(parent: StorageLocation): Promise<Map<string, boolean>> {
  const backups = new Map<string, boolean>()
  for (const object of await openStorage(parent).list('')) {
    const [name = '', file] = object.name.split('/')
    if (NAME.test(name)) backups.set(name, file === MANIFEST || (backups.get(name) ?? false))
  }
  return backups
}
