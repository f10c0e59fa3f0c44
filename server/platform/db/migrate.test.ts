import type pg from 'pg'
import { expect, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from '#tests/support/database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openPoolLike } from './pool.ts'
import { requireDurability } from './prepare.ts'

test('migrating again changes nothing, also from several processes at once', async () => {
  const database = await createTestDatabase()
  const pools = [1, 2, 3].map(() => openPoolLike(database.pool, {}))
  const names = async () => (await database.pool.query('select name, applied_at from migrations order by 1')).rows
  const before = await names()
  await Promise.all(pools.map(migrate))
  expect(await names()).toEqual(before)
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

test('several processes that start on an empty database migrate it once', async () => {
  const database = await createEmptyDatabase()
  const pools = [1, 2, 3].map(() => openPoolLike(database.pool, {}))
  await Promise.all(pools.map(migrate))
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int from scripts')
  expect(rows).toEqual([{ count: 0 }])
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

test('a migration that was changed after it was applied is rejected', async () => {
  const database = await createTestDatabase()
  await database.pool.query("update migrations set checksum = 'other' where name like '0001%'")
  await expect(migrate(database.pool)).rejects.toThrow(
    /^The migration 0001-\S+ differs from the one that this database has\. Start the version of Scriptyard/,
  )
  await database.drop()
})

test('a database that could lose committed transactions is rejected', async () => {
  const database = await createTestDatabase()
  await expect(requireDurability(database.pool)).rejects.toThrow('fsync=off')
  await database.drop()
})

const addMigration = (pool: pg.Pool, name: string, isCompatible: boolean) =>
  pool.query(`insert into migrations (name, checksum, is_compatible) values ($1, 'x', $2)`, [name, isCompatible])

test('a schema of a newer version is rejected, unless its migrations are compatible', async () => {
  const database = await createTestDatabase()
  await addMigration(database.pool, '9001-more.sql', true)
  await migrate(database.pool)
  await addMigration(database.pool, '9002-less.sql', false)
  await expect(migrate(database.pool)).rejects.toThrow(
    'A newer version changed this database in a way that this version does not support (9002-less.sql). Start the newer version, or restore a backup of this one.',
  )
  await database.drop()
})

test('an incompatible migration waits until other processes of the site have stopped', async () => {
  const database = await createTestDatabase()
  const starting = openPoolLike(database.pool, {})
  await database.pool.query(`delete from migrations where name like '0074-%'`)
  await expect(migrate(starting)).rejects.toThrow(
    'This version changes the database in a way that running processes of the site do not support (0074-webhook-scripts.sql). Nothing was changed. Stop the site on all machines, then start this version.',
  )
  await starting.end()
  await database.drop()
})

test('each declaration of compatibility is valid', async () => {
  for (const { name, sql } of await readMigrations())
    for (const [line] of sql.matchAll(/^-- *compatible.*$/gim))
      expect([name, line]).toEqual([name, expect.stringMatching(/^-- compatible: (yes|no)$/)])
})
