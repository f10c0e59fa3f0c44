import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BulkBuilder, CatalogueIndex } from '../src/catalogue-index.ts'
import type { IndexTuning } from '../src/schema.ts'
import { NaiveCatalogue } from '../src/testing.ts'
import {
  completeNaively,
  type Content,
  content,
  countNaively,
  DOCUMENTS,
  LABELS,
  naiveDocument,
  type Query,
  query,
  readQuery,
  TAGS,
  type Wanted,
  WORDS,
} from './random-catalogue.ts'
import { type Flag, makeDocument, NO_FILTER, SCHEMA, type Sort, TUNINGS } from './support.ts'

type Index = CatalogueIndex<Flag, Sort>

function findWithBoth(index: Index, naive: NaiveCatalogue, wanted: Wanted) {
  const asked = readQuery(wanted, naive.filter({ ...NO_FILTER, ...wanted }).length)
  // The second answer of a filter fills the cache, the third one reads it.
  const found = Array.from({ length: 3 }, () => index.find(asked))
  const expected = naive.find(asked)
  return { asked, found, expected: [expected, expected, expected] }
}

const contents = fc.array(content, { minLength: DOCUMENTS, maxLength: DOCUMENTS, size: 'max' })

function build(tuning: IndexTuning, [made = []]: Content[][]): { index: Index; naive: NaiveCatalogue } {
  const index: Index = new CatalogueIndex(SCHEMA, tuning)
  const naive = new NaiveCatalogue(SCHEMA)
  for (const tag of TAGS) index.addTag(tag)
  index.reserve(DOCUMENTS)
  for (const [i, one] of made.entries()) {
    const document = naiveDocument(i + 1, one)
    naive.put(document)
    index.put(document.document)
  }
  return { index, naive }
}

const SEED = Number(process.env.TEST_SEED ?? 1)

describe.each(TUNINGS)('with %s thresholds', (_, tuning) => {
  const { index, naive } = build(tuning, fc.sample(contents, { numRuns: 1, seed: SEED }))

  test('finds the pages that a naive catalogue finds', () => {
    fc.assert(
      fc.property(query, (wanted) => {
        const { asked, found, expected } = findWithBoth(index, naive, wanted)
        expect({ asked, found }).toEqual({ asked, found: expected })
      }),
      { numRuns: 700 },
    )
  })

  test('counts facets like a naive catalogue', () => {
    fc.assert(
      fc.property(query, (wanted) => {
        const options = { maxTags: 5, labels: [...LABELS, 'none'] }
        expect(index.facets({ ...NO_FILTER, ...wanted }, options)).toEqual(countNaively(naive, wanted))
      }),
      { numRuns: 100 },
    )
  })

  test('completes like a naive catalogue', () => {
    const prefixes = fc.uniqueArray(fc.constantFrom(...WORDS, 'r'), { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(prefixes, fc.nat(3), (words, field) => {
        expect(index.complete(words, { field, limit: 5 })).toEqual(completeNaively(naive, words, field))
      }),
      { numRuns: 100 },
    )
    expect(index.completeTags('tag1', 3).every(({ name }) => name.startsWith('tag1'))).toBe(true)
    expect([index.completeTags('', 3), index.complete([], { field: 0, limit: 5 })]).toEqual([[], []])
  })

  test('stays correct while documents change', () => {
    const changed = fc.tuple(fc.integer({ min: 1, max: DOCUMENTS + 200 }), fc.option(content))
    fc.assert(
      fc.property(changed, query, ([id, next], wanted) => {
        if (next) {
          const document = naiveDocument(id, next)
          naive.put(document)
          index.put(document.document)
        } else if (naive.documents.delete(id)) index.remove(id)
        const { asked, found, expected } = findWithBoth(index, naive, wanted)
        expect({ asked, found }).toEqual({ asked, found: expected })
      }),
      { numRuns: 400 },
    )
    expect(index.size).toBe(naive.documents.size)
    expect(index.tags(5)).toEqual(countNaively(naive, { ...NO_FILTER } as unknown as Wanted).tags)
  })

  test('answers after a bulk build as after single changes', () => {
    const builder = new BulkBuilder(SCHEMA, { maxId: DOCUMENTS + 200, tuning })
    for (const tag of TAGS) builder.addTag(tag)
    const ids = [...naive.documents.keys()].toSorted((a, b) => a - b)
    for (const id of ids) {
      const known = naive.documents.get(id)
      if (known) builder.add(known.document)
    }
    const built = builder.finish()
    fc.assert(
      fc.property(query, (wanted) => {
        const { asked, found, expected } = findWithBoth(built, naive, wanted)
        expect({ asked, found }).toEqual({ asked, found: expected })
      }),
      { numRuns: 100 },
    )
  })
})

test('orders by relevance for a prefix of many words, none of which is frequent', () => {
  const many = fc.noBias(fc.tuple(fc.nat(5), fc.nat(199), fc.nat(3)))
  const index: Index = new CatalogueIndex(SCHEMA)
  const naive = new NaiveCatalogue(SCHEMA)
  index.reserve(4000)
  for (const [i, [downloads, word, field]] of fc.sample(many, { numRuns: 4000, seed: SEED }).entries()) {
    const words = new Map([[word < 40 ? `x${word}` : 'other', field]])
    const document = makeDocument(i + 1, words, { values: { downloads } })
    naive.put({ document, words, tagNames: [] })
    index.put(document)
  }
  const all = { ...NO_FILTER, words: ['x'], sort: 'relevance' } as const
  for (const order of ['asc', 'desc'] as const) {
    const expected = naive.find({ ...all, order, offset: 0, limit: 4000 })
    expect(expected.total).toBeGreaterThan(500)
    expect(expected.total).toBeLessThan(1100)
    for (let offset = 0; offset < expected.total; offset += 20) {
      const ids = expected.ids.slice(offset, offset + 20)
      expect(index.find({ ...all, order, offset, limit: 20 })).toEqual({ ids, total: expected.total })
    }
  }
})

test('orders by relevance for more words than are scored', () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
  const index: Index = new CatalogueIndex({ ...SCHEMA, wholeWordFactor: 31 })
  const [title, tags] = [0, 1]
  index.put(makeDocument(1, new Map(words.map((word) => [word, title]))))
  index.put(makeDocument(2, new Map(words.map((word) => [word, tags])), { values: { downloads: 5 } }))
  const relevant = { sort: 'relevance', order: 'desc', offset: 0, limit: 2 } as const
  expect(index.find({ ...NO_FILTER, ...relevant, words })).toEqual({ ids: [1, 2], total: 2 })
})

