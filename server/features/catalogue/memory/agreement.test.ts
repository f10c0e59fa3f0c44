import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { findNaively, type NaiveQuery } from '#tests/support/naive-catalogue.ts'
import { makeAuthors, plant, randomQuery, randomScript } from '#tests/support/random-catalogue.ts'
import { randomWrite, type World, write } from '#tests/support/random-writes.ts'
import { type CatalogueQuery, readQuery } from '../query.ts'
import { sqlCatalogue } from '../sql-catalogue.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'

const AT_ONCE = 16
/** PostgreSQL takes a hundred times as long as the rest together, so it is asked for one query in so many. */
const SQL_EVERY = 8

/** The query as its address would be read. */
function read({ flags, ...given }: NaiveQuery): CatalogueQuery {
  const on = Object.fromEntries(flags.map((flag) => [flag, 'true' as const]))
  return readQuery({ sort: 'created_at', order: 'desc', page: 1, limit: 20, ...given, ...on })
}

// Small ones keep everything in lists, the large one most in bits.
describe.each([
  { scripts: 1, queries: 500, writes: 10 },
  { scripts: 40, queries: 4000, writes: 60 },
  { scripts: 150, queries: 8000, writes: 160 },
  { scripts: 600, queries: 8000, writes: 160 },
])('over $scripts scripts', ({ scripts, queries, writes }) => {
  let site: TestApp
  let world: World
  let memory: MemoryCatalogue

  beforeAll(async () => {
    site = await createTestApp()
    const { db } = site
    world = { db, authors: await makeAuthors(db), known: [] }
    for (const given of fc.sample(randomScript, scripts)) world.known.push(await plant(db, world.authors, given))
    memory = new MemoryCatalogue({ db, log: site.app.log, meanwhile: sqlCatalogue(db), onApplied: () => {} })
    memory.start()
    await vi.waitUntil(() => memory.isReady, { timeout: 20_000 })
  })
  afterAll(async () => {
    await memory.close()
    await site.close()
  })

  const compare = async (asked: NaiveQuery, place: number) => {
    const query = read(asked)
    const found = await memory.find(query)
    expect({ query, ...found }).toEqual({ query, ...findNaively(world.known, asked) })
    if (place % SQL_EVERY === 0)
      expect({ query, ...found }).toEqual({ query, ...(await sqlCatalogue(site.db).find(query)) })
  }
  const compareFacets = async (asked: NaiveQuery) => {
    const query = read(asked)
    expect(await memory.facets(query)).toEqual(await sqlCatalogue(site.db).facets(query))
  }

  test(`memory and SQL agree with a plain walk on ${queries} queries between ${writes} writes`, async () => {
    const asked = fc.sample(randomQuery, queries)
    const share = Math.ceil(queries / (writes + 1))
    for (const change of [undefined, ...fc.sample(randomWrite, writes)]) {
      if (change) memory.noteOwn(await write(world, change))
      const now = asked.splice(0, share)
      for (let at = 0; at < now.length; at += AT_ONCE) await Promise.all(now.slice(at, at + AT_ONCE).map(compare))
      await Promise.all(now.slice(0, 2).map(compareFacets))
    }
    expect(asked).toEqual([])
    expect(await memory.tags(200)).toEqual(await sqlCatalogue(site.db).tags(200))
  }, 180_000)
})
