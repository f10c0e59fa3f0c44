import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildApp } from '#server/app.ts'
import type { AppOptions, BuiltApp } from '#server/services.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import type { BoundedPool } from '#server/platform/db/pool.ts'
import { fakeSandboxes } from './fake-sandboxes.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Shared by the servers of one database. */
const SECRET_KEY = '5e'.repeat(32)

export interface TestApp extends BuiltApp {
  pool: BoundedPool
  database: TestDatabase
  config: Config
  close(): Promise<void>
}

/** The server without pages; use `app.inject`. Jobs only wait in their queues unless `runsJobs` is set. */
export async function createTestApp(
  settings: Partial<Config> = {},
  options: Pick<AppOptions, 'runsJobs' | 'sandboxes'> = {},
): Promise<TestApp> {
  const database = await createTestDatabase()
  const site = await createAppOn(database, database.pool, settings, options)
  return {
    ...site,
    close: async () => {
      await site.close()
      await database.drop()
    },
  }
}

/** A server on an existing database, for example a second process of one site. */
export async function createAppOn(
  database: TestDatabase,
  pool: BoundedPool,
  settings: Partial<Config> = {},
  options: Pick<AppOptions, 'isFirst' | 'runsJobs' | 'peers' | 'sandboxes'> &
    Partial<Pick<AppOptions, 'log' | 'logTo' | 'metrics' | 'tracing' | 'web'>> = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-app-'))
  // Tests write to the database directly, so the catalogue reads it too. Tests of the index override this.
  const env = { DATA_DIR: dataDir, SECRET_KEY, RATE_LIMIT: 'off', CATALOGUE_INDEX: 'database' }
  const config = { ...readConfig(env), ...settings }
  const built = await buildApp({
    config,
    pool,
    log: false,
    web: 'none',
    runsJobs: false,
    sandboxes: fakeSandboxes,
    ...options,
  })
  await built.app.ready()
  return {
    ...built,
    pool,
    database,
    config,
    close: async () => {
      await built.app.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
