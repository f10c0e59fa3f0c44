import { accessSync, constants, mkdirSync } from 'node:fs'
import { SettingError } from './setting-error.ts'

/** Makes the data folder when it is missing; throws the sentence that names DATA_DIR when it cannot be used. */
export function prepareDataDir(dataDir: string): void {
  try {
    // Root's PostgreSQL runs as another user, who has to pass through this folder to its own.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataDirError(dataDir, error)
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EPERM: 'is not writable for this user; give it the rights or set DATA_DIR to another folder',
  EROFS: 'is on a read-only disk; set DATA_DIR to a folder that can be written',
  EEXIST: 'is a file and no folder; set DATA_DIR to a folder',
  ENOTDIR: 'lies below a file and not in a folder; set DATA_DIR to a folder',
  ENOSPC: 'has no room left on its disk; free some space or set DATA_DIR to a folder elsewhere',
  EDQUOT: 'has no room left in its quota; free some space or set DATA_DIR to a folder elsewhere',
}

/** What a failed file operation in the data folder means to the person who starts the server. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code]
  return reason ? new SettingError('DATA_DIR', `(${dataDir}) ${reason}.`) : error
}
