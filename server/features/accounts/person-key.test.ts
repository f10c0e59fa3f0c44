import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { acceptLostKeys, resealAll } from '#server/platform/db/secret-keys.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { loadPersonKey } from './person-key.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.pool)
})
afterAll(() => database.drop())

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const keys = (secretKey: Buffer, ...retiredSecretKeys: Buffer[]) => ({
  secretKey,
  retiredSecretKeys,
  isNewSecretKey: false,
})
const hashWith = async (secretKey: Buffer, ...retired: Buffer[]) =>
  (await loadPersonKey(db, keys(secretKey, ...retired))).hash('4242').toString('hex')

test('the person key is created once and survives a change of the secret key', async () => {
  const [first, second] = await Promise.all([hashWith(FIRST), hashWith(FIRST)])
  expect(second).toBe(first)
  await expect(hashWith(SECOND)).rejects.toThrow(/^SECRET_KEY does not decrypt/)
  expect(await hashWith(SECOND, FIRST)).toBe(first)
  expect(await resealAll(db, keys(SECOND, FIRST))).toEqual({ changed: 1, unreadable: 0 })
  expect(await hashWith(SECOND)).toBe(first)

  await acceptLostKeys(db, { ...keys(THIRD), dataDir: '' })
  expect(await hashWith(THIRD)).not.toBe(first)
})
