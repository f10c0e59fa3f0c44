// Benchmark: queries per second and latencies of the index, and of a scan of the documents as a reference.
// node lab/bench/run.ts [--documents 100000] [--set minCostlyList=512]...
import { parseArgs } from 'node:util'
import { BulkBuilder, CatalogueIndex } from '../src/catalogue-index.ts'
import { DEFAULT_TUNING, type IndexTuning } from '../src/schema.ts'
import { NaiveCatalogue } from '../src/testing.ts'
import { BENCH_SCHEMA, makeDocuments, makeQueries, TAGS } from './synthetic.ts'

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    set: { type: 'string', multiple: true, default: [] },
  },
})

const count = Number(options.documents)
const tuning: IndexTuning = { ...DEFAULT_TUNING }
for (const [name = '', value] of options.set.map((setting) => setting.split('='))) {
  if (!(name in DEFAULT_TUNING)) throw new RangeError(`There is no threshold "${name}"`)
  tuning[name as keyof IndexTuning] = Number(value)
}

interface Row {
  row: string
  'per second': number
  'p50 ms': number
  'p99 ms': number
}
const rows: Row[] = []

const rounded = (value: number) => Number(value.toPrecision(3))

function measure<T>(row: string, inputs: readonly T[], run: (input: T) => unknown, rounds = 5): void {
  const best = new Float64Array(inputs.length).fill(Infinity)
  for (let round = 0; round < rounds; round++) {
    for (const [i, input] of inputs.entries()) {
      const start = performance.now()
      run(input)
      best[i] = Math.min(best[i] ?? Infinity, performance.now() - start)
    }
  }
  const mean = best.reduce((sum, ms) => sum + ms, 0) / best.length
  best.sort()
  const percentile = (share: number) => rounded(best[Math.floor(best.length * share)] ?? 0)
  rows.push({ row, 'per second': Math.round(1000 / mean), 'p50 ms': percentile(0.5), 'p99 ms': percentile(0.99) })
}

const usedMegabytes = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** Maximum number of documents that the reference scans. The answers of a larger index are not compared with it. */
const MAX_SCANNED = 50_000
const scan = new NaiveCatalogue(BENCH_SCHEMA)
for (const document of makeDocuments(Math.min(count, MAX_SCANNED))) scan.put(document)

const before = usedMegabytes()
let buildMs = 0
const builder = new BulkBuilder(BENCH_SCHEMA, { maxId: count, tuning })
for (const tag of TAGS) builder.addTag(tag)
for (const { document } of makeDocuments(count)) {
  const start = performance.now()
  builder.add(document)
  buildMs += performance.now() - start
}
const finishStarted = performance.now()
const index = builder.finish()
buildMs += performance.now() - finishStarted
const megabytes = Math.round(usedMegabytes() - before)

const queries = makeQueries(count)
measure('find: mix', queries.mix, (query) => index.find(query))
measure('find: first page', queries.firstPages, (query) => index.find(query))
measure('find: middle page', queries.middlePages, (query) => index.find(query))
measure('find: relevance', queries.relevance, (query) => index.find(query))
measure('find: two letters', queries.twoLetters, (query) => index.find(query))
measure('facets', queries.mix.slice(0, 200), (query) => index.facets(query, { maxTags: 20 }), 3)
measure('complete: two letters', queries.twoLetters, ({ words }) => index.complete(words, { field: 0, limit: 5 }))
const some = [...scan.documents.values()].slice(0, 1000)
measure('related', some, ({ document, tagNames }) =>
  index.related({ tags: tagNames, author: document.author, limit: 6 }),
)
const frequent = TAGS.slice(0, 6).map(({ name }) => name)
measure('related: six frequent tags', Array.from({ length: 200 }), () =>
  index.related({ tags: frequent, author: 1, limit: 6 }),
)
const viewed = [...scan.documents.values()].slice(0, 1000).map(({ document }) => {
  const { values } = document
  return { ...document, values: { ...values, views: (values.views ?? 0) + 1 } }
})
measure('put: one value', viewed, (document) => index.put(document), 1)
measure('put: all', viewed.slice(0, 300), (document) => {
  index.remove(document.id)
  index.put(document)
})

const saveStarted = performance.now()
const snapshot = await index.save()
const loadStarted = performance.now()
await CatalogueIndex.load(BENCH_SCHEMA, snapshot, tuning)
const loaded = performance.now()

const sample = queries.mix.slice(0, 20)
for (const { document } of scan.documents.values()) index.put(document)
for (const query of count > MAX_SCANNED ? [] : sample) {
  if (JSON.stringify(index.find(query)) !== JSON.stringify(scan.find(query))) throw new Error('The answers differ')
}
measure(`find: mix, scan of ${scan.documents.size}`, sample, (query) => scan.find(query), 1)

console.table(Object.fromEntries(rows.map(({ row, ...values }) => [row, values])))
console.table({
  documents: count,
  'build: ms': Math.round(buildMs),
  // Without --expose-gc this includes garbage.
  'memory: MB': megabytes,
  'save: ms': Math.round(loadStarted - saveStarted),
  'load: ms': Math.round(loaded - loadStarted),
})
