// npm run bench shards [-- --scripts 300000] [--shards 4] [--compared 300] [--data DIR]
// A sharded index over synthetic scripts in an embedded PostgreSQL: 300 random queries and the pages after them must equal
// what SQL returns. Then latencies, memory, load time and throughput of updates. With --data, the rows, the answers of SQL
// and the files of the shards are stored and used again.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { CatalogueDocument } from '@scriptyard/catalogue-index'
import { ShardedIndex, type ShardFiller } from '@scriptyard/catalogue-index/shards'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import type { Tag } from '#contract/catalogue.ts'
import { MAX_FACET_TAGS } from '#server/features/catalogue/query.ts'
import { SCRIPT_SCHEMA, toIndexQuery } from '#server/features/catalogue/script-index.ts'
import { makeTemporaryFolder } from '../data.ts'
import { printReport, type ReportRow } from '../report.ts'
import { openRows, type Rows } from './rows.ts'
import { askAll, makeQueries } from './sql.ts'

const COMPARED_SEED = 5
const TIMED = 2000
const TIMED_SEED = 7
const UPDATES = 2000
const BATCH = 100
/** Pages that are read one after the other by cursor. */
const CURSOR_PAGES = 200
const DEEP_OFFSET = 500 * 20

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '300000' },
    shards: { type: 'string', default: '4' },
    compared: { type: 'string', default: '300' },
    data: { type: 'string' },
  },
})
const [scripts, shards] = [Number(values.scripts), Number(values.shards)]
const temporary = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : temporary, String(scripts))
await mkdir(dataDir, { recursive: true, mode: 0o755 })
const rows = await openRows(dataDir, scripts)
const report: ReportRow[] = []
const row = (name: string, measured: number, target: Pick<ReportRow, 'min' | 'max'> = {}) => {
  report.push({ name: `${scripts.toLocaleString('en')}, ${shards} shards: ${name}`, measured, ...target })
  console.log(`${name}: ${measured}`)
}
try {
  const index = await openIndex(rows)
  try {
    await measure(index)
    await compare(index)
  } finally {
    await index.close()
  }
} finally {
  await rows.stop()
  await rm(temporary, { recursive: true, force: true })
}
printReport(report)
if (report.some(({ name, measured }) => name.endsWith('different from SQL') && measured > 0)) process.exitCode = 1

async function openIndex(from: Rows): Promise<ShardedIndex> {
  const folder = path.join(dataDir, `index-${shards}`)
  const statsFile = path.join(folder, 'load.json')
  const source = {
    maxId: () => scripts,
    async read(filler: ShardFiller) {
      for (const tag of from.tags) filler.addTag(tag)
      await from.read(
        (document) => filler.add(document),
        () => filler.drained(),
      )
    },
  }
  // Timings of slow queries are wanted here, not errors.
  const sharding = { timeoutMs: 600_000, nodeOptions: ['--single-threaded-gc', '--v8-pool-size=1', '--expose-gc'] }
  const options = { schema: SCRIPT_SCHEMA, shards, source, sharding }
  const started = performance.now()
  const seconds = () => Number(((performance.now() - started) / 1000).toFixed(1))
  if (existsSync(statsFile)) {
    const { loaded } = JSON.parse(await readFile(statsFile, 'utf8')) as { loaded: number }
    const index = await ShardedIndex.open<string, string, Tag>({ ...options, folder })
    row('loaded from PostgreSQL, s', loaded)
    row('restored from files, s', seconds())
    return index
  }
  const index = await ShardedIndex.open<string, string, Tag>(options)
  const loaded = seconds()
  row('loaded from PostgreSQL, s', loaded)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await index.save(folder)
  await writeFile(statsFile, JSON.stringify({ loaded }))
  return index
}

async function measure(index: ShardedIndex): Promise<void> {
  await measureMemory(index, 'memory per million scripts, MB')
  const mix = makeQueries(scripts, TIMED, TIMED_SEED).map(toIndexQuery)
  const find = (query: (typeof mix)[number]) => index.find(query)
  time('query, the first time', await run(mix, find), 10)
  const before = await measureCpu(index)
  time('query', await run(mix, find), 10)
  // On a machine with other work, this number can be compared.
  row('query, CPU of all processes, mean ms', Number((((await measureCpu(index)) - before) / TIMED).toFixed(2)))
  time('query, two at once', await run(mix, find, 2), 10)
  await measureMemory(index, 'memory per million scripts with caches, MB')
  const filters = mix.slice(0, 200)
  const facetOptions = { maxTags: MAX_FACET_TAGS, labels: CAPABILITY_IDS }
  time('facets', await run(filters, (filter) => index.facets(filter, facetOptions)))
  const prefixes = 'abcdefghijklmnopqrstuvwxyz'
    .split('')
    .flatMap((letter) => ['a', 'e', 'o'].map((vowel) => letter + vowel))
  time('completion', await run(prefixes, (prefix) => index.complete([prefix], { field: 0, limit: 5 })))
  const misspelled = prefixes
    .slice(0, 20)
    .map((prefix) => ({ ...(mix[0] ?? fail()), flags: [], words: [`${prefix}xqz`] }))
  time('spelling suggestion', await run(misspelled, (filter) => index.suggest(filter)))
  await measurePages(index)
  await measureUpdates(index)
}

