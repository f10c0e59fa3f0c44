import { randomBytes } from 'node:crypto'
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SettingError } from './values.ts'

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

// One level at a time: below /proc, Node's recursive mkdir never returns.
function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent, 0o755)
  try {
    mkdirSync(folder, { mode })
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

const KEY_BYTES = 32

/** The 32 bytes that encrypt prizes and sign OAuth state: from SECRET_KEY, else from a file that is created once. */
export function readSecretKey(value: string | undefined, dataDir: string): Buffer {
  if (value !== undefined) return parseKey(value) ?? rejectKey()
  const file = path.join(dataDir, 'secret-key')
  return readKeyFile(file, dataDir) ?? createKeyFile(file, dataDir)
}

function readKeyFile(file: string, dataDir: string): Buffer | undefined {
  try {
    return parseKey(readFileSync(file, 'utf8').trim()) ?? rejectKey(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw dataDirError(dataDir, error)
  }
}

function createKeyFile(file: string, dataDir: string): Buffer {
  prepareDataDir(dataDir)
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkOnce(draft, file)
  } catch (error) {
    throw dataDirError(dataDir, error)
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(file, dataDir) ?? rejectKey(file)
}

// A link is atomic, and the first of two processes wins.
function linkOnce(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function parseKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

function rejectKey(file?: string): never {
  const location = file ? `in the file ${file} ` : ''
  throw new SettingError(
    'SECRET_KEY',
    `${location}is not a key of 32 bytes; set it to the output of \`openssl rand -hex 32\`.`,
  )
}
