// npm run bench [-- --quick] [--scripts 100000] [--data DIR]: the site against bare node:http that sends the same bytes,
// in one run on one machine. The data made for it stays where --data says, for the next time.
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { fillSynthetic } from '../scripts/synthetic/fill.ts'
import { makeFolder } from './folder.ts'
import { measureLists } from './lists.ts'
import { load } from './load.ts'
import { freePort, startReference, startSite } from './processes.ts'
import { recordAnswer } from './record.ts'

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

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      scripts: { type: 'string' },
      data: { type: 'string' },
    },
  })
  const seconds = values.quick ? 3 : 8
  const folder = await makeFolder()
  const scripts = Number(values.scripts ?? (values.quick ? 10_000 : 100_000))
  const dataDir = values.data ? path.resolve(values.data) : path.join(folder, 'data')
  if (!existsSync(dataDir)) {
    console.log(`Making ${scripts} scripts...`)
    await makeData(dataDir, scripts)
  }
  const site = await startSite(dataDir, await freePort())
  const rows = []
  let lists: Awaited<ReturnType<typeof measureLists>> | undefined
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
    await site.stop()
    lists = await measureLists({ dataDir, folder, scripts, seconds })
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
  console.table(rows)
  for (const table of Object.values(lists ?? {})) console.table(table)
  const results = path.resolve(import.meta.dirname, 'results')
  await mkdir(results, { recursive: true })
  await writeFile(path.join(results, 'latest.json'), `${JSON.stringify({ scripts, rows, lists }, null, 2)}\n`)
}

await run()