const fail = (): never => {
  throw new Error('There are no queries')
}

async function measureMemory(index: ShardedIndex, name: string): Promise<void> {
  const statistics = await index.statistics()
  const bytes = statistics.reduce((sum, { rss }) => sum + rss, 0)
  row(name, Math.round(bytes / 1e6 / (scripts / 1e6)))
}

/** CPU time of the coordinator and the shards so far, ms. */
async function measureCpu(index: ShardedIndex): Promise<number> {
  const statistics = await index.statistics()
  const { user, system } = process.cpuUsage()
  return statistics.reduce((sum, { cpuMs }) => sum + cpuMs, (user + system) / 1000)
}

/** Compares with SQL: the page, the next page by cursor, and the total. */
async function compare(index: ShardedIndex): Promise<void> {
  const queries = makeQueries(scripts, Number(values.compared), COMPARED_SEED)
  const answers = await askAll(rows, queries, dataDir)
  let different = 0
  for (const [i, query] of queries.entries()) {
    const asked = toIndexQuery(query)
    const page = await index.find(asked)
    const next = page.next === undefined ? [] : (await index.findAfter(asked, page.next)).ids
    const found = { ids: [...page.ids, ...next], total: page.total }
    const { ids, total } = answers[i] ?? fail()
    if (JSON.stringify(found) === JSON.stringify({ ids, total })) continue
    different++
    console.log('differs from SQL:', asked, found, { ids, total })
  }
  row(`of ${queries.length} queries, different from SQL`, different, { max: 0 })
  row('with results', answers.filter(({ total }) => total > 0).length)
}

/** Milliseconds of each call, with this many at once. */
async function run<T>(inputs: readonly T[], call: (input: T) => Promise<unknown>, concurrency = 1): Promise<number[]> {
  const times: number[] = []
  const remaining = inputs.values()
  const work = async () => {
    for (const input of remaining) {
      const started = performance.now()
      await call(input)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return times
}

function time(name: string, times: readonly number[], max?: number): void {
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2))
  row(`${name}, p50 ms`, percentile(0.5))
  row(`${name}, p99 ms`, percentile(0.99), max === undefined ? {} : { max })
}

async function measurePages(index: ShardedIndex): Promise<void> {
  const [base] = makeQueries(scripts, 1, TIMED_SEED)
  const all = { ...toIndexQuery(base ?? fail()), words: [], tags: [], minimums: [], labels: [], excludedLabels: [] }
  const queries = ['created_at', 'view_count', 'title', 'score'].flatMap((sort) =>
    ([[], ['free_only', 'mobile_compatible']] as const).map((flags) => ({
      ...all,
      sort,
      flags: [...flags],
      limit: 20,
    })),
  )
  const page = (offset: number) => run(queries, (query) => index.find({ ...query, offset }))
  time('page 500', await page(DEEP_OFFSET))
  time('middle page', await page(Math.floor(scripts / 4)))
  const times: number[] = []
  for (const query of queries) {
    let { next } = await index.find({ ...query, offset: DEEP_OFFSET })
    const pages = Array.from({ length: CURSOR_PAGES / queries.length })
    times.push(
      ...(await run(pages, async () => {
        if (next !== undefined) ({ next } = await index.findAfter(query, next))
      })),
    )
  }
  time('page by cursor beyond page 500', times)
}

async function measureUpdates(index: ShardedIndex): Promise<void> {
  const documents = await rows.sample(UPDATES)
  const viewed = (views: number) =>
    documents.map((document): CatalogueDocument => {
      return { ...document, values: { ...document.values, views: (document.values['views'] ?? 0) + views } }
    })
  time('update: one more view', await run(viewed(1), (document) => index.apply([document])))
  const perSecond = async (changed: CatalogueDocument[], apply: (batch: CatalogueDocument[]) => Promise<unknown>) => {
    const batches = Array.from({ length: UPDATES / BATCH }, (_, i) => changed.slice(i * BATCH, (i + 1) * BATCH))
    const started = performance.now()
    await run(batches, apply)
    return Math.round(changed.length / ((performance.now() - started) / 1000))
  }
  row(`changed views per second, ${BATCH} at once`, await perSecond(viewed(2), (batch) => index.apply(batch)))
  const replace = async (batch: CatalogueDocument[]) => {
    const ids = batch.map(({ id }) => id)
    await index.apply([], ids)
    await index.apply(batch)
  }
  // The documents are as before.
  row(`removed and inserted scripts per second, ${BATCH} at once`, await perSecond(documents, replace))
}
