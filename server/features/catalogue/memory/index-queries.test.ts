import { expect, test } from 'vitest'
import { indexRow } from '#tests/support/index-rows.ts'
import type { CatalogueQuery } from '#server/features/catalogue/query.ts'
import { IndexQueries } from './index-queries.ts'
import { MemoryIndex } from './memory-index.ts'

const TITLE = 0
const FEATURED = 1
const SCRIPTS = 1000
/** The scratch bits of a catalogue of this size end at id 1023. */
const NEW_ID = 1030

/** Every second script is featured and every second one has the word, but only a few have both. */
const rowOf = (id: number) => {
  const hasBoth = id % 64 === 0 || id > SCRIPTS
  const word = hasBoth || id % 2 === 1 ? 'chosen' : 'other'
  return indexRow(id, new Map([[word, TITLE]]), { flags: hasBoth || id % 2 === 0 ? FEATURED : 0 })
}

const query: CatalogueQuery = {
  words: ['chosen'],
  tags: [],
  flags: ['featured'],
  authorId: undefined,
  minRating: 0,
  minViews: 0,
  sort: 'created_at',
  order: 'desc',
  page: 1,
  limit: 1,
}

test('a new script is on the first page of a cached filter at once', () => {
  const index = new MemoryIndex()
  index.postings.span = SCRIPTS
  for (let id = 1; id <= SCRIPTS; id++) index.put(rowOf(id))
  const queries = new IndexQueries(index)
  for (let round = 0; round < 3; round++) expect(queries.find(query)).toEqual({ ids: [960], total: 15 })
  index.put(rowOf(NEW_ID))
  expect(queries.find(query)).toEqual({ ids: [NEW_ID], total: 16 })
})
