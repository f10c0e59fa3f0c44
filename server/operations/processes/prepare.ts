// Sets up what exists once per site, however many processes serve it: PostgreSQL, migrations, demo data, the fake Discord.
import type pg from 'pg'
import type { Config } from '#server/platform/config.ts'
import type { SecretKeys } from '#server/platform/config/secret-keys.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { type Connection, maxConnections } from '#server/platform/db/pool.ts'
import {
  openPreparingPool,
  openSitePool,
  prepareExternalDatabase,
  requireDurability,
} from '#server/platform/db/prepare.ts'
import { prepareSecretKeys } from '#server/platform/db/secret-keys.ts'
import { callbackUrl } from '#server/features/accounts/discord.ts'
import { storeAssets } from '#server/platform/db/web-assets.ts'
import { findBackup, openSetup, readSetup } from '#server/operations/setup/setup.ts'
import { requireOwnArchive } from '#server/operations/wal-archive/scheduled.ts'
import type { Closers } from './run.ts'

/** Everything a process needs to serve the site. Plain data, because it is sent to worker processes. */
export interface Site {
  /** With the URL and the credentials of the fake Discord if it is used. */
  config: Config
  connection: Connection
  /** In ISO 8601. */
  startedAt: string
}

/** Throws `SettingError` for problems that the operator can fix. */
export async function prepare(settings: Config, closers: Closers): Promise<Site> {
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()
  const config = await startFakeDiscordIfNeeded(settings, closers)
  const connection = config.databaseUrl ?? (await startEmbeddedPostgres(config, closers))
  const keys = await prepareDatabase({ config, connection })
  return { config: { ...config, ...keys }, connection, startedAt }
}

/** Also loads the demo data into an empty database. Returns the keys to use. */
export async function prepareDatabase({ config, connection }: Omit<Site, 'startedAt'>): Promise<SecretKeys> {
  const pool = openPreparingPool(connection, config)
  try {
    return await checkAndFill(pool, config)
  } finally {
    await pool.end()
  }
}

async function checkAndFill(pool: pg.Pool, config: Config): Promise<SecretKeys> {
  if (config.databaseUrl) await prepareExternalDatabase(pool, config)
  else {
    await requireDurability(pool)
    await requireOwnArchive(pool, config.walArchive)
    await migrate(pool)
  }
  if (process.env.NODE_ENV !== 'development') await storeAssets(pool)
  const db = openDatabase(pool)
  // Throws if the setup chose a bucket whose settings are gone: no backups would be written.
  findBackup(config, await readSetup(db))
  await cleanIfPending(db)
  const keys = await prepareSecretKeys(db, config)
  if (!config.demoData || !(await isEmpty(db))) return keys
  // Imported here because it is needed once, and loads the image library.
  const { fillDemo } = await import('./fill-demo.ts')
  await fillDemo(pool, { ...config, ...keys })
  return keys
}

/** Changes texts of earlier versions that the rules of this one do not allow, and says which. */
async function cleanIfPending(db: Database): Promise<void> {
  if (!(await db.selectFrom('pending_cleanups').select('name').where('name', '=', 'texts').executeTakeFirst())) return
  // Imported here because it is needed once.
  const { cleanTexts } = await import('./clean-texts.ts')
  await cleanTexts(db, console.log)
}

async function isEmpty(db: Database): Promise<boolean> {
  return (await db.selectFrom('members').select('id').limit(1).executeTakeFirst()) === undefined
}

async function startEmbeddedPostgres({ dataDir, workers, walArchive }: Config, closers: Closers): Promise<Connection> {
  const starting = startPostgres({ dataDir, walArchive, maxConnections: maxConnections(workers) })
  // Registered before it runs: a signal during the start must not leave PostgreSQL behind.
  closers.push(() =>
    starting.then(
      (postgres) => postgres.stop(),
      () => {},
    ),
  )
  return (await starting).connection
}

async function startFakeDiscordIfNeeded(config: Config, closers: Closers): Promise<Config> {
  const { appEnv, discord, publicUrl, adminDiscordIds, demoData } = config
  if (appEnv !== 'local' || discord.clientId) return config
  const { startFakeDiscord } = await import('#server/operations/fake-discord/fake-discord.ts')
  const fakeDiscord = await startFakeDiscord({
    appEnv,
    apiUrl: discord.apiUrl,
    redirectUri: callbackUrl(publicUrl),
  })
  closers.push(() => fakeDiscord.close())
  // The demo data has an admin. Without it, the admin's test account must become one.
  const admins = demoData ? adminDiscordIds : [...adminDiscordIds, fakeDiscord.adminId]
  const { apiUrl, clientId, clientSecret } = fakeDiscord
  return { ...config, discord: { ...discord, apiUrl, clientId, clientSecret }, adminDiscordIds: admins }
}

/**
 * The link to the setup page of a site without an admin; undefined for others. Call it before the processes that serve the site
 * start. The token is behind the #, so that no server and no proxy logs it.
 */
export async function openSetupLink({ config, connection }: Site): Promise<string | undefined> {
  const pool = openSitePool(connection, config)
  try {
    const token = await openSetup(openDatabase(pool), config)
    return token && `${config.publicUrl}/setup#${token}`
  } finally {
    await pool.end()
  }
}
