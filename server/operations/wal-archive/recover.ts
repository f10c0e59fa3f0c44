import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { makeFolder } from '#server/platform/config/data-dir.ts'
import { createKeyFile, keyFileOf, readKeyFile } from '#server/platform/config/secret-keys.ts'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { Checksum } from '#server/platform/db/export.ts'
import { lockDataDir, startPostgres, stopLeftoverPostgres } from '#server/platform/db/embedded.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { syncFolder } from '#server/platform/db/synced-files.ts'
import { restoreFrom } from '#server/platform/db/wal-archiving.ts'
import { type BackupStorage, openStorage } from '#server/operations/backup/storage.ts'
import { endChangeFeed } from '#server/operations/backup/tables.ts'
import { mediaNames, type MediaStore } from '#server/platform/media/store.ts'
import {
  type Archive,
  BASE_KEY,
  BASE_TAR,
  type BaseBackup,
  baseObject,
  findRanges,
  type Range,
  readArchive,
} from './archive.ts'

export interface RecoverTask {
  location: StorageLocation
  time?: Date | undefined
  /** Folder of the site to create; it may not have a database. */
  dataDir: string
  /** Where the images are. They are not part of the archive. */
  store: MediaStore
  onProgress?: (line: string) => void
}

export interface RecoverResult {
  lastChange: string | undefined
  missingImages: number
  hasKey: boolean
}

export const isWalArchive = async (storage: BackupStorage): Promise<boolean> => (await storage.list('wal/')).length > 0

/**
 * Unpacks the last base backup before the moment and replays the WAL, in a draft folder that is renamed at the end, so that an
 * interrupted restore can be repeated. Throws UserFacingError; then the data folder is as before.
 */
export async function recover(task: RecoverTask): Promise<RecoverResult> {
  const { dataDir, onProgress = () => {} } = task
  const storage = openStorage(task.location)
  const { base } = await chooseBase(storage, task.time)
  requireEmpty(dataDir)
  const unlock = await lockDataDir(dataDir)
  const draft = path.join(dataDir, 'restoring')
  try {
    requireEmpty(dataDir)
    await removeDraft(draft)
    makeFolder(draft, 0o711)
    const key = await readKey(storage, base, { draft, dataDir })
    onProgress(`Unpacking the base backup of ${base.finished_at}...`)
    await unpack(storage, base, path.join(draft, 'postgres'))
    onProgress('Replaying the WAL...')
    const result = await replay(task, draft)
    // Before the database, because a site without its key does not start.
    if (key) createKeyFile(dataDir, key)
    await rename(path.join(draft, 'postgres'), path.join(dataDir, 'postgres'))
    await syncFolder(dataDir)
    return { ...result, hasKey: key !== undefined }
  } finally {
    await removeDraft(draft)
    unlock()
  }
}

/** Also stops the PostgreSQL that a killed restore left running. */
async function removeDraft(draft: string): Promise<void> {
  await stopLeftoverPostgres(draft)
  await rm(draft, { recursive: true, force: true })
}

function requireEmpty(dataDir: string): void {
  if (!existsSync(path.join(dataDir, 'postgres'))) return
  throw new UserFacingError(
    `DATA_DIR (${dataDir}) has a database. Set DATA_DIR to a new place and try again. Nothing was restored.`,
  )
}

export async function describeRanges(storage: BackupStorage): Promise<string> {
  const ranges = merge(await readRanges(storage))
  const texts = ranges.map(({ from, to }) => `${from.toISOString()} to ${to.toISOString()}`)
  return `${storage.location} can restore moments from ${texts.join(', and from ')}.`
}

async function readRanges(storage: BackupStorage): Promise<Range[]> {
  const archive: Archive = await readArchive(storage)
  const ranges = await findRanges(storage, archive)
  if (ranges.length > 0) return ranges
  throw new UserFacingError(
    `${storage.location} has no complete base backup, so nothing can be restored from it. Use another backup.`,
  )
}

function merge(ranges: Range[]): { from: Date; to: Date }[] {
  const merged: { from: Date; to: Date }[] = []
  for (const { from, to } of ranges) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = to > last.to ? to : last.to
    else merged.push({ from, to })
  }
  return merged
}

async function chooseBase(storage: BackupStorage, time: Date | undefined): Promise<Range> {
  const ranges = await readRanges(storage)
  const chosen = time ? ranges.findLast(({ from }) => from <= time) : ranges.at(-1)
  const advice = async () => `${await describeRanges(storage)} Nothing was restored.`
  if (!chosen) throw new UserFacingError(`The time is before the first base backup. ${await advice()}`)
  const { to, missing } = chosen
  if (missing && (!time || time > to)) {
    throw new UserFacingError(`The WAL segment ${missing} is missing in the archive. ${await advice()}`)
  }
  if (time && time > to) throw new UserFacingError(`The time is after the end of the archive. ${await advice()}`)
  return chosen
}