test('the cached completion of a prefix that many words have follows every change', () => {
  const [title, author, count] = [0, 2, 1200]
  const document = (id: number, titleWord = `title${id}`, authorWord = `auth${id}`) =>
    makeDocument(id, new Map([[titleWord, title] as const, [authorWord, author] as const]), {
      values: { downloads: id },
    })
  const index: Index = new CatalogueIndex(SCHEMA)
  index.reserve(count)
  for (let id = 1; id <= count; id++) index.put(document(id))
  const first = (prefix: string, field: number) => index.complete([prefix], { field, limit: 1 })[0]
  const firsts = () => [first('au', title), first('au', author)]
  expect(firsts()).toEqual([undefined, count])
  expect(first('ti', title)).toBe(count)

  index.put(document(count, 'other', 'name'))
  expect(firsts()).toEqual([undefined, count - 1])
  expect(first('ti', title)).toBe(count - 1)

  index.put(document(count, 'autumn', 'name'))
  expect(firsts()).toEqual([count, count - 1])
  index.remove(count)
  index.put(document(7, 'automatic'))
  expect(firsts()).toEqual([7, count - 1])
  index.remove(count - 1)
  index.remove(7)
  expect(firsts()).toEqual([undefined, count - 2])
})

/** Every second document is featured and every second one has the word, but only a few have both. */
function featuredDocument(id: number) {
  const hasBoth = id % 64 === 0 || id > 1000
  const word = hasBoth || id % 2 === 1 ? 'chosen' : 'other'
  return makeDocument(id, new Map([[word, 0]]), { flags: hasBoth || id % 2 === 0 ? 1 : 0 })
}

test('a new document is on the first page of a cached filter at once', () => {
  const index: Index = new CatalogueIndex(SCHEMA)
  index.reserve(1000)
  for (let id = 1; id <= 1000; id++) index.put(featuredDocument(id))
  const page = { sort: 'newest', order: 'desc', offset: 0, limit: 1 } as const
  const chosen: Query = { ...NO_FILTER, words: ['chosen'], flags: ['featured'], ...page }
  for (let i = 0; i < 3; i++) expect(index.find(chosen)).toEqual({ ids: [960], total: 15 })
  // The bits of the scratch space end at id 1023.
  index.put(featuredDocument(1030))
  expect(index.find(chosen)).toEqual({ ids: [1030], total: 16 })
})

test('suggests the words that were probably meant, if documents match them', () => {
  const index: Index = new CatalogueIndex(SCHEMA)
  index.put(makeDocument(1, new Map([['ladder', 0]]), { flags: 1 }))
  index.put(makeDocument(2, new Map([['letter', 0]])))
  expect(index.suggest({ ...NO_FILTER, words: ['laddre'] })).toEqual(['ladder'])
  expect(index.suggest({ ...NO_FILTER, words: ['lettr'], flags: ['featured'] })).toBeUndefined()
  expect(index.suggest({ ...NO_FILTER, words: ['lad'] })).toBeUndefined()
})

test('forgets a label with its last document', async () => {
  const index: Index = new CatalogueIndex(SCHEMA)
  const labelsOf = async () => {
    const { sections } = await index.save()
    return Buffer.from(sections.find(({ name }) => name === 'labels')?.bytes ?? []).toString()
  }
  index.put(makeDocument(1, new Map(), { labels: ['one', 'other'] }))
  index.put(makeDocument(2, new Map(), { labels: ['other'] }))
  index.put(makeDocument(1, new Map(), { labels: ['new'] }))
  expect(await labelsOf()).toBe('["other","new"]')
  index.remove(2)
  expect(await labelsOf()).toBe('["new"]')
  const page = { sort: 'newest', order: 'asc', offset: 0, limit: 2 } as const
  expect(index.find({ ...NO_FILTER, ...page, labels: ['new'] }).ids).toEqual([1])
  expect(index.find({ ...NO_FILTER, ...page, labels: ['other'] }).ids).toEqual([])
})

test('rejects names that are not in the schema', () => {
  const index = new CatalogueIndex(SCHEMA) as CatalogueIndex
  const page = { sort: 'newest', order: 'asc', offset: 0, limit: 1 } as const
  expect(() => index.find({ ...NO_FILTER, ...page, sort: 'color' })).toThrow('no sort "color"')
  expect(() => index.find({ ...NO_FILTER, ...page, flags: ['new'] })).toThrow('no flag "new"')
  expect(() => new CatalogueIndex({ ...SCHEMA, sorts: { ...SCHEMA.sorts, newest: ['age'] } })).toThrow(
    'no column or average "age"',
  )
  expect(() => new CatalogueIndex({ ...SCHEMA, wholeWordFactor: 100 })).toThrow('whole numbers from 1 to 255')
  expect(() => new CatalogueIndex({ ...SCHEMA, flags: Array.from({ length: 32 }, (_, i) => `${i}`) })).toThrow(
    '31 flags',
  )
})
