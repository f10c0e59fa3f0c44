import { expect, test, vi } from 'vitest'
import { createTestApp } from '#tests/support/app.ts'
import { findNaively, type NaiveQuery } from '#tests/support/naive-catalogue.ts'
import { makeAuthors, insertScript, randomScript } from '#tests/support/random-catalogue.ts'
import { randomWrite, type World, write } from '#tests/support/random-writes.ts'
import { sample } from '#tests/support/seed.ts'
import { readQuery } from '#server/features/catalogue/query.ts'
import { sqlCatalogue } from '#server/features/catalogue/sql-catalogue.ts'
import { listBits } from '@scriptyard/catalogue-index'
import { KeptFilters } from './kept-filters.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'

const nobody = { isIn: () => false, byCounts: false }

const ASKED: NaiveQuery[] = [
  { flags: ['free_only', 'mobile_compatible'], min_views: 2 },
  { flags: ['no_keysystem'], tags: 'ui' },
  { flags: ['universal_only'], search: 'e' },
  { flags: ['working_scripts', 'client_side_only'], search: 'f', sort: 'title', order: 'asc' },
  { flags: ['no_keysystem'], min_rating: 2.5, sort: 'rating_average' },
  { flags: ['fe_only', 'no_keysystem'], tags: 'ui,eclair', sort: 'view_count' },
  { flags: ['working_scripts'], search: 'zoe', sort: 'relevance' },
]

test('filters that come again and again stay right while scripts are written', async () => {
  const site = await createTestApp()
  const world: World = { db: site.db, authors: await makeAuthors(site.db), known: [] }
  for (const given of sample(randomScript, 400)) world.known.push(await insertScript(site.db, world.authors, given))
  const meanwhile = sqlCatalogue(site.db)
  const memory = new MemoryCatalogue({
    db: site.db,
    pool: site.pool,
    dataDir: site.config.dataDir,
    log: site.app.log,
    meanwhile,
    onApplied: () => {},
  })
  memory.start()
  await vi.waitUntil(() => memory.isReady, { timeout: 20_000 })
  for (const change of sample(randomWrite, 60)) {
    for (const asked of [...ASKED, ...ASKED, ...ASKED]) {
      const { flags, ...rest } = asked
      const on = Object.fromEntries(flags.map((flag) => [flag, 'true' as const]))
      const query = readQuery({ sort: 'created_at', order: 'desc', page: 1, limit: 20, ...rest, ...on })
      expect({ query, ...(await memory.find(query)) }).toEqual({ query, ...findNaively(world.known, asked) })
    }
    memory.noteOwn(await write(world, change))
  }
  await memory.close()
  await site.close()
})

test('a filter that leaves a list is kept like others from the second time on', () => {
  const kept = new KeptFilters()
  const found = { count: 3, list: Uint32Array.of(2, 40, 99) }
  const note = () => kept.note('key', found, 100, nobody)
  note()
  expect(kept.get('key')).toBeUndefined()
  note()
  const ids = new Uint32Array(3)
  const set = kept.get('key')
  expect([set?.count, listBits(set?.bits ?? new Uint32Array(), ids), [...ids]]).toEqual([3, 3, [2, 40, 99]])
})

test('few of many are not kept: they are found as quickly again', () => {
  const kept = new KeptFilters()
  for (let round = 0; round < 3; round++) kept.note('key', { count: 1, list: Uint32Array.of(2) }, 1_000_000, nobody)
  expect(kept.get('key')).toBeUndefined()
})
