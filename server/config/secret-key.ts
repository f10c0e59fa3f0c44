import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dataDirError, prepareDataDir } from './data-dir.ts'
import { SettingError } from './setting-error.ts'

const KEY_BYTES = 32

/** The 32 bytes that encrypt prizes and sign state: from SECRET_KEY, else from a file that is made once. */
export function readSecretKey(value: string | undefined, dataDir: string): Buffer {
  if (value !== undefined) return parseKey(value) ?? rejectKey()
  const file = path.join(dataDir, 'secret-key')
  return readKeyFile(file, dataDir) ?? makeKeyFile(file, dataDir)
}

function readKeyFile(file: string, dataDir: string): Buffer | undefined {
  try {
    return parseKey(readFileSync(file, 'utf8').trim()) ?? rejectKey(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw dataDirError(dataDir, error)
  }
}

function makeKeyFile(file: string, dataDir: string): Buffer {
  prepareDataDir(dataDir)
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkWhole(draft, file)
  } catch (error) {
    throw dataDirError(dataDir, error)
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(file, dataDir) ?? rejectKey(file)
}

// A link appears whole or not at all, and the first of two processes wins.
function linkWhole(draft: string, file: string): void {
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
  const where = file ? `in the file ${file} ` : ''
  throw new SettingError(
    'SECRET_KEY',
    `${where}does not hold 32 bytes; set it to what \`openssl rand -hex 32\` prints.`,
  )
}
