import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dataDirError, prepareDataDir } from './data-dir.ts'
import { SettingError } from './values.ts'

const KEY_BYTES = 32
const KEY_FILE = 'secret-key'

export interface SecretKeys {
  /** Encrypts prizes and signs OAuth state. 32 bytes. */
  secretKey: Buffer
  /** Former keys, which only decrypt. */
  retiredSecretKeys: Buffer[]
  /** Whether `secretKey` was just generated. It is written to the key file once the database proves to have no other. */
  isNewSecretKey: boolean
}

export const keyFileOf = (dataDir: string): string => path.join(dataDir, KEY_FILE)

/** Reads `SECRET_KEY` or the key file, or generates a key; adds those of `SECRET_KEYS_RETIRED`. Throws SettingError. */
export function readSecretKeys(
  { current, retired }: { current: string | undefined; retired: string | undefined },
  dataDir: string,
): SecretKeys {
  const more = (retired?.split(',') ?? []).map((text) => parseKey(text.trim()) ?? rejectKey('SECRET_KEYS_RETIRED'))
  const keys = current === undefined ? readKeyFile(dataDir) : [parseKey(current) ?? rejectKey('SECRET_KEY')]
  const [secretKey = randomBytes(KEY_BYTES), ...older] = keys ?? []
  const retiredSecretKeys = [...older, ...more].filter((key) => !key.equals(secretKey))
  return { secretKey, retiredSecretKeys, isNewSecretKey: keys === undefined }
}

export function readKeyFile(dataDir: string): Buffer[] | undefined {
  const file = keyFileOf(dataDir)
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const keys = lines.map((line) => line.trim()).filter(Boolean)
    if (keys.length === 0) rejectKey('SECRET_KEY', file)
    return keys.map((text) => parseKey(text) ?? rejectKey('SECRET_KEY', file))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw dataDirError(dataDir, error)
  }
}

/** Creates the key file, readable by its owner only. If another process was faster, its file stays. */
export function createKeyFile(dataDir: string, keys: readonly Buffer[]): void {
  writeKeyFile(dataDir, keys, (draft, file) => {
    try {
      // A link is atomic, and the first of two processes wins.
      linkSync(draft, file)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  })
}

/** Puts a new key in front of the keys in the key file, and returns it. */
export function addKeyToFile(dataDir: string): Buffer {
  const key = randomBytes(KEY_BYTES)
  writeKeyFile(dataDir, [key, ...(readKeyFile(dataDir) ?? [])], renameSync)
  return key
}

function writeKeyFile(dataDir: string, keys: readonly Buffer[], publish: (draft: string, file: string) => void): void {
  prepareDataDir(dataDir)
  const file = keyFileOf(dataDir)
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    const text = keys.map((key) => `${key.toString('hex')}\n`).join('')
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    publish(draft, file)
  } catch (error) {
    throw dataDirError(dataDir, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

function parseKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

function rejectKey(setting: string, file?: string): never {
  const location = file ? `in the file ${file} ` : ''
  throw new SettingError(
    setting,
    `${location}is not a key of 32 bytes; set it to the output of \`openssl rand -hex 32\`.`,
  )
}
