import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogueIndex } from '../src/catalogue-index.ts'
import { NaiveCatalogue } from '../src/testing.ts'
import { makeDocument, SCHEMA, TUNINGS } from './support.ts'

const TAGS = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, name: `tag${i}` }))
const TAG_IDS = new Map(TAGS.map(({ id, name }) => [name, id]))

/** The first tags are the most frequent. */
const tagNames = fc.uniqueArray(
  fc.tuple(fc.nat(11), fc.nat(11)).map(([one, other]) => `tag${Math.min(one, other)}`),
  { maxLength: 8 },
)
const document = fc.record({ tagNames, author: fc.integer({ min: 1, max: 6 }), downloads: fc.nat(3) })
const query = fc.record({
  tags: fc.oneof(tagNames, fc.constant(['none', 'tag0', 'tag0'])),
  author: fc.integer({ min: 1, max: 7 }),
  limit: fc.integer({ min: 1, max: 8 }),
})

describe.each(TUNINGS)('with %s thresholds', (_name, tuning) => {
  test('related documents are those that a scan of all documents finds', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 250 }),
        fc.array(query, { minLength: 5, maxLength: 20 }),
        fc.array(fc.nat(249), { maxLength: 20 }),
        (documents, queries, removed) => {
          const index = new CatalogueIndex(SCHEMA, tuning)
          const naive = new NaiveCatalogue(SCHEMA)
          for (const tag of TAGS) index.addTag(tag)
          for (const [i, { tagNames: names, author, downloads }] of documents.entries()) {
            const tags = names.map((name) => TAG_IDS.get(name) ?? 0)
            const made = makeDocument(i + 1, new Map(), { tags, author, values: { downloads } })
            index.put(made)
            naive.put({ document: made, words: new Map(), tagNames: names })
          }
          for (const i of removed) {
            index.remove(i + 1)
            naive.documents.delete(i + 1)
          }
          for (const asked of queries) {
            const unique = { ...asked, tags: [...new Set(asked.tags)] }
            expect({ asked, ids: index.related(asked) }).toEqual({ asked, ids: naive.related(unique, TAG_IDS) })
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('a rare tag weighs more than popularity, and popularity decides between equal tags', () => {
  const index = new CatalogueIndex(SCHEMA)
  for (const tag of TAGS) index.addTag(tag)
  const put = (id: number, tags: number[], downloads: number) =>
    index.put(makeDocument(id, new Map(), { tags, author: id, values: { downloads } }))
  put(1, [1, 2], 0)
  put(2, [1, 2], 5)
  put(3, [2], 1)
  for (let id = 4; id < 40; id++) put(id, [1], id)
  expect(index.related({ tags: ['tag0', 'tag1'], author: 1, limit: 4 })).toEqual([2, 3, 39, 38])
})

test('other documents by the author are not related', () => {
  const index = new CatalogueIndex(SCHEMA)
  for (const tag of TAGS) index.addTag(tag)
  for (let id = 1; id < 200; id++) index.put(makeDocument(id, new Map(), { tags: [1], author: id % 2 }))
  const found = index.related({ tags: ['tag0'], author: 1, limit: 500 })
  expect(found).toHaveLength(99)
  expect(found.every((id) => id % 2 === 0)).toBe(true)
})
