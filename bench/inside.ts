// The index of a site by itself, from its snapshot: what the mix's queries, pages, facets, suggestions and changes take in
// the server, without HTTP and cards. Tells its parent.
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { FLAGS } from '#contract/catalogue-names.ts'
import { openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import { ListAddresses } from '#server/features/catalogue/list-addresses.ts'
import { buildIndex } from '#server/features/catalogue/memory/build.ts'
import { IndexQueries } from '#server/features/catalogue/memory/index-queries.ts'
import { MemoryIndex } from '#server/features/catalogue/memory/memory-index.ts'
import { readRows } from '#server/features/catalogue/memory/read-rows.ts'
import { readSnapshot } from '#server/features/catalogue/memory/snapshot-file.ts'
import { type CatalogueFilter, type CatalogueQuery, readCompletion } from '#server/features/catalogue/query.ts'
import { flagsCondition, LISTED } from '#server/features/catalogue/sql-filter.ts'
import { makeMix } from './mix.ts'

const { DATABASE_URL = '', SNAPSHOT = '', SCRIPTS = '0' } = process.env
const scripts = Number(SCRIPTS)
const pool = openPool(DATABASE_URL)
const db = openDatabase(pool)

const used = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const before = used()
const index = await restore()
const memory = await settled()
const queries = new IndexQueries(index)

/** Megabytes in use since the beginning. What is no longer needed is let go in later turns. */
async function settled(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    used()
    await setTimeout(100)
  }
  return Math.round(used() - before)
}

async function restore(): Promise<MemoryIndex> {
  const snapshot = await readSnapshot(SNAPSHOT)
  // A small catalogue has none.
  if (!snapshot) return buildIndex({ db, pool, dataDir: path.dirname(SNAPSHOT) }, new AbortController().signal)
  return MemoryIndex.from(snapshot.sections)
}

interface Times {
  p50: number
  p99: number
  worst: number
}

/** Milliseconds of each, the best of three tries, so that what the machine does meanwhile counts less. */
async function time<T>(asked: readonly T[], once: (given: T) => void): Promise<Times> {
  const times: number[] = []
  for (const [at, given] of asked.entries()) {
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      const start = performance.now()
      once(given)
      best = Math.min(best, performance.now() - start)
    }
    times.push(best)
    if (at % 50 === 0) await setImmediate()
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(4))
  return { p50: at(0.5), p99: at(0.99), worst: at(0.9999) }
}

const addresses = new ListAddresses()
const mix = makeMix(scripts, 5).map((address) => addresses.read(address).query)
for (let round = 0; round < 3; round++) for (const query of mix) queries.find(query)
const memoryAfter = await settled()

const some: CatalogueFilter = {
  words: [],
  tags: [],
  flags: ['free_only', 'mobile_compatible', 'no_keysystem'],
  authorId: undefined,
  minRating: 0,
  minViews: 0,
}
const SORTS = ['created_at', 'view_count', 'download_count', 'rating_average', 'title', 'score'] as const
const pages = Math.ceil(queries.find({ ...some, sort: 'title', order: 'asc', page: 1, limit: 20 }).total / 20)
const at = (page: number): CatalogueQuery[] =>
  SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ ...some, sort, order, page, limit: 20 })))
const repeated = (asked: CatalogueQuery[]) => Array.from({ length: 20 }, () => asked).flat()
const first = await time(repeated(at(1)), (query) => queries.find(query))
const last = await time(repeated(at(pages)), (query) => queries.find(query))
const middle = await time(at(Math.ceil(pages / 2)), (query) => queries.find(query))
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const beginnings = letters.flatMap((one) => letters.map((other) => one + other))
const broad = beginnings.flatMap((word) =>
  (['view_count', 'relevance'] as const).map((sort): CatalogueQuery => {
    return { ...some, flags: [], words: [word], sort, order: 'desc', page: 1, limit: 20 }
  }),
)
const prefixes = await time(broad, (query) => queries.find(query))
const inMix = await time(mix, (query) => queries.find(query))
const searches = mix.filter(({ words }) => words.length > 0)
const relevant = await time(searches, (query) => queries.find({ ...query, sort: 'relevance' }))
const suggestions = await time(beginnings, (text) => queries.complete(readCompletion(text)))
const facets = await time(
  Array.from({ length: 40 }, () => some),
  (filter) => queries.facets(filter),
)
const counts: number[] = []
for (let round = 0; round < 5; round++) {
  const begin = performance.now()
  await sql`select count(*) from scripts s join script_stats st on st.script_id = s.id
    where ${LISTED} and ${flagsCondition(some.flags)}`.execute(db)
  counts.push(performance.now() - begin)
}
const sqlCount = counts.toSorted((a, b) => a - b)[2] ?? 0

const ids = Array.from({ length: 200 }, () => 1 + Math.floor(Math.random() * scripts))
const rows = await readRows(db, index.labels, ids)
const view = await time(rows, (row) => {
  row.views++
  index.put(row)
})
const anew = await time(rows, (row) => {
  index.remove(row.id)
  index.put(row)
})
await pool.end()

process.send?.({
  memory,
  memoryAfter,
  facetsAsked: FLAGS.length + 20,
  times: {
    'a query of the mix': inMix,
    'a search by relevance': relevant,
    'first page, three flags': first,
    'last page, three flags': last,
    'middle page, three flags': middle,
    'two letters': prefixes,
    'suggestions for two letters': suggestions,
    'facets of three flags': facets,
    'update: a view more': view,
    'update: a script out and in': anew,
  },
  lastOverFirst: Number((last.p50 / first.p50).toFixed(2)),
  facetsOverCount: Number((facets.p50 / sqlCount).toFixed(4)),
  sqlCount: Number(sqlCount.toFixed(1)),
})
process.disconnect?.()
