import { sql } from 'kysely'
import { createKeyFile, keyFileOf, readKeyFile, type SecretKeys } from '#server/platform/config/secret-keys.ts'
import { SettingError } from '#server/platform/config/values.ts'
import type { Database, Transaction } from './database.ts'
import { createSeal, keyIdOf, type Seal, UnreadableError } from './seal.ts'

interface SealedColumn {
  table: string
  column: string
  purpose: string
}

/** Every column with sealed values. Their tables have a numeric `id`. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'giveaways', column: 'sealed_seed', purpose: 'giveaway prizes' },
  { table: 'giveaways', column: 'sealed_prizes', purpose: 'giveaway prizes' },
  { table: 'giveaway_entries', column: 'sealed_prize', purpose: 'giveaway prizes' },
  { table: 'webhooks', column: 'sealed_url', purpose: 'webhooks' },
  { table: 'webhooks', column: 'sealed_secret', purpose: 'webhooks' },
  { table: 'webhooks', column: 'sealed_former_secret', purpose: 'webhooks' },
  { table: 'repository_connections', column: 'sealed_secret', purpose: 'repository webhooks' },
  { table: 'setup', column: 'sealed_discord_secret', purpose: 'setup' },
  { table: 'person_key', column: 'sealed_key', purpose: 'person key' },
]

const CHECK_PURPOSE = 'key check'
const LOCK = 7_301_147
const IF_LOST = 'If it is lost, run `npm run rotate-key -- --accept-loss`.'

export type KeySettings = SecretKeys & { dataDir: string }

/** Records the current key, and creates the key file of a new database. Throws SettingError like `requireSecretKeys`. */
export function prepareSecretKeys(db: Database, settings: KeySettings): Promise<SecretKeys> {
  return db.transaction().execute(async (trx) => {
    await lockSecretKeys(trx)
    const keys = readAgainIfNew(settings)
    await requireSecretKeys(trx, { ...keys, dataDir: settings.dataDir })
    if (keys.isNewSecretKey) createKeyFile(settings.dataDir, [keys.secretKey])
    await recordCurrentKey(trx, keys)
    return { ...keys, isNewSecretKey: false }
  })
}

/** Throws SettingError unless the keys include every key that may have encrypted a value in this database. */
export async function requireSecretKeys(db: Database, { dataDir, ...keys }: KeySettings): Promise<void> {
  const recorded = await findRecordedKeys(db)
  if (keys.isNewSecretKey && (recorded.length > 0 || (await findSealedValue(db)))) throw missingKey(keyFileOf(dataDir))
  for (const row of recorded) requireKey(keys, row)
  if (recorded.length === 0) await requireKeyOfSealedValues(db, keys)
}

async function lockSecretKeys(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
}

// Another process may have created the file since the settings were read.
function readAgainIfNew({ secretKey, retiredSecretKeys, isNewSecretKey, dataDir }: KeySettings): SecretKeys {
  const [current, ...older] = (isNewSecretKey ? readKeyFile(dataDir) : undefined) ?? []
  if (!current) return { secretKey, retiredSecretKeys, isNewSecretKey }
  return { secretKey: current, retiredSecretKeys: [...older, ...retiredSecretKeys], isNewSecretKey: false }
}

interface RecordedKey {
  id: Buffer
  sealed_check: Buffer
  is_current: boolean
}

async function findRecordedKeys(db: Database): Promise<RecordedKey[]> {
  return db.selectFrom('secret_keys').select(['id', 'sealed_check', 'is_current']).orderBy('created_at').execute()
}

const canOpen = (seal: Seal, bytes: Buffer): boolean => {
  try {
    seal.open(bytes)
    return true
  } catch (error) {
    if (error instanceof UnreadableError) return false
    throw error
  }
}

const sealOf = ({ secretKey, retiredSecretKeys }: SecretKeys, purpose: string): Seal =>
  createSeal(secretKey, purpose, retiredSecretKeys)

function requireKey(keys: SecretKeys, { id, sealed_check, is_current }: RecordedKey): void {
  if (!canOpen(sealOf(keys, CHECK_PURPOSE), sealed_check)) throw wrongKey({ id, isCurrent: is_current })
}

async function findSealedValue(db: Database): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`select sealed_seed as sealed from giveaways
    order by id desc limit 1`.execute(db)
  return rows[0]?.sealed
}

async function requireKeyOfSealedValues(db: Database, keys: SecretKeys): Promise<void> {
  const sealed = await findSealedValue(db)
  if (sealed && !canOpen(sealOf(keys, 'giveaway prizes'), sealed)) throw wrongKey()
}

