import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { SettingError } from './setting-error.ts'

/** Makes the data folder when it is missing; throws the sentence that names DATA_DIR when it cannot be used. */
export function prepareDataDir(dataDir: string): void {
  try {
    // Root's PostgreSQL runs as another user, who has to pass through this folder to its own.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataDirError(dataDir, error)
  }
}

// Step by step: where nothing can be made (below /proc), Node's recursive mkdir goes round for ever.
function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent, 0o755)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have been a moment quicker.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'cannot be made there; set DATA_DIR to a folder that can be written',
  EACCES: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EPERM: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EROFS: 'is on a read-only disk; set DATA_DIR to a folder that can be written',
  EEXIST: 'is a file, or lies below one; set DATA_DIR to a folder',
  ENOTDIR: 'is a file, or lies below one; set DATA_DIR to a folder',
  ENOSPC: 'has no room left on its disk; free some space or set DATA_DIR to a folder elsewhere',
  EDQUOT: 'has no room left in its quota; free some space or set DATA_DIR to a folder elsewhere',
}

/** What a failed file operation in the data folder means to the person who starts the server. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code]
  return reason ? new SettingError('DATA_DIR', `(${dataDir}) ${reason}.`) : error
}
