import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { findBlockedFolder, findOwner, giveTo, type Owner } from '@scriptyard/embedded-postgres/installation'
import { makeFolder } from '#server/platform/config/data-dir.ts'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { SettingError } from '#server/platform/config/values.ts'

const WAL_PROGRAM = path.resolve(import.meta.dirname, '../../operations/wal-archive/wal-process.ts')
/** A change is in the archive after this time at the latest. */
const ARCHIVE_TIMEOUT = '60s'

/** Settings with which PostgreSQL runs our program for each segment of its WAL. Throws SettingError. */
export function archiveTo(location: StorageLocation, dataDir: string) {
  const owner = findProgramUser(dataDir)
  if (typeof location === 'string') prepareArchiveFolder(location, owner)
  return {
    settings: { archive_mode: 'on', archive_command: walCommand('archive "%p" %f'), archive_timeout: ARCHIVE_TIMEOUT },
    environment: walEnvironment(location),
  }
}

/** Settings with which PostgreSQL reads the segments of an archive. Throws SettingError. */
export function restoreFrom(location: StorageLocation, dataDir: string) {
  findProgramUser(dataDir)
  return { settings: { restore_command: walCommand('fetch %f "%p"') }, environment: walEnvironment(location) }
}

function findProgramUser(dataDir: string): Owner {
  const owner = findOwner(path.join(dataDir, 'postgres'))
  for (const program of [WAL_PROGRAM, process.execPath]) {
    const blocked = findBlockedFolder(path.dirname(program), owner)
    if (!blocked) continue
    const advice = `use another user than root, or run \`chmod o+x ${blocked}\``
    throw new SettingError('WAL_ARCHIVE', `cannot be used: PostgreSQL's user may not enter ${blocked}; ${advice}.`)
  }
  return owner
}

function prepareArchiveFolder(folder: string, owner: Owner): void {
  const { uid, gid } = owner
  const own = path.join(folder, 'wal')
  try {
    const isNew = !existsSync(folder)
    makeFolder(folder, uid === undefined ? 0o700 : 0o711)
    makeFolder(own, 0o700)
    const top = isNew ? folder : own
    // A site that root starts runs as this user, too, and writes base backups beside the segments.
    if (uid !== undefined && gid !== undefined && lstatSync(top).uid !== uid) giveTo({ uid, gid }, top)
  } catch (error) {
    const reason = `(${folder}) cannot be written (${(error as NodeJS.ErrnoException).code})`
    throw new SettingError('WAL_ARCHIVE', `${reason}; set it to a folder that the site may write.`)
  }
  const blocked = findBlockedFolder(folder, owner)
  if (!blocked) return
  const advice = `run \`chmod o+x ${blocked}\`, or set it to another folder`
  throw new SettingError(
    'WAL_ARCHIVE',
    `(${folder}) cannot be used: PostgreSQL's user may not enter ${blocked}; ${advice}.`,
  )
}

/** A command for PostgreSQL's settings that runs our program. PostgreSQL replaces what follows a single `%`. */
function walCommand(args: string): string {
  return `${[process.execPath, WAL_PROGRAM].map((part) => quote(part).replaceAll('%', '%%')).join(' ')} ${args}`
}

const quote = (text: string): string =>
  process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Environment of the program. The location of S3 storage has keys, which a command line would show to other users. */
function walEnvironment(location: StorageLocation): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env
  return { WAL_LOCATION: JSON.stringify(location), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
