// The site in one process: with or without the index and the cache of lists, under writes, telling how it does.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openPool } from '#server/db/pool.ts'
import { readQuery } from '#server/features/catalogue/query.ts'
import { limitGarbageThreads } from '#server/processes/garbage.ts'
import { startWriting } from './writes.ts'

limitGarbageThreads()
const config = readConfig(process.env)
const pool = openPool(config.databaseUrl ?? '')
const delay = monitorEventLoopDelay({ resolution: 1 })
const started = performance.now()
const { app, db, catalogue } = await buildApp({
  config,
  pool,
  log: false,
  web: process.env['WEB'] === 'built' ? 'built' : 'none',
})
await app.listen({ port: config.port, host: config.host })

async function untilIndexed(): Promise<void> {
  delay.enable()
  if (config.catalogueIndex === 'memory') while (!catalogue.isInMemory) await setTimeout(5)
  delay.disable()
  process.send?.({ ready: Math.round(performance.now() - started), stall: Math.round(delay.max / 1e6) })
}

/** How long a write of another process takes to be in a list. */
async function seeWrite(): Promise<number> {
  const title = `seen${Math.floor(Math.random() * 1e9)}`
  const begin = performance.now()
  await sql`with searched as (
      update script_search set document = ${`'${title}':1A`}::tsvector where script_id = 1
    ) update scripts set title = ${title} where id = 1`.execute(db)
  const query = readQuery({ search: title, sort: 'title', order: 'asc', page: 1, limit: 1 })
  while (!(await catalogue.list(query)).body.includes(title)) await setTimeout(5)
  return performance.now() - begin
}

async function seeWrites(): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) times.push(await seeWrite())
  process.send?.({ seen: Math.round(Math.max(...times)), memory: process.memoryUsage() })
}

process.on('message', (asked) => {
  if (asked === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (asked === 'memory') process.send?.(process.memoryUsage())
  if (asked === 'seen') void seeWrites()
})

// Half of the writes come from elsewhere, as it were.
const stopWriting = await startWriting(db, (ids) => {
  if (Math.random() < 0.5) catalogue.noteChanged(ids)
})
void untilIndexed()

process.on('disconnect', () => {
  void (async () => {
    await stopWriting()
    await app.close()
    await pool.end()
    process.exit(0)
  })()
})
