import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { createKeyFile, keyFileOf, readKeyFile } from '#server/platform/config/secret-keys.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { beginSnapshot, Checksum, copyToFile, PAUSE_PER_WORK, withExportClient } from '#server/platform/db/export.ts'
import { syncFolder, writeFolder, writeSynced } from '#server/platform/db/synced-files.ts'
import { type MediaStore, openFileStore, readHash } from '#server/platform/media/store.ts'
import { AppError } from '#server/platform/http/errors.ts'
import {
  type BackupContents,
  type BackupTable,
  MANIFEST,
  MEDIA,
  MEDIA_LIST,
  tableFile,
  TABLES,
  toListLine,
  toManifest,
} from './manifest.ts'
import { copyOut, findSequences, findTables, quote, setTextFormat } from './tables.ts'

export interface BackupTask {
  connection: pg.ClientConfig
  /** Folder to create. It appears with all its files or not at all. */
  target: string
  store: MediaStore
  keyFolder?: string | undefined
  /** Whether to pause for two thirds of the time, because the site is running. */
  isPaced: boolean
}

/** Fast, because the disk has enough to do. */
const GZIP_LEVEL = 4
const PACKAGE = path.resolve(import.meta.dirname, '../../../package.json')

/**
 * Writes everything that a site needs into a new folder: the rows of one moment of the database, and after them the images,
 * so that every image of a row is there. Throws UserFacingError for what the operator can fix, and then leaves nothing behind.
 */
export async function writeBackup(task: BackupTask): Promise<BackupContents> {
  const { target, connection } = task
  const draft = `${target}.partial`
  await createDraft(draft, target)
  return writeFolder({ draft, target }, async () => {
    const rows = await withExportClient(connection, (client) => writeRows(client, draft, task))
    const contents = {
      ...rows,
      media: await writeImages(draft, task),
      secret_key: await writeKey(draft, task.keyFolder),
    }
    await writeSynced(path.join(draft, MANIFEST), toManifest(contents))
    for (const folder of [TABLES, MEDIA, '']) await syncFolder(path.join(draft, folder))
    return contents
  }).catch((error: unknown) => {
    throw explain(error, target)
  })
}

async function createDraft(draft: string, target: string): Promise<void> {
  if (existsSync(target)) throw new UserFacingError(`${target} exists already. Name a folder that does not exist.`)
  try {
    await mkdir(path.dirname(draft), { recursive: true })
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explain(error, target)
    throw new UserFacingError(
      `${draft} exists: a backup is being written there, or one was interrupted. In the second case, remove the folder and try again.`,
    )
  }
  for (const folder of [TABLES, MEDIA]) await mkdir(path.join(draft, folder))
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

function explain(error: unknown, target: string): unknown {
  if (error instanceof AppError) return new UserFacingError(error.message, { cause: error })
  const { code = '' } = error as NodeJS.ErrnoException
  if (NO_SPACE.has(code))
    return new UserFacingError(`There is no room for the backup in ${path.dirname(target)}. Nothing was written.`)
  if (NO_ACCESS.has(code))
    return new UserFacingError(`${path.dirname(target)} cannot be written (${code}). Choose another folder.`)
  return error
}

type Rows = Omit<BackupContents, 'media' | 'secret_key'>

async function writeRows(client: pg.Client, draft: string, { isPaced }: BackupTask): Promise<Rows> {
  await setTextFormat(client)
  await beginSnapshot(client)
  await client.query('set local idle_in_transaction_session_timeout = 0')
  const { rows: sites } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  )
  if (!sites[0]?.exists) throw new UserFacingError('The database is empty, so there is nothing to back up.')
  const snapshot = await client.query<{ taken_at: string; postgres_version: string }>(`select
    to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at,
    current_setting('server_version') as postgres_version`)
  const { taken_at = '', postgres_version = '' } = snapshot.rows[0] ?? {}
  const migrations = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  const tables: BackupTable[] = []
  for (const { name, columns } of await findTables(client)) {
    const file = path.join(draft, tableFile(name))
    const options = { gzipLevel: GZIP_LEVEL, isPaced }
    tables.push({ name, columns, ...(await copyToFile(client, copyOut(client, { name, columns }), file, options)) })
  }
  // After the rows: sequences are not part of the snapshot, and may only be ahead of it.
  const sequences = await readSequences(client)
  await client.query('commit')
  const { version }: { version: string } = JSON.parse(await readFile(PACKAGE, 'utf8'))
  return { taken_at, scriptyard_version: version, postgres_version, migrations: migrations.rows, tables, sequences }
}

async function readSequences(client: pg.Client): Promise<BackupContents['sequences']> {
  const sequences: BackupContents['sequences'] = []
  for (const name of await findSequences(client)) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${quote(client, name)}`,
    )
    sequences.push(...rows.map((row) => ({ name, ...row })))
  }
  return sequences
}

const CONCURRENCY = 4

async function writeImages(draft: string, { store, isPaced }: BackupTask): Promise<BackupContents['media']> {
  const copy = openFileStore(path.join(draft, MEDIA))
  const list = new Checksum()
  let [files, bytes] = [0, 0]
  const handle = await open(path.join(draft, MEDIA_LIST), 'wx')
  try {
    for await (const batch of store.list()) {
      const names = batch.map(({ name }) => name).filter((name) => readHash(name) !== undefined)
      for (let i = 0; i < names.length; i += CONCURRENCY) {
        const started = performance.now()
        const images = await Promise.all(names.slice(i, i + CONCURRENCY).map((name) => copyImage(name, store, copy)))
        const copied = images.filter((image) => image !== undefined)
        const lines = Buffer.from(copied.map(toListLine).join(''))
        list.add(lines)
        await handle.writeFile(lines)
        files += copied.length
        for (const image of copied) bytes += image.bytes
        if (isPaced) await setTimeout((performance.now() - started) * PAUSE_PER_WORK)
      }
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  for (const folder of await readdir(path.join(draft, MEDIA))) await syncFolder(path.join(draft, MEDIA, folder))
  return { files, bytes, list: list.finish() }
}

/** Undefined if the image was removed after it was listed: nothing uses it any more. */
async function copyImage(name: string, from: MediaStore, to: MediaStore) {
  const image = await from.get(name)
  if (!image) return undefined
  await to.put(name, image)
  const sum = new Checksum()
  sum.add(image)
  return { name, ...sum.finish() }
}

async function writeKey(draft: string, keyFolder: string | undefined): Promise<BackupContents['secret_key']> {
  const keys = keyFolder === undefined ? undefined : readKeyFile(keyFolder)
  if (!keys) return null
  createKeyFile(draft, keys)
  const sum = new Checksum()
  sum.add(await readFile(keyFileOf(draft)))
  return sum.finish()
}
