// Child process: the site in one process, under writes unless WRITES is off, with measurements over IPC. With or without the
// index and list cache.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openSitePool } from '#server/db/prepare.ts'
import { readQuery } from '#server/features/catalogue/query.ts'
import { Metrics } from '#server/metrics/metrics.ts'
import { Tracing } from '#server/tracing/tracing.ts'
import { limitGarbageThreads } from '#server/processes/memory.ts'
import type { SlicePair } from './processes.ts'
import { startWrites } from './writes.ts'

/**
 * Metrics that are switched on and off while the process serves. Two processes with the same settings differ by several
 * percent, because the compiler and the memory allocator decide differently in each.
 */
class SwitchedMetrics extends Metrics {
  isOn = true
  responses = 0

  override recordResponse(method: string, route: string, status: number, seconds: number): void {
    this.responses++
    if (this.isOn) super.recordResponse(method, route, status, seconds)
  }
}

limitGarbageThreads()
const config = readConfig(process.env)
const pool = openSitePool(config.databaseUrl ?? '', config)
const delay = monitorEventLoopDelay({ resolution: 1 })
const started = performance.now()
const metrics = config.metrics && new SwitchedMetrics()
const tracing = config.tracing && new Tracing({ ...config.tracing, trustProxy: config.trustProxy })
const { app, db, catalogue } = await buildApp({
  config,
  pool,
  log: false,
  web: process.env['WEB'] === 'built' ? 'built' : 'none',
  metrics,
  tracing,
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

/** Long enough for several garbage collections, short enough that the speed of the machine does not change. */
const SLICE_MS = 200

/** CPU time per response in one slice of the load, µs. Linux updates the time of a thread alone only once in some milliseconds. */
async function measureSlice(switched: SwitchedMetrics, isOn: boolean): Promise<number> {
  switched.isOn = isOn
  const responses = switched.responses
  const before = process.cpuUsage()
  await setTimeout(SLICE_MS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (switched.responses - responses)
}

/** Measures slices of the same load with and without metrics, in pairs whose order alternates. */
async function compareMetrics(pairs: number): Promise<SlicePair[]> {
  if (!metrics) throw new Error('This site has no metrics.')
  const measured: SlicePair[] = []
  for (let i = 0; i < pairs; i++) {
    const first = await measureSlice(metrics, i % 2 === 0)
    const second = await measureSlice(metrics, i % 2 !== 0)
    measured.push(i % 2 === 0 ? { with: first, without: second } : { with: second, without: first })
  }
  return measured
}

process.on('message', (message: string | { pairs: number }) => {
  if (typeof message === 'object') void compareMetrics(message.pairs).then((pairs) => process.send?.(pairs))
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (message === 'memory') process.send?.(process.memoryUsage())
  if (message === 'visibility') void reportVisibility()
})

// Half of the writes count as this process's own, half reach it through the change feed.
const stopWrites =
  process.env['WRITES'] === 'off'
    ? undefined
    : await startWrites(db, (ids) => {
        if (Math.random() < 0.5) catalogue.invalidate(ids)
      })
void reportStart()

process.on('disconnect', () => {
  void (async () => {
    await stopWrites?.()
    await app.close()
    await pool.end()
    process.exit(0)
  })()
})
