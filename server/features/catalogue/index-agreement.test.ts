import { foldTag } from '@scriptyard/text'
import { DEFAULT_TUNING, type IndexTuning } from '@scriptyard/catalogue-index'
import { TINY_TUNING } from '@scriptyard/catalogue-index/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { findNaively, type NaiveQuery } from '#tests/support/naive-catalogue.ts'
import { makeAuthors, insertScript, randomQuery, randomScript } from '#tests/support/random-catalogue.ts'
import { type RandomWrite, randomWrite, type World, write } from '#tests/support/random-writes.ts'
import { repetitions, sample, TEST_SEED as seed } from '#tests/support/seed.ts'
import { type Catalogue, type CatalogueQuery, readQuery } from '#server/features/catalogue/query.ts'
import { sqlCatalogue } from '#server/features/catalogue/sql-catalogue.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'

const CONCURRENCY = 16
/** Queries that are sent together with each write. */
const DURING_WRITE = 8

function read({ flags, ...rest }: NaiveQuery): CatalogueQuery {
  const on = Object.fromEntries(flags.map((flag) => [flag, 'true' as const]))
  return readQuery({ sort: 'created_at', order: 'desc', page: 1, limit: 20, ...rest, ...on })
}

const FULL_QUERIES = 23_620
/** A usual run sends this share of the queries. */
const share = repetitions(3000, FULL_QUERIES) / FULL_QUERIES

const TUNINGS = { default: DEFAULT_TUNING, tiny: TINY_TUNING }

// With default thresholds, small catalogues store every set as a list and the large one most sets as bits. Tiny thresholds
// reach every branch. With the queries during writes, there are FULL_QUERIES in all.
describe.each(
  [
    { scripts: 1, queries: 500, writes: 10, tunings: ['default'] as const },
    { scripts: 40, queries: 4000, writes: 60, tunings: ['tiny'] as const },
    { scripts: 150, queries: 4000, writes: 80, tunings: ['default', 'tiny'] as const },
    { scripts: 600, queries: 4000, writes: 80, tunings: ['default', 'tiny'] as const },
  ].map(({ queries, writes, ...rest }) => ({
    ...rest,
    queries: Math.round(queries * share),
    writes: Math.round(writes * share),
  })),
)('over $scripts scripts', ({ scripts, queries, writes, tunings }) => {
  let site: TestApp
  let world: World
  let sql: Catalogue
  let memory: MemoryCatalogue

  beforeAll(async () => {
    site = await createTestApp()
    const { db } = site
    sql = sqlCatalogue(db)
    world = { db, authors: await makeAuthors(db), known: [] }
    for (const script of fc.sample(randomScript, { seed, numRuns: scripts })) {
      world.known.push(await insertScript(db, world.authors, script))
    }
  })
  afterAll(() => site.close())

  const startMemory = async (tuning: IndexTuning) => {
    memory = new MemoryCatalogue({
      db: site.db,
      pool: site.pool,
      dataDir: site.config.dataDir,
      log: site.app.log,
      fallback: sql,
      tuning,
      onApplied: () => {},
    })
    memory.start()
    await vi.waitUntil(() => memory.isReady, { timeout: 60_000 })
  }

  const compare = async (naiveQuery: NaiveQuery) => {
    const query = read(naiveQuery)
    const [inMemory, inSql] = await Promise.all([memory.find(query), sql.find(query)])
    const expected = findNaively(world.known, naiveQuery)
    expect({ seed, query, inMemory, inSql }).toEqual({ seed, query, inMemory: expected, inSql: expected })
  }
  const compareFacets = async (naiveQuery: NaiveQuery) => {
    const query = read(naiveQuery)
    expect(await memory.facets(query), `seed ${seed}`).toEqual(await sql.facets(query))
  }

  const compareRelated = async (index: number) => {
    const script = world.known[index % world.known.length]
    if (!script) return
    const query = { tags: [...new Set(script.tags.map(foldTag).filter(Boolean))], author: script.author_id, limit: 6 }
    expect(await memory.related(query), `seed ${seed}`).toEqual(await sql.related(query))
  }

  /** Checks that each result during a write equals that before or after it. SQL counts in a separate statement. */
  const compareDuring = async (change: RandomWrite, queriesDuring: NaiveQuery[]) => {
    const before = world.known.map((script) => ({ ...script }))
    const [changed, ...results] = await Promise.all([
      write(world, change),
      ...queriesDuring.map(async (one) => ({
        one,
        inMemory: await memory.find(read(one)),
        inSql: await sql.find(read(one)),
      })),
    ])
    memory.enqueueOwn(changed)
    for (const { one, inMemory, inSql } of results) {
      const states = [findNaively(before, one), findNaively(world.known, one)]
      const message = `seed ${seed}, ${change.kind}, ${JSON.stringify(one)}`
      expect(states, message).toContainEqual(inMemory)
      expect(
        states.map(({ ids }) => ids),
        message,
      ).toContainEqual(inSql.ids)
      expect(
        states.map(({ total }) => total),
        message,
      ).toContain(inSql.total)
    }
  }

  // The second one starts with what the writes of the first have left.
  describe.each(tunings)('with %s thresholds', (thresholds) => {
    beforeAll(() => startMemory(TUNINGS[thresholds]))
    afterAll(() => memory.close())

    test(`memory, SQL and a naive catalogue agree on ${queries} queries between and during ${writes} writes`, async () => {
      const remaining = fc.sample(randomQuery, { seed, numRuns: queries })
      const remainingDuring = fc.sample(randomQuery, { seed: seed + 1, numRuns: writes * DURING_WRITE })
      const perWrite = Math.ceil(queries / (writes + 1))
      for (const change of [undefined, ...fc.sample(randomWrite, { seed, numRuns: writes })]) {
        if (change) await compareDuring(change, remainingDuring.splice(0, DURING_WRITE))
        const now = remaining.splice(0, perWrite)
        for (let i = 0; i < now.length; i += CONCURRENCY) await Promise.all(now.slice(i, i + CONCURRENCY).map(compare))
        await Promise.all(now.slice(0, 2).map(compareFacets))
        await Promise.all(now.slice(0, 8).map((_, i) => compareRelated(remaining.length + i)))
      }
      expect([remaining, remainingDuring]).toEqual([[], []])
      expect(await memory.tags(200), `seed ${seed}`).toEqual(await sql.tags(200))
    }, 180_000)
  })
})

