import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexRow } from '#tests/support/index-rows.ts'
import { sample } from '#tests/support/seed.ts'
import { PLACE_WEIGHTS, WHOLE } from '#server/features/catalogue/relevance-weights.ts'
import { IndexQueries } from './index-queries.ts'
import { MemoryIndex } from './memory-index.ts'

const SCRIPTS = 400
const WORDS = ['a', 'ab', 'abc', 'b', 'bc', 'c', 'rare']

interface Script {
  id: number
  downloads: number
  /** The best place of each of its words. */
  places: Map<string, number>
}

const rowOf = ({ id, downloads, places }: Script) => indexRow(id, places, { downloads, flags: id % 3 === 0 ? 1 : 0 })

function scoreOf({ places }: Script, words: readonly string[]): number {
  const worth = (word: string) =>
    [...places].map(([known, place]) =>
      known.startsWith(word) ? (PLACE_WEIGHTS[place] ?? 0) * (known === word ? WHOLE : 1) : 0,
    )
  const best = words.map((word) => Math.max(0, ...worth(word)))
  return best.includes(0) ? 0 : best.reduce((sum, some) => sum + some, 0)
}

/** Most scripts have most words, so that levels are met; `rare` is scored one by one. */
const often = fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: fc.nat(3) })
const rarely = fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(3) })
const content = fc
  .tuple(fc.nat(5), ...WORDS.map((word) => (word === 'rare' ? rarely : often)))
  .map(([downloads, ...places]) => ({
    downloads: downloads ?? 0,
    places: new Map(WORDS.flatMap((word, at) => (places[at] === undefined ? [] : [[word, places[at]] as const]))),
  }))
const asked = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  isFeatured: fc.boolean(),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})

const base = { tags: [], authorId: undefined, minRating: 0, minViews: 0, sort: 'relevance' as const, limit: 20 }

/** Where an order of relevance puts scripts, the least first. */
function sortNaively(scripts: Iterable<Script>, words: readonly string[]): number[] {
  return [...scripts]
    .map((script) => ({ ...script, score: scoreOf(script, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => a.score - b.score || a.downloads - b.downloads || a.id - b.id)
    .map(({ id }) => id)
}

test('every page is where scores, downloads and ids put it, also after scripts have changed', () => {
  const contents = sample(content, SCRIPTS)
  const scripts = new Map(contents.map((given, at): [number, Script] => [at + 1, { id: at + 1, ...given }]))
  const index = new MemoryIndex()
  index.postings.span = SCRIPTS
  for (const script of scripts.values()) index.put(rowOf(script))
  const queries = new IndexQueries(index)
  const compare = ({ words, isFeatured, order, share }: typeof asked extends fc.Arbitrary<infer T> ? T : never) => {
    const ids = sortNaively(
      [...scripts.values()].filter(({ id }) => !isFeatured || id % 3 === 0),
      words,
    )
    if (order === 'desc') ids.reverse()
    const page = 1 + Math.floor((share * ids.length) / 20)
    const flags = isFeatured ? (['featured'] as const) : []
    const found = queries.find({ ...base, words, flags: [...flags], order, page })
    expect(found).toEqual({ ids: ids.slice(page * 20 - 20, page * 20), total: ids.length })
  }
  fc.assert(fc.property(asked, compare), { numRuns: 1500 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: SCRIPTS }), fc.option(content), asked, (id, given, query) => {
      if (given) {
        scripts.set(id, { id, ...given })
        index.put(rowOf({ id, ...given }))
      } else if (scripts.delete(id)) index.remove(id)
      compare(query)
    }),
    { numRuns: 600 },
  )
})

test('so it is for a beginning of many words, none of which is common', () => {
  const many = fc.noBias(fc.tuple(fc.nat(5), fc.nat(199), fc.nat(3)))
  const scripts = sample(many, 4000).map(([downloads, word, place], at): Script => {
    return { id: at + 1, downloads, places: new Map([[word < 40 ? `x${word}` : 'other', place]]) }
  })
  const index = new MemoryIndex()
  index.postings.span = scripts.length
  for (const script of scripts) index.put(rowOf(script))
  const queries = new IndexQueries(index)
  const expected = sortNaively(scripts, ['x'])
  expect(expected.length).toBeGreaterThan(500)
  expect(expected.length).toBeLessThan(1000)
  for (let page = 1; page <= Math.ceil(expected.length / 20); page++) {
    for (const order of ['asc', 'desc'] as const) {
      const ids = order === 'asc' ? expected : expected.toReversed()
      const found = queries.find({ ...base, words: ['x'], flags: [], order, page })
      expect(found).toEqual({ ids: ids.slice(page * 20 - 20, page * 20), total: ids.length })
    }
  }
})
