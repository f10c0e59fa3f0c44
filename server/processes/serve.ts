import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type AppOptions, buildApp } from '#server/app.ts'
import { poolSize } from '#server/db/pool.ts'
import { openSitePool } from '#server/db/prepare.ts'
import type { App } from '#server/http/server.ts'
import { inheritedSocket, toListenError } from './listen.ts'
import type { Site } from './prepare.ts'
import type { Closers } from './run.ts'

/** For the index of a process that replaces one which has it. SQL would answer until then. */
const INDEX_TIMEOUT_MS = 60_000
const INDEX_POLL_MS = 50

export interface ServeOptions extends Pick<AppOptions, 'isFirst' | 'peers' | 'metrics'> {
  /** Whether to listen only once the index answers. */
  waitsForIndex?: boolean
}

/** Serves the site in this process. Throws `SettingError` if the address is not available. */
export async function serve(
  { config, connection, startedAt }: Site,
  closers: Closers,
  { waitsForIndex = false, ...options }: ServeOptions = {},
): Promise<App> {
  limitGarbageThreads()
  const pool = openSitePool(connection, config, poolSize(config.workers))
  closers.push(() => pool.end())
  const { trustProxy } = config
  const tracing =
    config.tracing && new (await import('#server/tracing/tracing.ts')).Tracing({ ...config.tracing, trustProxy })
  if (tracing) closers.push(() => tracing.close())
  const web = process.env.NODE_ENV === 'development' ? 'sources' : 'built'
  const { app, catalogue } = await buildApp({ config, pool, log: config.logLevel, web, startedAt, tracing, ...options })
  closers.push(() => app.close())
  const deadline = performance.now() + (waitsForIndex && config.catalogueIndex === 'memory' ? INDEX_TIMEOUT_MS : 0)
  while (!catalogue.isInMemory && performance.now() < deadline) await sleep(INDEX_POLL_MS)
  try {
    await app.listen({ port: config.port, host: config.host, ...inheritedSocket() })
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, config)
  }
  return app
}

/**
 * Leaves one processor free of garbage collection. By default Node marks garbage with four threads, which delays requests
 * by 20 ms and more on two processors.
 */
export function limitGarbageThreads(processors = availableParallelism()): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, processors - 1)}`)
}
