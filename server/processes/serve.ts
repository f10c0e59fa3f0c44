import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { type AppOptions, buildApp } from '#server/app.ts'
import { poolSize } from '#server/db/pool.ts'
import { openSitePool } from '#server/db/prepare.ts'
import { inheritedSocket, toListenError } from './listen.ts'
import type { Site } from './prepare.ts'
import type { Closers } from './run.ts'

/** Serves the site in this process. Throws `SettingError` if the address is not available. */
export async function serve(
  { config, connection, startedAt }: Site,
  closers: Closers,
  options: Pick<AppOptions, 'isFirst' | 'peers' | 'metrics'> = {},
): Promise<void> {
  limitGarbageThreads()
  const pool = openSitePool(connection, config, poolSize(config.workers))
  closers.push(() => pool.end())
  const web = process.env.NODE_ENV === 'development' ? 'sources' : 'built'
  const { app } = await buildApp({ config, pool, log: config.logLevel, web, startedAt, ...options })
  closers.push(() => app.close())
  try {
    await app.listen({ port: config.port, host: config.host, ...inheritedSocket() })
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, config)
  }
}

/**
 * Leaves one processor free of garbage collection. By default Node marks garbage with four threads, which delays requests
 * by 20 ms and more on two processors.
 */
export function limitGarbageThreads(processors = availableParallelism()): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, processors - 1)}`)
}
