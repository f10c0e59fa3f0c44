import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { addKeyToFile } from '#server/platform/config/secret-keys.ts'
import { loadPersonKey } from '#server/features/accounts/person-key.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { type Database, openDatabase } from './database.ts'
import { rotateKey, type RotationOptions } from './rotate-key.ts'
import { prepareSecretKeys } from './secret-keys.ts'

let database: TestDatabase
let db: Database
let folder: string
let file: string
beforeEach(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.pool)
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-keys-'))
  file = path.join(folder, 'secret-key')
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)]
const settings = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, ...env })
const start = (env: Record<string, string> = {}) => prepareSecretKeys(db, settings(env))
const linesOf = () => readFileSync(file, 'utf8').trim().split('\n')
const exists = () => statSync(file, { throwIfNoEntry: false }) !== undefined

const EXCLUSIVE: RotationOptions = { isKeyInEnvironment: false, isExclusive: true, acceptLoss: false }
const rotate = (options: Partial<RotationOptions> = {}, env: Record<string, string> = {}) =>
  rotateKey(db, settings(env), { ...EXCLUSIVE, ...options })

async function makePrize(secretKey: Buffer, prize: string): Promise<number> {
  const seal = createPrizeSeal(secretKey)
  return makeGiveaway(db, { sealed_seed: seal.seal('00'.repeat(32)), sealed_prizes: seal.seal(prize) })
}

/** Opens the prizes of all giveaways with one key and no retired ones. */
async function readPrizes(secretKey: Buffer): Promise<string[]> {
  const rows = await db.selectFrom('giveaways').select(['sealed_prizes', 'sealed_seed']).orderBy('id').execute()
  const seal = createPrizeSeal(secretKey)
  return rows.map((row) => (row.sealed_prizes && seal.open(row.sealed_seed) ? seal.open(row.sealed_prizes) : ''))
}

describe('the start', () => {
  test('creates the key file for an empty database, once, readable by its owner only', async () => {
    expect([settings().isNewSecretKey, exists()]).toEqual([true, false])
    const { secretKey } = await start()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await start()).secretKey).toEqual(secretKey)
    expect(settings()).toMatchObject({ secretKey, retiredSecretKeys: [], isNewSecretKey: false })
  })

  test('of two processes at once uses one key', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect(one.secretKey).toEqual(two.secretKey)
    expect(linesOf()).toEqual([one.secretKey.toString('hex')])
  })

  test('does not replace a key file that is missing', async () => {
    await start()
    rmSync(file)
    await expect(start()).rejects.toThrow(/^SECRET_KEY is missing: .*secret-key does not exist\. Restore the file/)
    expect(exists()).toBe(false)
  })

  test('does not create a key for a database with encrypted prizes', async () => {
    await makePrize(randomBytes(32), 'KEY-1')
    await expect(start()).rejects.toThrow(/^SECRET_KEY is missing/)
    expect(exists()).toBe(false)
  })

  test('rejects another key than the one of the database, also from before keys were recorded', async () => {
    await makePrize(Buffer.from(FIRST, 'hex'), 'KEY-1')
    await expect(start({ SECRET_KEY: SECOND })).rejects.toThrow(/^SECRET_KEY is not the key of this database\./)
    await start({ SECRET_KEY: FIRST })
    await expect(start({ SECRET_KEY: SECOND })).rejects.toThrow(
      /^SECRET_KEY is not the key of this database \(key id [0-9a-f]{16}\)\./,
    )
    expect(await start({ SECRET_KEY: FIRST })).toMatchObject({ isNewSecretKey: false })
  })

  test('accepts a new key beside the former one, and asks for the former one until nothing needs it', async () => {
    await start({ SECRET_KEY: FIRST })
    await start({ SECRET_KEY: SECOND, SECRET_KEYS_RETIRED: FIRST })
    await expect(start({ SECRET_KEY: FIRST })).rejects.toThrow(/^SECRET_KEY is not the key/)
    await expect(start({ SECRET_KEY: SECOND })).rejects.toThrow(/^SECRET_KEYS_RETIRED lacks a former key/)
    await rotate({ isKeyInEnvironment: true }, { SECRET_KEY: SECOND, SECRET_KEYS_RETIRED: FIRST })
    await start({ SECRET_KEY: SECOND })
  })
})

describe('rotating the key', () => {
  test('adds a key to the file and encrypts everything with it', async () => {
    const { secretKey: old } = await start()
    const id = await makePrize(old, 'KEY-1')
    const sealed_prize = createPrizeSeal(old).seal('WON')
    await db.insertInto('giveaway_entries').values({ giveaway_id: id, place: 1, sealed_prize }).execute()
    expect(await rotate()).toMatch(/^Encrypted 3 values .* delete all lines but the first from/)
    const [first = '', second] = linesOf()
    expect(second).toBe(old.toString('hex'))
    expect(await readPrizes(Buffer.from(first, 'hex'))).toEqual(['KEY-1'])
    // Runs again without another key until the former one is removed.
    expect(await rotate()).toMatch(/^Encrypted 0 values/)
    expect(linesOf()).toEqual([first, second])
  })

  test('goes on after an interruption', async () => {
    const { secretKey: old } = await start()
    for (let i = 0; i < 5; i++) await makePrize(old, `KEY-${i}`)
    const next = addKeyToFile(folder)
    const seal = createPrizeSeal(next)
    await db
      .updateTable('giveaways')
      .set({ sealed_prizes: seal.seal('KEY-0') })
      .where('id', '=', 1)
      .execute()
    await rotate()
    expect(await readPrizes(next)).toEqual(['KEY-0', 'KEY-1', 'KEY-2', 'KEY-3', 'KEY-4'])
    expect(linesOf()).toHaveLength(2)
  })

  test('beside a running site asks for a restart before the former key may be removed', async () => {
    const { secretKey: old } = await start()
    await makePrize(old, 'KEY-1')
    expect(await rotate({ isExclusive: false })).toContain('Restart the site on every machine')
    // A process that was not restarted yet still encrypts with the former key.
    await makePrize(old, 'KEY-2')
    expect(await rotate({ isExclusive: false })).toMatch(/^Encrypted 2 values .* Restart/)
    expect(await rotate({ isExclusive: false })).toMatch(/^Encrypted 0 values .* To remove them/)
  })

  test('does not change a key that the environment sets', async () => {
    await start({ SECRET_KEY: FIRST })
    const answer = await rotate({ isKeyInEnvironment: true }, { SECRET_KEY: FIRST })
    expect([answer, exists()]).toEqual([expect.stringContaining('SECRET_KEYS_RETIRED'), false])
  })

  test('accepts a lost key only with an option', async () => {
    const { secretKey: lost } = await start()
    await makePrize(lost, 'KEY-1')
    await loadPersonKey(db, settings())
    rmSync(file)
    await expect(rotate()).rejects.toThrow(/^SECRET_KEY is missing/)
    expect(await rotate({ acceptLoss: true })).toMatch(/^Encrypted 0 values .* 2 stay unreadable\./)
    const { secretKey } = await start()
    expect(secretKey).not.toEqual(lost)
    await loadPersonKey(db, settings())
  })
})
