// npm run bench dumps [-- --scripts 100000] [--rounds 5] [--data DIR]
// Time of a data dump, and the latency of lists while its process runs beside the site, in alternating rounds.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '#server/db/pool.ts'
import { DailyDump } from '#server/features/dumps/daily.ts'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { load, median } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startInstrumentedSite } from './processes.ts'
import { printReport } from './report.ts'

const SECONDS = 4
/** Few enough that the site does not use all processors by itself. */
const CONNECTIONS = 2
const URLS = 2000

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    data: { type: 'string' },
  },
})
const scripts = Number(values.scripts)
const folder = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const database = await openCatalogue(dataDir, scripts)
const pool = openPool(database.url, 2)
const site = await startInstrumentedSite({ DATABASE_URL: database.url, DATA_DIR: dataDir })
const paths = pickSequence(makeMix(scripts, 5), 9).slice(0, URLS)
const measure = () => load({ origin: site.origin, paths, folder, seconds: SECONDS, connections: CONNECTIONS })

/** Writes a dump. Returns its time in seconds. */
async function writeDump(name: string): Promise<number> {
  const dump = new DailyDump({
    pool,
    log: { info: () => {} },
    folder: path.join(folder, name),
    days: 1,
    site: () => ({ name: 'Benchmark', url: site.origin }),
  })
  const started = performance.now()
  await dump.run()
  return (performance.now() - started) / 1000
}

const rounds: { ratio: number; without: number; during: number; seconds: number }[] = []
let alone = 0
try {
  await measure()
  alone = await writeDump('alone')
  for (let round = 0; round < Number(values.rounds); round++) {
    const { p99: without } = await measure()
    const writing = writeDump(`round-${round}`)
    const { p99: during } = await measure()
    rounds.push({ ratio: during / without, without, during, seconds: await writing })
    await rm(path.join(folder, `round-${round}`), { recursive: true })
  }
} finally {
  await site.stop()
  await pool.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
console.table(rounds)
const size = scripts.toLocaleString('en')
const of = (pick: (round: (typeof rounds)[number]) => number) => Number(median(rounds.map(pick)).toFixed(2))
printReport([
  { name: `${size}: list p99 during a dump ÷ without`, measured: of(({ ratio }) => ratio), max: 2 },
  { name: `${size}: dump without load, s`, measured: Number(alone.toFixed(1)), max: 300 },
  { name: `${size}: dump under load, s`, measured: of(({ seconds }) => seconds) },
])
