// Child process: times queries, pages, facets, suggestions and updates of the index in the server, without HTTP and cards.
// Loads the index from the site's snapshot and sends an `IndexReport` to its parent.
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { CatalogueIndex } from '@scriptyard/catalogue-index'
import { sql } from 'kysely'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createListUrlCache } from '#server/features/catalogue/routes.ts'
import { buildIndex } from '#server/features/catalogue/index-builder.ts'
import { readRows } from '#server/features/catalogue/index-rows.ts'
import { readSnapshotFile } from '#server/features/catalogue/index-snapshots.ts'
import { type CatalogueFilter, type CatalogueQuery, readCompletion } from '#server/features/catalogue/query.ts'
import { SCRIPT_SCHEMA, type ScriptIndex, ScriptIndexQueries } from '#server/features/catalogue/script-index.ts'
import { flagsCondition } from '#server/features/catalogue/sql-catalogue.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { makeMix } from './mix.ts'

const { DATABASE_URL = '', SNAPSHOT = '', SCRIPTS = '0' } = process.env
const scripts = Number(SCRIPTS)
const pool = openPool(DATABASE_URL)
const db = openDatabase(pool)

const usedMegabytes = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const before = usedMegabytes()
const index = await restore()
const memory = await measureMemory()
const queries = new ScriptIndexQueries(index)

/** Megabytes allocated since the start, after garbage collection over several turns of the event loop. */
async function measureMemory(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    usedMegabytes()
    await setTimeout(100)
  }
  return Math.round(usedMegabytes() - before)
}

async function restore(): Promise<ScriptIndex> {
  const snapshot = await readSnapshotFile(SNAPSHOT)
  // A small catalogue has no snapshot.
  if (!snapshot) return buildIndex({ db, pool, dataDir: path.dirname(SNAPSHOT) }, new AbortController().signal)
  return CatalogueIndex.load(SCRIPT_SCHEMA, snapshot.data)
}

interface Times {
  p50: number
  p99: number
  worst: number
}

/** Milliseconds per input: the best of three runs, to reduce noise from other processes. */
async function time<T>(inputs: readonly T[], run: (input: T) => void): Promise<Times> {
  const times: number[] = []
  for (const [i, input] of inputs.entries()) {
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      const start = performance.now()
      run(input)
      best = Math.min(best, performance.now() - start)
    }
    times.push(best)
    if (i % 50 === 0) await setImmediate()
  }
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(4))
  return { p50: percentile(0.5), p99: percentile(0.99), worst: percentile(0.9999) }
}

const addresses = createListUrlCache()
const mix = makeMix(scripts, 5).map((address) => addresses.read(address).query)
for (let round = 0; round < 3; round++) for (const query of mix) queries.find(query)
const memoryAfter = await measureMemory()

const threeFlags: CatalogueFilter = {
  words: [],
  tags: [],
  flags: ['free_only', 'mobile_compatible', 'no_keysystem'],
  authorId: undefined,
  gameId: undefined,
  minRating: 0,
  minViews: 0,
  uses: [],
  lacks: [],
  hosts: [],
}
const SORTS = ['created_at', 'view_count', 'download_count', 'rating_average', 'title', 'score'] as const
const pages = Math.ceil(queries.find({ ...threeFlags, sort: 'title', order: 'asc', page: 1, limit: 20 }).total / 20)
const queriesForPage = (page: number): CatalogueQuery[] =>
  SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ ...threeFlags, sort, order, page, limit: 20 })))
const repeated = (page: CatalogueQuery[]) => Array.from({ length: 20 }, () => page).flat()
const first = await time(repeated(queriesForPage(1)), (query) => queries.find(query))
const last = await time(repeated(queriesForPage(pages)), (query) => queries.find(query))
const middle = await time(queriesForPage(Math.ceil(pages / 2)), (query) => queries.find(query))
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const prefixes = letters.flatMap((one) => letters.map((other) => one + other))
const prefixQueries = prefixes.flatMap((word) =>
  (['view_count', 'relevance'] as const).map((sort): CatalogueQuery => {
    return { ...threeFlags, flags: [], words: [word], sort, order: 'desc', page: 1, limit: 20 }
  }),
)
const prefixTimes = await time(prefixQueries, (query) => queries.find(query))
const inMix = await time(mix, (query) => queries.find(query))
const searches = mix.filter(({ words }) => words.length > 0)
const relevant = await time(searches, (query) => queries.find({ ...query, sort: 'relevance' }))
const suggestions = await time(prefixes, (text) => queries.complete(readCompletion(text)))
const facets = await time(
  Array.from({ length: 40 }, () => threeFlags),
  (filter) => queries.facets(filter),
)
const tagged = await readRows(
  db,
  index,
  Array.from({ length: 2000 }, (_, i) => 1 + Math.floor((i * scripts) / 2000)),
)
const names = new Map(index.tags(5000).map((tag) => [tag.id, tag.name]))
const related = await time(tagged, ({ tags, author }) =>
  index.related({ tags: tags.map((tag) => names.get(tag) ?? ''), author, limit: 6 }),
)
const counts: number[] = []
for (let round = 0; round < 5; round++) {
  const start = performance.now()
  await sql`select count(*) from scripts s join script_stats st on st.script_id = s.id
    where ${isListed('s')} and ${flagsCondition(threeFlags.flags)}`.execute(db)
  counts.push(performance.now() - start)
}
const sqlCount = counts.toSorted((a, b) => a - b)[2] ?? 0

const ids = Array.from({ length: 200 }, () => 1 + Math.floor(Math.random() * scripts))
const rows = await readRows(db, index, ids)
const viewed = rows.map((row) => ({ ...row, values: { ...row.values, views: (row.values.views ?? 0) + 1 } }))
const view = await time(viewed, (row) => index.put(row))
const reinsert = await time(rows, (row) => {
  index.remove(row.id)
  index.put(row)
})
await pool.end()

process.send?.({
  memory,
  memoryAfter,
  times: {
    'list query': inMix,
    'search by relevance': relevant,
    'first page, three flags': first,
    'last page, three flags': last,
    'middle page, three flags': middle,
    'two-letter prefix': prefixTimes,
    'suggestions for two letters': suggestions,
    'facets of three flags': facets,
    'related scripts': related,
    'update: one more view': view,
    'update: remove and insert a script': reinsert,
  },
  lastOverFirst: Number((last.p50 / first.p50).toFixed(2)),
  facetsOverCount: Number((facets.p50 / sqlCount).toFixed(4)),
  sqlCount: Number(sqlCount.toFixed(1)),
})
process.disconnect?.()
