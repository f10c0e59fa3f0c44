// npm run bench dumps [-- --scripts 100000] [--rounds 5] [--data DIR]
// Time of a data dump, and the latency of lists while its process runs beside the site, in alternating rounds.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { DailyDump } from '#server/features/dumps/daily.ts'
import { medianOf, openMeasuredLists } from './beside-lists.ts'
import { printReport } from './report.ts'

const site = await openMeasuredLists({ rounds: 5 })

/** Writes a dump. Returns its time in seconds. */
async function writeDump(name: string): Promise<number> {
  const dump = new DailyDump({
    pool: site.pool,
    log: { info: () => {} },
    folder: path.join(site.folder, name),
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
  await site.measure()
  alone = await writeDump('alone')
  for (let round = 0; round < site.rounds; round++) {
    const without = await site.measure()
    const writing = writeDump(`round-${round}`)
    const during = await site.measure()
    rounds.push({ ratio: during / without, without, during, seconds: await writing })
    await rm(path.join(site.folder, `round-${round}`), { recursive: true })
  }
} finally {
  await site.close()
}
console.table(rounds)
const { size } = site
printReport([
  { name: `${size}: list p99 during a dump ÷ without`, measured: medianOf(rounds, ({ ratio }) => ratio), max: 2 },
  { name: `${size}: dump without load, s`, measured: Number(alone.toFixed(1)), max: 300 },
  { name: `${size}: dump under load, s`, measured: medianOf(rounds, ({ seconds }) => seconds) },
])
