// npm run bench large-index [-- --scripts 10000000] [--compared 300] [--data DIR]
// Protects the exactness and the speed of one catalogue index with ten million scripts: it is filled from synthetic rows
// in an embedded PostgreSQL, 300 random pages and the pages after them must equal what SQL returns, and 2,000 queries are
// timed. With --data, the rows and the answers of SQL are stored and used again.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BulkBuilder } from '@scriptyard/catalogue-index'
import type { Flag, Sort } from '#contract/catalogue-names.ts'
import type { Tag } from '#contract/catalogue.ts'
import { SCRIPT_SCHEMA, type ScriptIndex, toIndexQuery } from '#server/features/catalogue/script-index.ts'
import { makeTemporaryFolder } from '../data.ts'
import { printReport, type ReportRow } from '../report.ts'
import { openRows } from './rows.ts'
import { askAll, makeQueries } from './sql.ts'

const COMPARED_SEED = 5
const TIMED = 2000
const TIMED_SEED = 7

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '10000000' },
    compared: { type: 'string', default: '300' },
    data: { type: 'string' },
  },
})
const scripts = Number(values.scripts)
const temporary = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : temporary, String(scripts))
await mkdir(dataDir, { recursive: true, mode: 0o755 })
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const report: ReportRow[] = []
const row = (name: string, measured: number, target: Pick<ReportRow, 'min' | 'max'> = {}) => {
  report.push({ name: `${scripts.toLocaleString('en')} in one index: ${name}`, measured, ...target })
  console.log(`${name}: ${measured}`)
}
const rows = await openRows(dataDir, scripts)
try {
  const index = await build()
  measureMemory('memory, GB')
  const queries = makeQueries(scripts, TIMED, TIMED_SEED).map(toIndexQuery)
  timeQueries(index, 'query, the first time', queries)
  timeQueries(index, 'query', queries)
  measureMemory('memory with caches, GB')
  await compare(index)
} finally {
  await rows.stop()
  await rm(temporary, { recursive: true, force: true })
}
printReport(report)
if (report.some(({ name, measured }) => name.endsWith('different from SQL') && measured > 0)) process.exitCode = 1

async function build(): Promise<ScriptIndex> {
  const builder = new BulkBuilder<Flag, Exclude<Sort, 'relevance'>, Tag>(SCRIPT_SCHEMA, { maxId: scripts })
  for (const tag of rows.tags) builder.addTag(tag)
  const before = process.cpuUsage()
  await rows.read((document) => builder.add(document))
  const index = builder.finish()
  const { user, system } = process.cpuUsage(before)
  row('built from PostgreSQL, s of CPU', Number(((user + system) / 1e6).toFixed(1)), { max: 300 })
  row('listed scripts', index.size)
  return index
}

function measureMemory(name: string): void {
  collectGarbage()
  row(name, Number((process.memoryUsage().rss / 1e9).toFixed(2)), { max: 4.5 })
}

function timeQueries(index: ScriptIndex, name: string, queries: readonly ReturnType<typeof toIndexQuery>[]): void {
  const times = queries
    .map((query) => {
      const started = performance.now()
      index.find(query)
      return performance.now() - started
    })
    .toSorted((a, b) => a - b)
  const percentile = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  row(`${name}, p50 ms`, percentile(0.5))
  row(`${name}, p99 ms`, percentile(0.99), { max: 10 })
}

/** Compares with SQL: the page, the next page, and the total. */
async function compare(index: ScriptIndex): Promise<void> {
  const queries = makeQueries(scripts, Number(values.compared), COMPARED_SEED)
  const answers = await askAll(rows, queries, dataDir)
  const different = queries.filter((query, i) => {
    const asked = toIndexQuery(query)
    const found = index.find({ ...asked, limit: 2 * asked.limit })
    const { ids, total } = answers[i] ?? { ids: [], total: 0 }
    if (JSON.stringify(found) === JSON.stringify({ ids, total })) return false
    console.log('differs from SQL:', asked, found, { ids, total })
    return true
  })
  row('with results', answers.filter(({ total }) => total > 0).length, { min: 1 })
  row(`of ${queries.length} queries, different from SQL`, different.length, { max: 0 })
}