const missingKey = (file: string) =>
  new SettingError(
    'SECRET_KEY',
    `is missing: this database has values that were encrypted with a key, and the file ${file} does not exist. ` +
      `Restore the file from a backup, or set SECRET_KEY to the key. ${IF_LOST}`,
  )

function wrongKey(key?: { id: Buffer; isCurrent: boolean }): SettingError {
  const name = key ? ` (key id ${key.id.toString('hex')})` : ''
  if (key && !key.isCurrent) {
    return new SettingError(
      'SECRET_KEYS_RETIRED',
      `lacks a former key of this database${name}. Add it until \`npm run rotate-key\` says that it may be removed. ${IF_LOST}`,
    )
  }
  return new SettingError(
    'SECRET_KEY',
    `is not the key of this database${name}. Set the right key, or add it to SECRET_KEYS_RETIRED. ${IF_LOST}`,
  )
}

async function recordCurrentKey(trx: Transaction, keys: SecretKeys): Promise<void> {
  const id = keyIdOf(keys.secretKey)
  const sealed_check = sealOf(keys, CHECK_PURPOSE).seal('scriptyard')
  await sql`update secret_keys set is_current = false where is_current and id <> ${id}`.execute(trx)
  await sql`insert into secret_keys as known (id, sealed_check, is_current) values (${id}, ${sealed_check}, true)
    on conflict (id) do update set is_current = true where not known.is_current`.execute(trx)
}

interface Resealed {
  /** Values that are encrypted with the current key now and were not before. */
  changed: number
  /** Values that no configured key decrypts. They are left as they are. */
  unreadable: number
}

const BATCH = 200

/** Encrypts all sealed values with the current key, in small transactions, so that it can be interrupted and repeated. */
export async function resealAll(db: Database, keys: SecretKeys): Promise<Resealed> {
  const total = { changed: 0, unreadable: 0 }
  for (const column of SEALED_COLUMNS) {
    const seal = sealOf(keys, column.purpose)
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after
      const done = await db.transaction().execute((trx) => resealBatch(trx, column, { seal, from }))
      total.changed += done.changed
      total.unreadable += done.unreadable
      after = done.last
    }
  }
  return total
}

async function resealBatch(
  trx: Transaction,
  { table, column }: SealedColumn,
  { seal, from }: { seal: Seal; from: number },
): Promise<Resealed & { last: number | undefined }> {
  const name = sql.ref(column)
  const { rows } = await sql<{ id: number; sealed: Buffer }>`select id, ${name} as sealed from ${sql.table(table)}
    where id > ${from} and ${name} is not null order by id limit ${BATCH} for no key update`.execute(trx)
  const stale = rows.filter(({ sealed }) => !seal.isCurrent(sealed))
  const readable = stale.filter(({ sealed }) => canOpen(seal, sealed))
  for (const { id, sealed } of readable) {
    await sql`update ${sql.table(table)} set ${name} = ${seal.seal(seal.open(sealed))} where id = ${id}`.execute(trx)
  }
  return { changed: readable.length, unreadable: stale.length - readable.length, last: rows.at(-1)?.id }
}

/** Deletes the records of former keys: a start does not require them any more. */
export async function forgetRetiredKeys(db: Database): Promise<void> {
  await sql`delete from secret_keys where not is_current`.execute(db)
}

/** What lost keys encrypted stays unreadable, except the person key, which is replaced. */
export function acceptLostKeys(db: Database, settings: KeySettings): Promise<SecretKeys> {
  return db.transaction().execute(async (trx) => {
    await lockSecretKeys(trx)
    const keys = readAgainIfNew(settings)
    if (keys.isNewSecretKey) createKeyFile(settings.dataDir, [keys.secretKey])
    for (const { id, sealed_check } of await findRecordedKeys(trx)) {
      if (!canOpen(sealOf(keys, CHECK_PURPOSE), sealed_check))
        await trx.deleteFrom('secret_keys').where('id', '=', id).execute()
    }
    await deleteUnreadablePersonKey(trx, keys)
    await recordCurrentKey(trx, keys)
    return { ...keys, isNewSecretKey: false }
  })
}

// The next start derives another person key. Persons without an account can't be recognized by it.
async function deleteUnreadablePersonKey(trx: Transaction, keys: SecretKeys): Promise<void> {
  const row = await trx.selectFrom('person_key').select('sealed_key').executeTakeFirst()
  if (row && !canOpen(sealOf(keys, 'person key'), row.sealed_key)) await trx.deleteFrom('person_key').execute()
}
