// What there may only be one of: PostgreSQL, the migrations, the demo catalogue, the stand-in for Discord.
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { SettingError } from '#server/config/setting-error.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { requireDurability } from '#server/db/health.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Connection, openPool } from '#server/db/pool.ts'
import { callbackAddress } from '#server/features/accounts/service.ts'
import { startStandIn } from '#server/stand-in/stand-in.ts'
import { mostConnections } from './connections.ts'
import type { Closers } from './run.ts'

/** All that a process needs to serve the site. Plain data: it goes to other processes as it is. */
export interface Site {
  /** With the stand-in's address and secret where it takes Discord's place. */
  config: Config
  connection: Connection
  /** In ISO 8601. */
  startedAt: string
}

/** Opens what is needed once, however many processes serve. Throws `SettingError` for what can be mended. */
export async function prepare(given: Config, closers: Closers): Promise<Site> {
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()
  const config = await standInForDiscord(given, closers)
  const connection = config.databaseUrl ?? (await startEmbedded(config, closers))
  const pool = openPool(connection)
  try {
    await prepareDatabase(pool, config)
  } finally {
    await pool.end()
  }
  return { config, connection, startedAt }
}

async function prepareDatabase(pool: pg.Pool, config: Config): Promise<void> {
  try {
    await requireDurability(pool)
    await migrate(pool)
  } catch (error) {
    if (config.databaseUrl) throw explainDatabase(error as Error)
    throw error
  }
  if (!config.demoData) return
  // Code for images and all, which the first of several processes needs for nothing else.
  const { fillDemo } = await import('./fill-demo.ts')
  await fillDemo(pool, config)
}

async function startEmbedded({ dataDir, workers }: Config, closers: Closers): Promise<Connection> {
  const starting = startPostgres({ dataDir, maxConnections: mostConnections(workers) })
  // Noted before it is up: a signal in the middle of the start must not leave PostgreSQL behind.
  closers.push(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => {},
    ),
  )
  return (await starting).connection
}

function explainDatabase(error: Error): Error {
  const reason = error.message || (error as NodeJS.ErrnoException).code
  return new SettingError('DATABASE_URL', `names a database that cannot be used (${reason}); check it and start again.`)
}

/** In `local` without an application at Discord, a stand-in takes Discord's place. */
async function standInForDiscord(config: Config, closers: Closers): Promise<Config> {
  const { appEnv, discord, publicUrl, adminDiscordIds, demoData } = config
  if (appEnv !== 'local' || discord.clientId) return config
  const standIn = await startStandIn({
    appEnv,
    apiUrl: discord.apiUrl,
    redirectUri: callbackAddress(publicUrl),
  })
  closers.push(() => standIn.close())
  // Among the demo's members is an admin already; elsewhere the first one has to come from somewhere.
  const admins = demoData ? adminDiscordIds : [...adminDiscordIds, standIn.adminId]
  const { apiUrl, clientId, clientSecret } = standIn
  return { ...config, discord: { ...discord, apiUrl, clientId, clientSecret }, adminDiscordIds: admins }
}
