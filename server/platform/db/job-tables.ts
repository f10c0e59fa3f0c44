import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }

/** PostgreSQL schema of the job queue's tables, which belong to pg-boss (decision 42). */
export const JOBS_SCHEMA = 'jobs'

/** Creates or migrates the tables of the job queue. The caller has the lock of the migrations. */
export async function prepareJobTables(client: pg.ClientBase): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: JOBS_SCHEMA,
    supervise: false,
    schedule: false,
    registerInstance: false,
  })
  const failed = Promise.withResolvers<never>()
  boss.on('error', failed.reject)
  await Promise.race([boss.start(), failed.promise])
  await boss.stop()
}

/** True for a database without the job queue's tables. */
export async function hasCurrentJobTables(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    `${JOBS_SCHEMA}.version`,
  ])
  if (!rows[0]?.exists) return true
  const versions = await pool.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`)
  return versions.rows[0]?.version === bossPackage.pgboss.schema
}
