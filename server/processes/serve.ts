import { type AppOptions, buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { SettingError } from '#server/config/setting-error.ts'
import { openSitePool } from '#server/db/prepare.ts'
import { poolSize } from './connections.ts'
import { limitGarbageThreads } from './garbage.ts'
import type { Site } from './prepare.ts'
import type { Closers } from './run.ts'

/** Serves the site in this process. Throws `SettingError` where nobody can listen. */
export async function serve(
  { config, connection, startedAt }: Site,
  closers: Closers,
  among: Pick<AppOptions, 'isFirst' | 'peers'> = {},
): Promise<void> {
  limitGarbageThreads()
  const pool = openSitePool(connection, config, poolSize(config.workers))
  closers.push(() => pool.end())
  const web = process.env.NODE_ENV === 'development' ? 'sources' : 'built'
  const { app } = await buildApp({ config, pool, log: config.logLevel, web, startedAt, ...among })
  closers.push(() => app.close())
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    throw explainListening(error as NodeJS.ErrnoException, config)
  }
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
