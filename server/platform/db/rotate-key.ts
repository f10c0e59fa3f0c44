import { addKeyToFile, keyFileOf, type SecretKeys } from '#server/platform/config/secret-keys.ts'
import type { Database } from './database.ts'
import { acceptLostKeys, forgetRetiredKeys, type KeySettings, prepareSecretKeys, resealAll } from './secret-keys.ts'

export interface RotationOptions {
  /** Whether the keys come from SECRET_KEY, which a program cannot change. */
  isKeyInEnvironment: boolean
  isExclusive: boolean
  /** Goes on although a former key is lost. */
  acceptLoss: boolean
}

/**
 * Creates a key unless former ones are still configured, and encrypts every sealed value with it. May be interrupted and
 * repeated. Returns a message for the operator. Throws SettingError if a key is missing.
 */
export async function rotateKey(db: Database, settings: KeySettings, options: RotationOptions): Promise<string> {
  const prepared = await (options.acceptLoss ? acceptLostKeys : prepareSecretKeys)(db, settings)
  const needsNewKey = prepared.retiredSecretKeys.length === 0 && !options.acceptLoss
  if (needsNewKey && options.isKeyInEnvironment) return HOW_TO_SET_A_KEY
  const keys = needsNewKey ? await addKey(db, settings, prepared) : prepared
  const { changed, unreadable } = await resealAll(db, keys)
  const counts = `Encrypted ${changed} ${changed === 1 ? 'value' : 'values'} with the current key.`
  if (unreadable > 0 && !options.acceptLoss) {
    return `${counts} ${unreadable} more cannot be decrypted with any configured key; add the key that is missing to SECRET_KEYS_RETIRED and run this again.`
  }
  if (changed > 0 && !options.isExclusive) {
    return `${counts} Restart the site on every machine with the same keys, then run this again.`
  }
  await forgetRetiredKeys(db)
  const lost = unreadable > 0 ? ` ${unreadable} stay unreadable.` : ''
  return `${counts}${lost} ${howToRemove(settings.dataDir, options)}`
}

const HOW_TO_SET_A_KEY =
  'SECRET_KEY is set in the environment. Put its value into SECRET_KEYS_RETIRED, set SECRET_KEY to the output of `openssl rand -hex 32`, restart the site on every machine, then run this again.'

async function addKey(db: Database, settings: KeySettings, { secretKey }: SecretKeys): Promise<SecretKeys> {
  const next = addKeyToFile(settings.dataDir)
  const keys = { secretKey: next, retiredSecretKeys: [secretKey], isNewSecretKey: false }
  return prepareSecretKeys(db, { ...keys, dataDir: settings.dataDir })
}

function howToRemove(dataDir: string, { isKeyInEnvironment }: RotationOptions): string {
  const step = isKeyInEnvironment
    ? 'empty SECRET_KEYS_RETIRED'
    : `delete all lines but the first from ${keyFileOf(dataDir)}, and empty SECRET_KEYS_RETIRED`
  return `Former keys are needed only for older backups now. To remove them, ${step}.`
}
