import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { buildApp, type BuiltApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface TestApp extends BuiltApp {
  pool: pg.Pool
  database: TestDatabase
  close(): Promise<void>
}

/** The whole server on a database of its own, without pages; call it through `app.inject`. */
export async function createTestApp(settings: Partial<Config> = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-app-'))
  const config = { ...readConfig({ DATA_DIR: dataDir }), ...settings }
  const { pool } = database
  const built = await buildApp({ config, pool, log: false, web: 'none' })
  await built.app.ready()
  return {
    ...built,
    pool,
    database,
    close: async () => {
      await built.app.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
