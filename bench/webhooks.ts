// node bench/webhooks.ts [--deliveries 10000] [--webhooks 20]
// Measures how fast a site delivers webhook events to a receiver on the same machine, from the commit of the first event to
// the last success, with the HTTP server's event loop in the same process.
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'
import { makeTemporaryFolder } from './data.ts'

const { values } = parseArgs({
  options: { deliveries: { type: 'string', default: '10000' }, webhooks: { type: 'string', default: '20' } },
})
const deliveries = Number(values.deliveries)
const webhooks = Number(values.webhooks)
const TARGET_PER_MINUTE = 10_000
const SCRIPTS = 200

const received = { count: 0 }
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    received.count++
    response.writeHead(204).end()
  })
})
receiver.listen(0, '127.0.0.1')

const folder = await makeTemporaryFolder()
const postgres = await startPostgres({ dataDir: folder })
const pool = openPool(postgres.connection)
await migrate(pool)
const config = readConfig({ DATA_DIR: folder, SECRET_KEY: '5e'.repeat(32), CATALOGUE_INDEX: 'database' })
const site = await buildApp({ config, pool, log: 'warn', web: 'none' })
const { port } = receiver.address() as AddressInfo
for (let i = 0; i < webhooks; i++) await makeWebhook(site.db, { url: `http://127.0.0.1:${port}/` })
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const started = performance.now()
await site.db.transaction().execute(async (trx) => {
  await sql`with event as (insert into webhook_events (type, body) select 'review.posted', ${JSON.stringify({
    type: 'review.posted',
    timestamp: new Date(),
    data: { review: { text: 'x'.repeat(500) } },
  })} from generate_series(1, ${deliveries / webhooks}::int) returning id)
    insert into webhook_deliveries (webhook_id, event_id, lane) select w.id, event.id, event.id % ${SCRIPTS}
    from event cross join webhooks w`.execute(trx)
  await site.jobs.enqueue(trx, 'deliver-webhooks', {})
})
while (received.count < deliveries) await sleep(20)
const seconds = (performance.now() - started) / 1000
const perMinute = Math.round((deliveries / seconds) * 60)
console.table([
  {
    deliveries,
    webhooks,
    seconds: Number(seconds.toFixed(1)),
    'per minute': perMinute,
    target: TARGET_PER_MINUTE,
    'event loop p99 ms': Math.round(delay.percentile(99) / 1e6),
    'event loop max ms': Math.round(delay.max / 1e6),
  },
])
await site.app.close()
receiver.closeAllConnections()
receiver.close()
await pool.end()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
