// npm run bench [-- --quick]: the site against bare node:http that sends the same bytes, in one run on one machine.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { fillSynthetic } from '../scripts/synthetic/fill.ts'
import { makeFolder } from './folder.ts'
import { load } from './load.ts'
import { freePort, startReference, startSite } from './processes.ts'

const ADDRESSES = [
  { name: 'list of 20, cached', path: '/api/scripts' },
  { name: 'list, filtered and sorted, cached', path: '/api/scripts?free_only=true&sort=view_count' },
  { name: 'front page, cached', path: '/' },
]

async function makeData(dataDir: string, scripts: number): Promise<void> {
  const embedded = await startPostgres({ dataDir })
  const pool = openPool(embedded.connection)
  await migrate(pool)
  await fillSynthetic(pool, { scripts, seed: 1, onProgress: () => {} })
  await pool.end()
  await embedded.stop()
}

/** The same bytes and headers, as an uncompressed answer brings them. */
async function recordAnswer(url: string, file: string): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  const headers = Object.fromEntries(answer.headers)
  for (const own of ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']) delete headers[own]
  return headers
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, scripts: { type: 'string', default: '10000' } },
  })
  const seconds = values.quick ? 3 : 8
  const folder = await makeFolder()
  const dataDir = path.join(folder, 'data')
  console.log(`Making ${values.scripts} scripts...`)
  await makeData(dataDir, Number(values.scripts))
  const site = await startSite(dataDir, await freePort())
  const rows = []
  try {
    for (const { name, path: address } of ADDRESSES) {
      const file = path.join(folder, 'body')
      const headers = await recordAnswer(site.origin + address, file)
      const reference = await startReference(file, headers)
      const bare = await load(reference.origin, seconds)
      const ours = await load(site.origin + address, seconds)
      await reference.stop()
      rows.push({
        address: name,
        'requests/s': Math.round(ours.perSecond),
        'p99 ms': ours.p99,
        'node:http/s': Math.round(bare.perSecond),
        ratio: Number((ours.perSecond / bare.perSecond).toFixed(2)),
      })
    }
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
  console.table(rows)
  const results = path.resolve(import.meta.dirname, 'results')
  await mkdir(results, { recursive: true })
  await writeFile(path.join(results, 'latest.json'), `${JSON.stringify({ scripts: values.scripts, rows }, null, 2)}\n`)
}

await run()
