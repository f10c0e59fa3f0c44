// Program of PostgreSQL's archive_command (`archive PATH NAME`) and restore_command (`fetch NAME PATH`). Runs as its user.
import { readFile, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { type BackupStorage, openStorage } from '#server/operations/backup/storage.ts'
import { claimArchive, compress, decompress, isWalName, readSegment, walObject } from './wal-files.ts'

/** A restore_command: PostgreSQL takes codes up to 125 for the end of the archive, and ends the recovery for higher ones. */
const NOT_FOUND = 1
const CANNOT_FETCH = 200
/** An archive_command: higher codes end the archiver, which then counts no failure. */
const CANNOT_ARCHIVE = 1
/** Position of the system identifier in the first page of a segment. */
const IDENTIFIER_OFFSET = 24

/** Stores a file and never replaces one with other content. PostgreSQL keeps the file and tries again if this fails. */
async function archive(storage: BackupStorage, file: string, name: string): Promise<void> {
  const bytes = await readFile(file)
  const object = walObject(name)
  if (readSegment(name)) await claimArchive(storage, bytes.readBigUInt64LE(IDENTIFIER_OFFSET).toString())
  const existing = await storage.read(object)
  if (!existing) return storage.put(object, await compress(bytes))
  // A server that crashed right after the program archives a file again.
  if ((await decompress(existing))?.equals(bytes)) return
  throw new UserFacingError(`${storage.location} has another file ${object}. Set WAL_ARCHIVE to a new place.`)
}

async function fetch(storage: BackupStorage, name: string, file: string): Promise<boolean> {
  const compressed = await storage.read(walObject(name))
  if (!compressed) return false
  const bytes = await decompress(compressed)
  if (!bytes) throw new UserFacingError(`${walObject(name)} in ${storage.location} is damaged.`)
  await writeFile(file, bytes, { mode: 0o600 })
  return true
}

async function run([task, first = '', second = '']: string[]): Promise<number> {
  const name = task === 'archive' ? second : first
  if (!isWalName(name)) throw new UserFacingError(`${name} is not a file of the WAL.`)
  const storage = openStorage(JSON.parse(process.env['WAL_LOCATION'] ?? '') as StorageLocation)
  if (task === 'archive') {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    await archive(storage, first, second)
    return 0
  }
  return (await fetch(storage, first, second)) ? 0 : NOT_FOUND
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(`WAL archive: ${error instanceof UserFacingError ? error.message : String(error)}`)
  process.exitCode = process.argv[2] === 'archive' ? CANNOT_ARCHIVE : CANNOT_FETCH
}
