import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type EmbeddedPostgres, startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: EmbeddedPostgres['connection']
  }
}

export const TEMPLATE = 'migrated_template'

/** One throwaway PostgreSQL for the whole run, with a migrated database in it that every test database is a copy of. */
export default async function startTestPostgres(project: TestProject) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-tests-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  await makeTemplate(postgres.connection)
  project.provide('postgres', postgres.connection)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function makeTemplate(connection: EmbeddedPostgres['connection']): Promise<void> {
  const admin = new pg.Pool({ ...connection, max: 1 })
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const template = new pg.Pool({ ...connection, database: TEMPLATE })
  await migrate(template)
  await template.end()
}
