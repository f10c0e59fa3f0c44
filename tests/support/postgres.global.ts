import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#server/platform/db/embedded.ts'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { migrate } from '#server/platform/db/migrate.ts'
import { storeAssets } from '#server/platform/db/web-assets.ts'
import { PREPARED_DATA } from './prepared-data.ts'

interface TestPostgres {
  connection: EmbeddedPostgres['connection']
  /** The migrated, empty database that every test database is cloned from. */
  template: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

const PREPARED_DATABASE = 'postgres'
const TEMPLATE = 'migrated_template'

/** The server that all projects of a run share, and the number of projects that use it. */
let running: Promise<{ postgres: EmbeddedPostgres; folder: string }> | undefined
let users = 0

/** Starts a throwaway PostgreSQL for all test files. */
export default async function startTestPostgres(project: TestProject) {
  users++
  running ??= start()
  const { postgres, folder } = await running
  project.provide('postgres', { connection: postgres.connection, template: TEMPLATE })
  return async () => {
    if (--users > 0) return
    running = undefined
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

async function start() {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-tests-'))
  // PostgreSQL runs as another user when root runs the tests, and has to reach its folder.
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'server')
  await prepareData(dataDir)
  const prepared = path.join(folder, 'prepared')
  if (process.platform !== 'win32') {
    execFileSync('cp', ['-a', dataDir, prepared])
    // Inherited by the workers.
    process.env[PREPARED_DATA] = prepared
  }
  const postgres = await startPostgres({ dataDir, durable: false })
  // No connection may use the database that is cloned.
  await runIn(postgres, 'template1', `create database ${TEMPLATE} template ${PREPARED_DATABASE} strategy file_copy`)
  await runIn(postgres, TEMPLATE, 'truncate web_assets')
  return { postgres, folder }
}

async function runIn({ connection }: EmbeddedPostgres, database: string, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Creates a migrated database with the files of the build, and stops its server so that it can be copied. */
async function prepareData(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir, durable: false })
  const pool = new pg.Pool({ ...postgres.connection, database: PREPARED_DATABASE })
  // A connection that is still closing reports the stop of the server.
  pool.on('error', () => {})
  await migrate(pool)
  await storeAssets(pool)
  await pool.end()
  await postgres.stop()
}
