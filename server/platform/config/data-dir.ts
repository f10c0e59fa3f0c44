import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { SettingError } from './values.ts'

const SYSTEM_DATA_DIR = '/var/lib/scriptyard/data'

/** `.data` in the working directory; below /var/lib if root starts the site where PostgreSQL's user may not enter. */
export function defaultDataDir(workingDir = process.cwd(), isRoot = process.getuid?.() === 0): string {
  const local = path.join(workingDir, '.data')
  const isUsed = existsSync(path.join(local, 'postgres')) || existsSync(path.join(local, 'media'))
  return isRoot && !isUsed && isPrivate(workingDir) ? SYSTEM_DATA_DIR : local
}

const isPrivate = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) === 0 || (folder !== path.dirname(folder) && isPrivate(path.dirname(folder)))

/** Creates the data folder if it is missing. Throws SettingError if it cannot be used. */
export function prepareDataDir(dataDir: string): void {
  try {
    // If root starts the server, PostgreSQL runs as another user, who has to enter its own folder through this one.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataDirError(dataDir, error)
  }
}

/** Creates a folder and its missing parents, which others may enter, whatever the umask. Leaves an existing one as it is. */
export function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = path.dirname(folder)
  // One level at a time: below /proc, Node's recursive mkdir never returns.
  if (parent !== folder) makeFolder(parent, 0o755)
  try {
    mkdirSync(folder, { mode })
    // The umask limits the mode of mkdir, which would keep PostgreSQL's user out.
    chmodSync(folder, mode)
  } catch (error) {
    // Another process may have created it at the same time.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'cannot be created there; set DATA_DIR to a folder that can be written',
  EACCES: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EPERM: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EROFS: 'is on a read-only disk; set DATA_DIR to a folder that can be written',
  EEXIST: 'is a file, or lies below one; set DATA_DIR to a folder',
  ENOTDIR: 'is a file, or lies below one; set DATA_DIR to a folder',
  ENOSPC: 'has no room left on its disk; free some space or set DATA_DIR to a folder elsewhere',
  EDQUOT: 'has no room left in its quota; free some space or set DATA_DIR to a folder elsewhere',
}

/** A SettingError for a failed file operation in the data folder if the operator can fix it, else the error itself. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code]
  return reason ? new SettingError('DATA_DIR', `(${dataDir}) ${reason}.`) : error
}
