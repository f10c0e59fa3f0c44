// npm run restore -- FOLDER: fills an empty site from a backup, or with --time TIME from a WAL archive.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/platform/config.ts'
import { parseLocation, type StorageLocation } from '#server/platform/config/storage.ts'
import { readEnvironment, UserFacingError } from '#server/platform/config/values.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { openPool, optionsLike } from '#server/platform/db/pool.ts'
import { restoreBackup } from '#server/operations/backup/restore.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { downloadBackup } from '#server/operations/backup/transfer.ts'
import { openMedia } from '#server/platform/media/upload.ts'
import { describeRanges, isWalArchive, recover } from '#server/operations/wal-archive/recover.ts'
import { printResult } from './run-command.ts'

const USE = `Use npm run restore -- PLACE, where PLACE is a folder or s3://bucket/prefix. For a WAL archive add --time
and a moment such as 2026-11-23T10:00:00Z, or --time latest.`
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/

function parseTime(text: string): Date | undefined {
  if (text === 'latest') return undefined
  const time = new Date(text)
  if (!TIME.test(text) || Number.isNaN(time.getTime())) {
    throw new UserFacingError('The time has the wrong form. Use one such as 2026-11-23T10:00:00Z, or latest.')
  }
  return time
}

async function recoverFrom(location: StorageLocation, text: string, config: Config): Promise<string> {
  if (config.databaseUrl) {
    throw new UserFacingError('A WAL archive restores the embedded database. Remove DATABASE_URL and try again.')
  }
  const { lastChange, missingImages, hasKey } = await recover({
    location,
    time: parseTime(text),
    dataDir: config.dataDir,
    store: openMedia(config, { concurrency: 1 }).store,
    onProgress: (line) => console.log(line),
  })
  return [
    `Restored the database${lastChange ? `; the last change is from ${lastChange}` : ''}.`,
    missingImages > 0 &&
      `${missingImages} ${missingImages === 1 ? 'image is' : 'images are'} missing: copy the folder media of a backup or of the former DATA_DIR to ${path.join(config.dataDir, 'media')}.`,
    !hasKey && 'The archive has no secret key: set SECRET_KEY to the key of the site before you start it.',
    'If the former site goes on, set WAL_ARCHIVE to another place before you start this one.',
  ]
    .filter(Boolean)
    .join('\n')
}

async function restoreFrom(location: StorageLocation, config: Config): Promise<string> {
  if (typeof location === 'string') return fill(location, config)
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-restore-'))
  try {
    console.log('Downloading the backup...')
    await downloadBackup(openStorage(location), folder)
    return await fill(folder, config)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(source: string, config: Config): Promise<string> {
  const { dataDir, walArchive } = config
  const closers: (() => Promise<void>)[] = []
  try {
    const { contents, missingImages, otherTables } = await restoreBackup({
      source,
      connect: async () => {
        const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir, walArchive })
        if (embedded) closers.push(() => embedded.stop())
        const pool = openPool(config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.connection ?? '', 1)
        closers.unshift(() => pool.end())
        return optionsLike(pool)
      },
      store: openMedia(config, { concurrency: 1 }).store,
      dataDir,
      onProgress: (line) => console.log(line),
    })
    const { tables, media, secret_key, taken_at } = contents
    const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en')
    return [
      `Restored ${rows} rows of ${tables.length} tables and ${media.files.toLocaleString('en')} image files, as of ${taken_at}.`,
      missingImages > 0 && `${missingImages} ${missingImages === 1 ? 'image is' : 'images are'} missing in the backup.`,
      otherTables.length > 0 && `Left out tables of other programs: ${otherTables.join(', ')}.`,
      !secret_key && 'The backup has no secret key: set SECRET_KEY to the key of the site before you start it.',
      'Start the site: it applies later migrations.',
    ]
      .filter(Boolean)
      .join('\n')
  } finally {
    for (const close of closers) await close()
  }
}

await printResult(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { time: { type: 'string' } } })
  const [source] = positionals
  if (source === undefined || positionals.length > 1) throw new UserFacingError(USE)
  const config = readConfig(readEnvironment())
  const location = parseLocation(source, config.backupS3)
  const storage = openStorage(location)
  if (!(await isWalArchive(storage))) {
    if (values.time === undefined) return restoreFrom(location, config)
    throw new UserFacingError(`There is no WAL archive in ${storage.location}, which --time needs.`)
  }
  if (values.time !== undefined) return recoverFrom(location, values.time, config)
  throw new UserFacingError(`${await describeRanges(storage)} Add --time with such a moment, or --time latest.`)
})
