// Reads the settings, opens the database, serves until told to stop.
import type pg from 'pg'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { readEnvironment } from './config/environment.ts'
import { SettingError } from './config/setting-error.ts'
import { type EmbeddedPostgres, startPostgres } from './db/embedded.ts'
import { requireDurability } from './db/health.ts'
import { migrate } from './db/migrate.ts'
import { openPool } from './db/pool.ts'
import { callbackAddress } from './features/accounts/service.ts'
import { fillWithDemo } from './features/demo/service.ts'
import { startStandIn } from './stand-in/stand-in.ts'

type Close = () => Promise<void>

async function openDatabase(config: Config, closers: Close[]): Promise<pg.Pool> {
  const pool = openPool(config.databaseUrl ?? (await startEmbedded(config, closers)))
  closers.push(() => pool.end())
  try {
    await requireDurability(pool)
    await migrate(pool)
  } catch (error) {
    if (config.databaseUrl) throw explainDatabase(error as Error)
    throw error
  }
  return pool
}

async function startEmbedded({ dataDir }: Config, closers: Close[]): Promise<EmbeddedPostgres['connection']> {
  const starting = startPostgres({ dataDir })
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
async function standInForDiscord(config: Config, closers: Close[]): Promise<Config> {
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

async function serve(closers: Close[]): Promise<void> {
  const config = await standInForDiscord(readConfig(readEnvironment()), closers)
  const pool = await openDatabase(config, closers)
  const isDevelopment = process.env.NODE_ENV === 'development'
  const web = isDevelopment ? 'sources' : 'built'
  const { app, db, store, seal, catalogue } = await buildApp({ config, pool, log: config.logLevel, web })
  closers.push(() => app.close())
  if (config.demoData && (await fillWithDemo(db, { store, seal }))) catalogue.startAfresh()
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    throw explainListening(error as NodeJS.ErrnoException, config)
  }
  console.log(`${config.siteName} is at ${config.publicUrl}`)
}

function explainListening(error: NodeJS.ErrnoException, { port, host }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new SettingError('PORT', `${port} is taken; stop what uses it or set another.`)
  if (error.code === 'EACCES')
    return new SettingError('PORT', `${port} may not be used by this user; set one above 1023.`)
  return new SettingError(
    'HOST',
    `${host} cannot be listened on (${error.code}); set it to an address of this machine.`,
  )
}

/** Closes what was opened, the last first. */
async function closeAll(closers: Close[]): Promise<void> {
  for (const close of closers.toReversed()) await close().catch((error: unknown) => console.error(error))
}

async function run(): Promise<void> {
  const closers: Close[] = []
  let isClosing = false
  const stop = async (code: number) => {
    if (isClosing) return
    isClosing = true
    await closeAll(closers)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  // The start script went away without being able to say so.
  if (process.channel) process.on('disconnect', () => void stop(0))
  try {
    await serve(closers)
  } catch (error) {
    // What breaks because everything is being closed is no news.
    if (!isClosing) console.error(error instanceof SettingError ? error.message : error)
    await stop(1)
  }
}

await run()
