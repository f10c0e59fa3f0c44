// Runs a command of the operator on the site's database: starts the embedded PostgreSQL if needed, migrates, and reports errors.
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { type Config, readConfig } from '#server/platform/config.ts'
import { readEnvironment, UserFacingError } from '#server/platform/config/values.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool, SLOW_SERVER } from '#server/platform/db/pool.ts'
import { prepareSecretKeys } from '#server/platform/db/secret-keys.ts'
import { type MediaLibrary, openMedia } from '#server/platform/media/upload.ts'

export interface CommandSite {
  /** With the secret keys to use. */
  config: Config
  pool: pg.Pool
  db: Database
  openMedia: () => MediaLibrary
}

/** Runs a command on the migrated database of the site, and prints what it returns. */
export const runCommand = (run: (site: CommandSite) => Promise<string>): Promise<void> =>
  printResult(() => runOnSite(run))

/** Prints a user-facing error as one sentence and any other with its stack, and sets the exit code 1. */
export async function printResult(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run())
  } catch (error) {
    const isExpected = error instanceof UserFacingError || isArgumentError(error)
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  }
}

async function runOnSite(run: (site: CommandSite) => Promise<string>): Promise<string> {
  const config = readConfig(readEnvironment())
  const { dataDir, walArchive } = config
  const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir, walArchive })
  const connection = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.connection ?? ''
  const pool = openPool(connection, undefined, { silence: SLOW_SERVER })
  try {
    await migrate(pool)
    const db = openDatabase(pool)
    const keys = await prepareSecretKeys(db, config)
    const site = { ...config, ...keys }
    return await run({
      config: site,
      pool,
      db,
      openMedia: () => openMedia(site, { concurrency: availableParallelism() }),
    })
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
