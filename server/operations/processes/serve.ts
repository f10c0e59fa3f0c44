import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '#server/app.ts'
import type { AppOptions } from '#server/services.ts'
import { poolSize } from '#server/platform/db/pool.ts'
import { openSitePool } from '#server/platform/db/prepare.ts'
import type { App } from '#server/platform/http/app.ts'
import { inheritedSocket, toListenError } from './listen.ts'
import { limitGarbageThreads, releaseMemoryWhenIdle } from './memory.ts'
import type { Site } from './prepare.ts'
import type { Closers } from './run.ts'

/** How long a process that replaces another one waits for its index before it listens. Until then SQL would answer. */
const INDEX_TIMEOUT_MS = 60_000
const INDEX_POLL_MS = 50

export interface ServeOptions extends Pick<AppOptions, 'isFirst' | 'peers' | 'metrics'> {
  waitsForIndex?: boolean
}

/** Throws `SettingError` if the address is not available. */
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
    config.tracing &&
    new (await import('#server/operations/tracing/tracing.ts')).Tracing({ ...config.tracing, trustProxy })
  if (tracing) closers.push(() => tracing.close())
  const web = process.env.NODE_ENV === 'development' ? 'sources' : 'built'
  const { app, catalogue } = await buildApp({ config, pool, log: config.logLevel, web, startedAt, tracing, ...options })
  closers.push(() => app.close())
  const deadline = performance.now() + (waitsForIndex && config.catalogueIndex === 'memory' ? INDEX_TIMEOUT_MS : 0)
  while (!catalogue.isInMemory && performance.now() < deadline) await sleep(INDEX_POLL_MS)
  // For the next process. Otherwise Node writes its cache of compiled modules when this one exits, and not at all if it is
  // killed.
  flushCompileCache()
  try {
    await app.listen({ port: config.port, host: config.host, ...inheritedSocket() })
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, config)
  }
  releaseMemoryWhenIdle()
  return app
}
