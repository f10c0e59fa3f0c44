import { createHmac, hkdfSync } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'
import { SettingError } from '#server/platform/config/values.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createSeal, type Seal, UnreadableError } from '#server/platform/db/seal.ts'

const PURPOSE = 'person identity'
const KEY_BYTES = 32

type Keys = Pick<Config, 'secretKey' | 'retiredSecretKeys'>

/** Hashes Discord ids, so that the database recognizes persons without an account. */
export class PersonKey {
  readonly #key: Buffer
  readonly #secretKeys: Buffer[]

  constructor(key: Buffer, { secretKey, retiredSecretKeys }: Keys) {
    this.#key = key
    this.#secretKeys = [secretKey, ...retiredSecretKeys]
  }

  hash(discordId: string): Buffer {
    return createHmac('sha256', this.#key).update(discordId).digest()
  }

  /** The hashes under which version 0.1 may have stored mutes of deleted accounts. */
  formerHashes(discordId: string): Buffer[] {
    return this.#secretKeys.map((key) => createHmac('sha256', key).update(`kept mute\n${discordId}`).digest())
  }
}

/**
 * Reads the person key, which the first start derives from the secret key and stores encrypted. It never changes, so hashes
 * outlive a change of the secret key. Throws SettingError if no secret key decrypts it.
 */
export async function loadPersonKey(db: Database, keys: Keys): Promise<PersonKey> {
  const { secretKey, retiredSecretKeys } = keys
  const seal = createSeal(secretKey, 'person key', retiredSecretKeys)
  const sealed = (await findSealedKey(db)) ?? (await createSealedKey(db, seal, secretKey))
  return new PersonKey(openKey(seal, sealed), keys)
}

async function findSealedKey(db: Database): Promise<Buffer | undefined> {
  const row = await db.selectFrom('person_key').select('sealed_key').executeTakeFirst()
  return row?.sealed_key
}

/** If several processes start at once, the first one creates the key. */
async function createSealedKey(db: Database, seal: Seal, secretKey: Buffer): Promise<Buffer> {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, KEY_BYTES))
  const sealed_key = seal.seal(key.toString('hex'))
  await db
    .insertInto('person_key')
    .values({ sealed_key })
    .onConflict((on) => on.doNothing())
    .execute()
  return (await findSealedKey(db)) ?? sealed_key
}

function openKey(seal: Seal, sealed: Buffer): Buffer {
  try {
    return Buffer.from(seal.open(sealed), 'hex')
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new SettingError('SECRET_KEY', 'does not decrypt the data of this database; set it to the key that does.')
  }
}
