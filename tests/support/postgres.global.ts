import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#server/db/embedded.ts'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { migrate } from '#server/db/migrate.ts'

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

/** Starts a throwaway PostgreSQL for all test files of a project. */
export default async function startTestPostgres(project: TestProject) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-tests-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  const template = 'migrated_template'
  await createTemplate(postgres.connection, template)
  project.provide('postgres', { connection: postgres.connection, template })
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function createTemplate(connection: EmbeddedPostgres['connection'], name: string): Promise<void> {
  const admin = new pg.Pool({ ...connection, max: 1 })
  await admin.query(`create database ${name}`)
  await admin.end()
  const pool = new pg.Pool({ ...connection, database: name })
  await migrate(pool)
  await pool.end()
}
