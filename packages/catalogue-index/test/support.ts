import {
  type CatalogueDocument,
  type CatalogueFilter,
  type CatalogueSchema,
  DEFAULT_TUNING,
  encodeWords,
} from '../src/schema.ts'
import { TINY_TUNING } from '../src/testing.ts'

export const FLAGS = ['featured', 'free', 'paid'] as const
export type Flag = (typeof FLAGS)[number]
export type Sort = 'newest' | 'popular' | 'rating' | 'score' | 'title' | 'shown'

/** Every kind of column, average and sort. */
export const SCHEMA: CatalogueSchema<Flag, Sort> = {
  flags: FLAGS,
  exclusiveFlags: [['free', 'paid']],
  fields: [
    { name: 'title', weight: 8 },
    { name: 'tags', weight: 4 },
    { name: 'author', weight: 2 },
    { name: 'description', weight: 1 },
  ],
  wholeWordFactor: 2,
  columns: { created: 'float64', shown: 'sparse', downloads: 'int32', ratings: 'int32', stars: 'int32' },
  averages: {
    average: { sum: 'stars', count: 'ratings' },
    score: { sum: 'stars', count: 'ratings', priorSum: 30, priorCount: 10 },
  },
  sorts: {
    newest: ['created'],
    popular: ['downloads'],
    rating: ['average', 'ratings'],
    score: ['score', 'ratings'],
    title: ['title'],
    shown: ['shown'],
  },
  popularity: 'popular',
  frequentLabels: ['often', '//com', 'label1'],
}

type Values = CatalogueDocument['values']

/** A document with these words, each with its best field, and otherwise with defaults. */
export function makeDocument(
  id: number,
  words: ReadonlyMap<string, number>,
  { values, ...rest }: Partial<CatalogueDocument> = {},
): CatalogueDocument {
  const defaults: Values = { created: id, downloads: 0, ratings: 0, stars: 0 }
  return {
    id,
    author: 1,
    flags: 0,
    tags: [],
    labels: [],
    words: encodeWords(words),
    titleKey: Buffer.from(`document ${id}`),
    values: { ...defaults, ...values },
    ...rest,
  }
}

export const NO_FILTER: CatalogueFilter<Flag> = {
  words: [],
  tags: [],
  flags: [],
  author: undefined,
  minimums: [],
  labels: [],
  excludedLabels: [],
}

/** For `describe.each`: small catalogues reach all branches with tiny thresholds only. */
export const TUNINGS = [
  ['default', DEFAULT_TUNING],
  ['tiny', TINY_TUNING],
] as const
