import { type CatalogueFilter, type CatalogueQuery, type CatalogueSchema, encodeWords } from '../src/schema.ts'
import type { NaiveDocument } from '../src/testing.ts'

export const TAGS = Array.from({ length: 200 }, (_, i) => ({ id: i + 1, name: `tag${i + 1}` }))

/** The shape of Scriptyard's catalogue of game scripts. */
export const BENCH_SCHEMA: CatalogueSchema = {
  flags: ['featured', 'free', 'paid', 'universal', 'specific', 'verified', 'mobile', 'working'],
  exclusiveFlags: [
    ['free', 'paid'],
    ['universal', 'specific'],
  ],
  fields: [
    { name: 'title', weight: 8 },
    { name: 'tags', weight: 4 },
    { name: 'author', weight: 2 },
    { name: 'description', weight: 1 },
  ],
  wholeWordFactor: 2,
  columns: { created: 'float64', views: 'int32', downloads: 'int32', ratings: 'int32', stars: 'int32' },
  averages: { average: { sum: 'stars', count: 'ratings' } },
  sorts: {
    created: ['created'],
    views: ['views'],
    downloads: ['downloads'],
    average: ['average', 'ratings'],
    title: ['title'],
  },
  popularity: 'downloads',
}

/** Seeded random numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES = 'ta ri no ke lu so mi pa de va gu he fo zi be ca'.split(' ')

/** Word number `i`: distinct, and frequent words are short. */
function makeWord(i: number): string {
  let word = ''
  for (let rest = i + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}
const VOCABULARY = Array.from({ length: 30_000 }, (_, i) => makeWord(i))

const LABELS = Array.from({ length: 20 }, (_, i) => `label${i}`)

const WORDS_PER_FIELD = [4, 3, 1, 25]
const SHARES: readonly (readonly [bit: number, share: number])[] = [
  [1, 0.02],
  [32, 0.1],
  [64, 0.6],
  [128, 0.9],
]

/** Documents with ids from 1 on. Words, tags and values are skewed: low numbers are frequent. */
export function* makeDocuments(count: number): Generator<NaiveDocument> {
  const random = seeded(1)
  const skewed = (max: number) => Math.floor(max * random() ** 3)
  for (let id = 1; id <= count; id++) {
    const words = new Map<string, number>()
    for (const [field, length] of WORDS_PER_FIELD.entries()) {
      for (let n = 0; n < length; n++) {
        const word = VOCABULARY[skewed(VOCABULARY.length)] ?? ''
        if (!words.has(word)) words.set(word, field)
      }
    }
    const tags = [...new Set(Array.from({ length: 1 + skewed(4) }, () => skewed(TAGS.length)))]
    const free = random() < 0.8 ? 2 : 4
    const universal = random() < 0.5 ? 8 : 16
    const others = SHARES.reduce((bits, [bit, share]) => (random() < share ? bits | bit : bits), 0)
    const ratings = skewed(400)
    const document = {
      id,
      author: 1 + skewed(20_000),
      flags: free | universal | others,
      tags: tags.map((tag) => tag + 1),
      labels: LABELS.filter(() => random() < 0.2),
      words: encodeWords(words),
      titleKey: Buffer.from([...words.keys()].slice(0, 4).join(' ')),
      values: {
        created: id,
        views: skewed(1e6),
        downloads: skewed(1e5),
        ratings,
        stars: Math.floor(ratings * (1 + random() * 4)),
      },
    }
    yield { document, words, tagNames: tags.map((tag) => `tag${tag + 1}`) }
  }
}

const ALL: CatalogueFilter = {
  words: [],
  tags: [],
  flags: [],
  author: undefined,
  minimums: [],
  labels: [],
  excludedLabels: [],
}
const PAGE = { order: 'desc', offset: 0, limit: 20 } as const

export function makeQueries(count: number) {
  const random = seeded(2)
  const skewed = (max: number) => Math.floor(max * random() ** 3)
  const sorts = Object.keys(BENCH_SCHEMA.sorts)
  const pickSort = () => sorts[Math.floor(random() * sorts.length)] ?? 'created'
  const makePrefix = () => {
    const word = VOCABULARY[skewed(VOCABULARY.length)] ?? ''
    return word.slice(0, 1 + Math.floor(random() * word.length))
  }
  const makePrefixes = (max: number) => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * max) }, () => makePrefix())),
  ]
  const mix = Array.from({ length: 2000 }, (): CatalogueQuery => {
    const words = random() < 0.3 ? makePrefixes(2) : []
    return {
      ...PAGE,
      words,
      tags: random() < 0.3 ? [`tag${1 + skewed(TAGS.length)}`] : [],
      flags: BENCH_SCHEMA.flags.filter(() => random() < 0.15),
      author: undefined,
      minimums: random() < 0.1 ? [{ value: 'views', min: 1000 }] : [],
      labels: random() < 0.1 ? LABELS.filter(() => random() < 0.05) : [],
      excludedLabels: random() < 0.1 ? LABELS.filter(() => random() < 0.1) : [],
      sort: words.length > 0 && random() < 0.5 ? 'relevance' : pickSort(),
      offset: random() < 0.7 ? 0 : 20 * skewed(50),
    }
  })
  const threeFlags = { ...ALL, ...PAGE, flags: ['free', 'mobile', 'working'] }
  const letters = 'tarinokelusmpdvghfzbc'.split('')
  return {
    mix,
    firstPages: sorts.map((sort) => ({ ...threeFlags, sort })),
    middlePages: sorts.map((sort) => ({ ...threeFlags, sort, offset: 20 * Math.floor(count / 100) })),
    relevance: Array.from({ length: 500 }, () => ({ ...ALL, ...PAGE, words: makePrefixes(3), sort: 'relevance' })),
    twoLetters: letters.flatMap((consonant) =>
      'aeiou'.split('').map((vowel) => ({ ...ALL, ...PAGE, words: [consonant + vowel], sort: 'views' })),
    ),
  }
}
