// A child process of the primary, run from the next version: migrates the database and sends what the workers need.
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { findInstalledMajor } from '@scriptyard/embedded-postgres/installation'
import type pg from 'pg'
import { type Config, readConfig } from '#server/platform/config.ts'
import { type Environment, readEnvironment, SettingError, UserFacingError } from '#server/platform/config/values.ts'
import { requireCompatibleMigrations } from '#server/platform/db/migrate.ts'
import { openPreparingPool } from '#server/platform/db/prepare.ts'
import { prepareDatabase, type Site } from './prepare.ts'
import type { PreparedReload } from './reload.ts'

/** Settings of the primary process, which is not replaced. */
const FIXED = {
  port: 'PORT',
  host: 'HOST',
  workers: 'WORKERS',
  databaseUrl: 'DATABASE_URL',
  metrics: 'METRICS_PORT',
} as const satisfies Partial<Record<keyof Config, string>>

async function prepareReload(env: Environment, former: Site): Promise<Site> {
  const config = withFakeDiscord(readConfig(env), former.config)
  for (const [name, setting] of Object.entries(FIXED) as [keyof typeof FIXED, string][]) {
    if (isDeepStrictEqual(config[name], former.config[name])) continue
    throw new SettingError(setting, 'has changed, which needs a restart: stop the site and start it again.')
  }
  const connection = config.databaseUrl ?? former.connection
  const pool = openPreparingPool(config.databaseDirectUrl ?? connection, {})
  try {
    if (!config.databaseUrl) await requireSamePostgres(pool)
    await requireCompatibleMigrations(pool)
  } finally {
    await pool.end()
  }
  const keys = await prepareDatabase({ config, connection })
  return { ...former, config: { ...config, ...keys }, connection }
}

/** Throws UserFacingError if the next start would not read the data of the embedded PostgreSQL that is running. */
async function requireSamePostgres(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  const [running, own] = [rows[0]?.major, findInstalledMajor()]
  if (running === own) return
  throw new UserFacingError(
    `This version comes with PostgreSQL ${own}, but the database runs on PostgreSQL ${running}. Follow "A new major version of PostgreSQL" in docs/operations.md.`,
  )
}

/** The fake Discord of the primary process goes on. */
function withFakeDiscord(config: Config, former: Config): Config {
  if (config.appEnv !== 'local' || config.discord.clientId) return config
  return { ...config, discord: former.discord, adminDiscordIds: former.adminDiscordIds }
}

const send = (result: PreparedReload) => new Promise((resolve) => process.send?.(result, undefined, undefined, resolve))

process.once('disconnect', () => process.exit(1))
const [former] = (await once(process, 'message')) as [Site]
try {
  await send({ site: await prepareReload(readEnvironment(), former) })
} catch (error) {
  if (!(error instanceof UserFacingError)) console.error(error)
  await send({
    error: error instanceof UserFacingError ? error.message : `The new version cannot start (${String(error)}).`,
  })
}
process.exit(0)
