// npm run backup -- PLACE [--without-key]: writes the database, the images and the secret key of the site into a new folder, or
// to s3://bucket/prefix.
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/platform/config.ts'
import { parseLocation, type StorageLocation } from '#server/platform/config/storage.ts'
import { readEnvironment, UserFacingError } from '#server/platform/config/values.ts'
import { findRunningPostgres, startPostgres } from '#server/platform/db/embedded.ts'
import { type Connection, openPool, optionsLike } from '#server/platform/db/pool.ts'
import type { BackupContents } from '#server/operations/backup/manifest.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { requireUnused, uploadBackup } from '#server/operations/backup/transfer.ts'
import { type BackupTask, writeBackup } from '#server/operations/backup/write.ts'
import { openMedia } from '#server/platform/media/upload.ts'
import { printResult } from './run-command.ts'

interface Opened {
  connection: Connection
  /** Whether requests may be served at the same time. */
  isLive: boolean
  close: () => Promise<void>
}

async function openDatabase({ databaseUrl, databaseDirectUrl, dataDir, walArchive }: Config): Promise<Opened> {
  const external = databaseDirectUrl ?? databaseUrl
  const live = external ?? findRunningPostgres(dataDir)
  if (live !== undefined && (external !== undefined || (await isReachable(live))))
    return { connection: live, isLive: true, close: async () => {} }
  const embedded = await startPostgres({ dataDir, walArchive })
  return { connection: embedded.connection, isLive: false, close: () => embedded.stop() }
}

/** Whether a server accepts connections. Its files alone do not prove it, because a killed server leaves them. */
async function isReachable(connection: Connection): Promise<boolean> {
  const pool = openPool(connection, 1)
  try {
    await pool.query('select')
    return true
  } catch {
    return false
  } finally {
    await pool.end()
  }
}

async function writeTo(location: StorageLocation, task: Omit<BackupTask, 'target'>): Promise<BackupContents> {
  if (typeof location === 'string') return writeBackup({ ...task, target: location })
  const storage = openStorage(location)
  await requireUnused(storage)
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-upload-'))
  try {
    const target = path.join(folder, 'backup')
    const contents = await writeBackup({ ...task, target })
    await uploadBackup(target, storage)
    return contents
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await printResult(async () => {
  const options = { 'without-key': { type: 'boolean', default: false } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const [target] = positionals
  if (target === undefined || positionals.length > 1)
    throw new UserFacingError(
      'Use npm run backup -- FOLDER [--without-key], or s3://bucket/prefix instead of the folder.',
    )
  setPriority(constants.priority.PRIORITY_LOW)
  const config = readConfig(readEnvironment())
  const location = parseLocation(target, config.backupS3)
  const started = performance.now()
  const { connection, isLive, close } = await openDatabase(config)
  const pool = openPool(connection, 1)
  try {
    const { tables, media, secret_key } = await writeTo(location, {
      connection: optionsLike(pool),
      store: openMedia(config, { concurrency: 1 }).store,
      keyFolder: values['without-key'] ? undefined : config.dataDir,
      isPaced: isLive,
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en')
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const files = media.files.toLocaleString('en')
    return [
      `Wrote ${rows} rows of ${tables.length} tables and ${files} image files in ${seconds} s to ${target}.`,
      secret_key
        ? 'The backup has the secret key: store it where only you can read it.'
        : 'The backup has no secret key: store the key of the site elsewhere.',
    ].join('\n')
  } finally {
    await pool.end()
    await close()
  }
})
