// Child process: the site in one process, under writes, with measurements over IPC. With or without the
// index and list cache.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSitePool } from '#server/platform/db/prepare.ts'
import { readQuery } from '#server/features/catalogue/query.ts'
import { limitGarbageThreads } from '#server/operations/processes/memory.ts'
import { startWrites } from './writes.ts'

limitGarbageThreads()
const config = readConfig(process.env)
const pool = openSitePool(config.databaseUrl ?? '', config)
const delay = monitorEventLoopDelay({ resolution: 1 })
const started = performance.now()
const { app, db, catalogue } = await buildApp({
  config,
  pool,
  log: false,
  web: process.env['WEB'] === 'built' ? 'built' : 'none',
})
await app.listen({ port: config.port, host: config.host })

async function reportStart(): Promise<void> {
  delay.enable()
  if (config.catalogueIndex === 'memory') while (!catalogue.isInMemory) await setTimeout(5)
  delay.disable()
  process.send?.({ ready: Math.round(performance.now() - started), stall: Math.round(delay.max / 1e6) })
}

/** Milliseconds until a write that bypasses this process appears in its lists. */
async function measureWrite(): Promise<number> {
  const title = `visible${Math.floor(Math.random() * 1e9)}`
  const start = performance.now()
  await sql`with searched as (
      update script_search set document = ${`'${title}':1A`}::tsvector where script_id = 1
    ) update scripts set title = ${title} where id = 1`.execute(db)
  const query = readQuery({ search: title, sort: 'title', order: 'asc', page: 1, limit: 1 })
  while (!(await catalogue.list(query)).body.includes(title)) await setTimeout(5)
  return performance.now() - start
}

async function reportVisibility(): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) times.push(await measureWrite())
  process.send?.({ visibility: Math.round(Math.max(...times)), memory: process.memoryUsage() })
}

process.on('message', (message: string) => {
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (message === 'visibility') void reportVisibility()
})

// Half of the writes count as this process's own, half reach it through the change feed.
const stopWrites = await startWrites(db, (ids) => {
  if (Math.random() < 0.5) catalogue.invalidate(ids)
})
void reportStart()

process.on('disconnect', () => {
  void (async () => {
    await stopWrites()
    await app.close()
    await pool.end()
    process.exit(0)
  })()
})
