// What there may only be one of: PostgreSQL, the migrations, the demo catalogue, the stand-in for Discord.
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { requireDurability } from '#server/db/health.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Connection } from '#server/db/pool.ts'
import { openSitePool, prepareForeignDatabase } from '#server/db/prepare.ts'
import { callbackUrl } from '#server/features/accounts/discord.ts'
import { startFakeDiscord } from '#server/fake-discord/fake-discord.ts'
import { maxConnections } from './connections.ts'
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
  const config = await startFakeDiscordIfNeeded(given, closers)
  const connection = config.databaseUrl ?? (await startEmbedded(config, closers))
  const pool = openSitePool(connection, config)
  try {
    await prepareDatabase(pool, config)
  } finally {
    await pool.end()
  }
  return { config, connection, startedAt }
}

async function prepareDatabase(pool: pg.Pool, config: Config): Promise<void> {
  if (config.databaseUrl) await prepareForeignDatabase(pool, config)
  else {
    await requireDurability(pool)
    await migrate(pool)
  }
  if (!config.demoData) return
  // Code for images and all, which the first of several processes needs for nothing else.
  const { fillDemo } = await import('./fill-demo.ts')
  await fillDemo(pool, config)
}

async function startEmbedded({ dataDir, workers }: Config, closers: Closers): Promise<Connection> {
  const starting = startPostgres({ dataDir, maxConnections: maxConnections(workers) })
  // Noted before it is up: a signal in the middle of the start must not leave PostgreSQL behind.
  closers.push(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => {},
    ),
  )
  return (await starting).connection
}

/** In `local` without an application at Discord, a stand-in takes Discord's place. */
async function startFakeDiscordIfNeeded(config: Config, closers: Closers): Promise<Config> {
  const { appEnv, discord, publicUrl, adminDiscordIds, demoData } = config
  if (appEnv !== 'local' || discord.clientId) return config
  const fakeDiscord = await startFakeDiscord({
    appEnv,
    apiUrl: discord.apiUrl,
    redirectUri: callbackUrl(publicUrl),
  })
  closers.push(() => fakeDiscord.close())
  // Among the demo's members is an admin already; elsewhere the first one has to come from somewhere.
  const admins = demoData ? adminDiscordIds : [...adminDiscordIds, fakeDiscord.adminId]
  const { apiUrl, clientId, clientSecret } = fakeDiscord
  return { ...config, discord: { ...discord, apiUrl, clientId, clientSecret }, adminDiscordIds: admins }
}
