// The API by itself, without pages: with or without the index and the cache of lists, under writes, telling how it does.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { readQuery } from '#server/features/catalogue/query.ts'

const WRITE_EVERY_MS = 100

const config = readConfig({ ...process.env, RATE_LIMIT: 'off', DEMO_DATA: 'off' })
const embedded = await startPostgres({ dataDir: config.dataDir })
const pool = openPool(embedded.connection)
await migrate(pool)
const delay = monitorEventLoopDelay({ resolution: 1 })
const started = performance.now()
const listCacheBytes = process.env['LIST_CACHE'] === 'off' ? 0 : undefined
const { app, db, catalogue } = await buildApp({ config, pool, log: false, web: 'none', listCacheBytes })
await app.listen({ port: config.port, host: config.host })

async function untilIndexed(): Promise<void> {
  delay.enable()
  if (config.catalogueIndex === 'memory') while (!catalogue.isInMemory) await setTimeout(5)
  delay.disable()
  const ms = Math.round(performance.now() - started)
  process.send?.({ ready: ms, stall: Math.round(delay.max / 1e6), memory: process.memoryUsage() })
}

let last = 0
async function write(): Promise<void> {
  const { rows } = await sql<{ id: number }>`update script_stats set view_count = view_count + 1
    where script_id = (select 1 + floor(random() * ${last})::int) returning script_id as id`.execute(db)
  // Half of the writes come from elsewhere, as it were.
  if (Math.random() < 0.5) catalogue.noteChanged(rows.map(({ id }) => id))
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

process.on('message', (asked) => {
  if (asked === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (asked === 'seen') {
    void (async () => {
      const times: number[] = []
      for (let round = 0; round < 5; round++) times.push(await seeWrite())
      process.send?.({ seen: Math.round(Math.max(...times)), memory: process.memoryUsage() })
    })()
  }
})

const { rows } = await sql<{ last: number }>`select max(id) as last from scripts`.execute(db)
last = rows[0]?.last ?? 1
const writing = setInterval(() => void write(), WRITE_EVERY_MS)
void untilIndexed()

process.on('disconnect', () => {
  clearInterval(writing)
  void (async () => {
    await app.close()
    await pool.end()
    await embedded.stop()
    process.exit(0)
  })()
})
