// npm run bench [-- --quick] [--scripts 100000] [--data DIR]
// Measures lists and pages of the site against bare node:http sending the same bytes and against the SQL implementation,
// with 100,000 and 1,000,000 scripts and ten writes per second, in one run on one machine. The catalogue is generated in
// a temporary folder, or stored in --data and reused.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { type Lists, measureLists } from './lists.ts'
import { listRows, printReport, type ReportRow, workerRows } from './report.ts'
import { compareWorkers } from './workers.ts'

const QUICK = { sizes: [10_000], seconds: 1, rounds: 3, starts: 1, comparedSeconds: 2 }
const FULL = { sizes: [100_000, 1_000_000], seconds: 2, rounds: 9, starts: 3, comparedSeconds: 5 }
const LARGE = 1_000_000

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, scripts: { type: 'string' }, data: { type: 'string' } },
})
const { sizes, ...repetitions } = values.quick ? QUICK : FULL
const folder = await makeTemporaryFolder()
const rows: ReportRow[] = []
const details: Record<string, unknown> = {}
const results = new Map<number, Lists>()
try {
  for (const scripts of values.scripts ? [Number(values.scripts)] : sizes) {
    const size = scripts.toLocaleString('en')
    const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
    const database = await openCatalogue(dataDir, scripts)
    const options = { database, dataDir, folder, scripts, ...repetitions }
    try {
      const lists = await measureLists(options)
      const workers = await compareWorkers(options)
      results.set(scripts, lists)
      rows.push(...listRows(lists, size, scripts >= LARGE))
      if (workers) rows.push(...workerRows(workers, size))
      details[size] = { ...lists, workers }
      printDetails(size, lists)
    } finally {
      await database.stop()
    }
  }
  const [small, large] = [...results.values()].map(({ mix }) => mix.lists.perSecond)
  if (small && large) {
    const ratio = Number((large / small).toFixed(2))
    rows.push({ name: 'list mix at 1,000,000 ÷ at 100,000', measured: ratio, min: 0.4 })
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
printReport(rows)
const output = path.resolve(import.meta.dirname, 'results')
await mkdir(output, { recursive: true })
await writeFile(path.join(output, 'latest.json'), `${JSON.stringify({ rows, details }, null, 2)}\n`)

function printDetails(size: string, { mix, cached, inside, meanBytes }: Lists): void {
  console.log(`${size} scripts, responses of ${meanBytes} bytes`)
  console.table(
    {
      ...mix,
      ...Object.fromEntries(
        Object.entries(cached).flatMap(([name, { site, ready }]) => [
          [`a cached ${name}`, site],
          [`the ${name} from a ready Buffer`, ready],
        ]),
      ),
    },
    ['perSecond', 'p50', 'p99', 'cpu'],
  )
  console.table(inside.times)
}