async function readKey(
  storage: BackupStorage,
  base: BaseBackup,
  { draft, dataDir }: { draft: string; dataDir: string },
): Promise<Buffer[] | undefined> {
  if (!base.secret_key) return undefined
  const bytes = (await storage.read(baseObject(base.name, BASE_KEY))) ?? Buffer.from('')
  const sum = new Checksum()
  sum.add(bytes)
  if (sum.finish().sha256 !== base.secret_key.sha256) throw damaged(storage, base, BASE_KEY)
  await writeFile(keyFileOf(draft), bytes, { mode: 0o600 })
  const [keys = [], current] = [readKeyFile(draft), readKeyFile(dataDir)]
  if (!current || (current.length === keys.length && current.every((key, i) => keys[i]?.equals(key)))) return keys
  throw new UserFacingError(
    `${keyFileOf(dataDir)} is not the key of the archive. Move the file away and try again. Nothing was restored.`,
  )
}

const damaged = (storage: BackupStorage, { name }: BaseBackup, file: string) =>
  new UserFacingError(
    `${baseObject(name, file)} in ${storage.location} is damaged or missing. Restore a moment before it, from the base backup before. Nothing was restored.`,
  )

async function unpack(storage: BackupStorage, base: BaseBackup, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const tar = spawn('tar', ['-x', '--no-same-owner', '-f', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'pipe'] })
  let output = ''
  tar.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(tar, 'close')
  const sum = new Checksum()
  const failure = await pipeline(
    async function* summed() {
      for await (const chunk of storage.open(baseObject(base.name, BASE_TAR))) {
        sum.add(chunk)
        yield chunk
      }
    },
    createGunzip(),
    tar.stdin,
  ).catch((error: unknown) => error)
  tar.stdin.destroy()
  const [code] = (await ended) as [number | null]
  if (/No space left|Disk quota/.test(output)) throw noRoom(folder)
  if (failure instanceof UserFacingError) throw failure
  if (failure !== undefined || code !== 0 || sum.finish().sha256 !== base.tar.sha256) {
    throw damaged(storage, base, BASE_TAR)
  }
}

const noRoom = (folder: string) =>
  new UserFacingError(`There is no room for the database in ${path.dirname(folder)}. Nothing was restored.`)

/** Starts PostgreSQL on the unpacked files: it replays the WAL up to the time and becomes a database of its own. */
async function replay({ location, time, store }: RecoverTask, draft: string): Promise<Omit<RecoverResult, 'hasKey'>> {
  await writeFile(path.join(draft, 'postgres', 'recovery.signal'), '', { mode: 0o600 })
  let log = ''
  const { settings: source, environment } = restoreFrom(location, draft)
  const settings = {
    ...source,
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    // While PostgreSQL reads its settings, it knows no names of time zones, not even Z.
    ...(time && { recovery_target_time: time.toISOString().replace('T', ' ').replace('Z', '+00') }),
    // Nobody may read before the end.
    hot_standby: 'off',
    // The WAL of the new database waits until the site has the setting WAL_ARCHIVE.
    archive_mode: 'on',
    log_timezone: 'UTC',
  }
  const add = (text: string) => {
    log += `${text}\n`
  }
  const starting = startPostgres({ dataDir: draft, settings, environment, log: add })
  const postgres = await starting.catch((error: unknown) => {
    throw explain(log, error, draft)
  })
  try {
    return { lastChange: findLastChange(log), missingImages: await finish(postgres.connection, store) }
  } finally {
    await postgres.stop()
  }
}

/** Time of the last restored change, in ISO 8601. */
function findLastChange(log: string): string | undefined {
  const [, time] = /last completed transaction was at log time (\S+ \S+)\+00/.exec(log) ?? []
  return time && `${time.replace(' ', 'T')}Z`
}

function explain(log: string, error: unknown, draft: string): unknown {
  const lines = log.split('\n')
  const own = lines.findLast((line) => line.startsWith('WAL archive: '))
  const end = findLastChange(log)
  if (/No space left on device|Disk quota exceeded/.test(log)) return noRoom(path.join(draft, 'postgres'))
  if (own) return new UserFacingError(`${own.slice('WAL archive: '.length)} Nothing was restored.`, { cause: error })
  if (!log.includes('recovery ended before configured recovery target was reached')) return error
  const last = end ? `Its last change is from ${end}.` : 'It has no change after the base backup.'
  return new UserFacingError(
    `The archive ends before that time. ${last} Restore an earlier time, or use --time latest. Nothing was restored.`,
    { cause: error },
  )
}

/** Deletes base backups of the former server, and positions in its history. Returns the number of missing images. */
async function finish(connection: Parameters<typeof openPool>[0], store: MediaStore): Promise<number> {
  const pool = openPool(connection, 1)
  try {
    await pool.query(`delete from backups where kind = 'base'`)
    await endChangeFeed(pool)
    const { rows } = await pool.query<{ hash: string }>('select hash from media')
    const stored = new Set<string>()
    for await (const batch of store.list()) for (const { name } of batch) stored.add(name)
    return rows.filter(({ hash }) => !mediaNames(hash).every((name) => stored.has(name))).length
  } finally {
    await pool.end()
  }
}
