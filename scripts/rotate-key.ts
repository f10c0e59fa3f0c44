// npm run rotate-key [-- --accept-loss]: encrypts what the database keeps secret with a new SECRET_KEY.
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { readEnvironment, readText } from '#server/config/values.ts'
import { openDatabase } from '#server/db/database.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { rotateKey } from '#server/db/rotate-key.ts'
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