const REPEATED: NaiveQuery[] = [
  { flags: ['free_only', 'mobile_compatible'], min_views: 2 },
  { flags: ['no_keysystem'], tags: 'ui' },
  { flags: ['universal_only'], search: 'e' },
  { flags: ['working_scripts', 'client_side_only'], search: 'f', sort: 'title', order: 'asc' },
  { flags: ['no_keysystem'], min_rating: 2.5, sort: 'rating_average' },
  { flags: ['fe_only', 'no_keysystem'], tags: 'ui,eclair', sort: 'view_count' },
  { flags: ['working_scripts'], search: 'zoe', sort: 'relevance' },
  { flags: ['sends_no_data'], uses: 'net.get', lacks: 'code.remote,net.webhook' },
  { flags: [], host: 'discord.com', lacks: 'needs.executor', sort: 'title' },
]

test('repeated filters, which are cached, stay correct while scripts change', async () => {
  const site = await createTestApp()
  const world: World = { db: site.db, authors: await makeAuthors(site.db), known: [] }
  for (const script of sample(randomScript, 400)) world.known.push(await insertScript(site.db, world.authors, script))
  const memory = new MemoryCatalogue({
    db: site.db,
    pool: site.pool,
    dataDir: site.config.dataDir,
    log: site.app.log,
    fallback: sqlCatalogue(site.db),
    onApplied: () => {},
  })
  memory.start()
  await vi.waitUntil(() => memory.isReady, { timeout: 60_000 })
  for (const change of sample(randomWrite, repetitions(10, 60))) {
    for (const naiveQuery of [...REPEATED, ...REPEATED, ...REPEATED]) {
      const query = read(naiveQuery)
      expect({ query, ...(await memory.find(query)) }).toEqual({ query, ...findNaively(world.known, naiveQuery) })
    }
    memory.enqueueOwn(await write(world, change))
  }
  await memory.close()
  await site.close()
})
