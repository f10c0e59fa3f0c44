import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createAssetFinder, storeAssets } from './web-assets.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-assets-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

async function start(...names: string[]): Promise<void> {
  rmSync(folder, { recursive: true })
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-assets-'))
  for (const name of names) writeFileSync(path.join(folder, name), `content of ${name}`)
  await storeAssets(database.pool, folder)
}

const find = async (name: string) => (await createAssetFinder(openDatabase(database.pool))(name))?.toString()

test('files of other versions are found for 30 days', async () => {
  await start('page-1.js', 'page-1.js.br', 'styles-1.css')
  await start('page-2.js', 'styles-1.css')
  expect(await find('page-1.js')).toBe('content of page-1.js')
  expect(await find('page-2.js')).toBe('content of page-2.js')
  expect(await find('page-1.js.br')).toBe(undefined)
  await database.pool.query(`update web_assets set retired_at = retired_at - interval '31 days'`)
  await start('page-2.js', 'styles-1.css')
  expect(await find('page-1.js')).toBe(undefined)
  expect(await find('styles-1.css')).toBe('content of styles-1.css')
})

test('a version that starts again has its files', async () => {
  await start('page-3.js')
  await start('page-4.js')
  await start('page-3.js')
  const { rows } = await database.pool.query(`select name from web_assets where retired_at is null`)
  expect(rows).toEqual([{ name: 'page-3.js' }])
})
