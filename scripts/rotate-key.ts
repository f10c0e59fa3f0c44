// npm run rotate-key [-- --accept-loss]: encrypts what the database keeps secret with a new SECRET_KEY.
import { parseArgs } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { readEnvironment, readText } from '#server/platform/config/values.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { rotateKey } from '#server/platform/db/rotate-key.ts'
import { printResult } from './run-command.ts'

async function run(): Promise<string> {
  const { values } = parseArgs({ options: { 'accept-loss': { type: 'boolean', default: false } } })
  const env = readEnvironment()
  const config = readConfig(env)
  const { dataDir, walArchive } = config
  const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir, walArchive })
  const pool = openPool(config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.connection ?? '')
  try {
    await migrate(pool)
    return await rotateKey(openDatabase(pool), config, {
      isKeyInEnvironment: readText(env, 'SECRET_KEY') !== undefined,
      isExclusive: embedded !== undefined,
      acceptLoss: values['accept-loss'],
    })
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

await printResult(run)
