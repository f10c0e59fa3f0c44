// Random documents and queries for property tests, and what a naive catalogue answers.
import fc from 'fast-check'
import type { CatalogueQuery } from '../src/schema.ts'
import type { NaiveCatalogue, NaiveDocument } from '../src/testing.ts'
import { FLAGS, type Flag, makeDocument, NO_FILTER, SCHEMA, type Sort } from './support.ts'

export type Query = CatalogueQuery<Flag, Sort>

export const DOCUMENTS = 400
export const WORDS = ['a', 'ab', 'abc', 'b', 'bc', 'c', 'rare', 'rarer']
/** Some are in the schema and some are not; some are bits and others are lists, with both kinds of thresholds. */
export const LABELS = ['often', 'mostly', '//com', '//example.com', '//rare.example.com']
const label = fc.constantFrom(...LABELS.slice(0, 2), ...LABELS, 'none')
export const TAGS = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `tag${i}` }))

/** Most documents have most words, so that tiers are intersected; documents with `rare` words are scored one by one. */
const frequent = fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: fc.nat(3) })
const rare = fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(3) })

export const content = fc.record({
  fields: fc.tuple(...WORDS.map((word) => (word.startsWith('rare') ? rare : frequent))),
  tags: fc.uniqueArray(fc.nat(29), { maxLength: 4 }),
  labels: fc.subarray(LABELS).map((labels) => (labels.length > 2 ? labels.slice(0, 2) : labels)),
  flags: fc.nat(7),
  author: fc.integer({ min: 1, max: 20 }),
  downloads: fc.nat(5),
  ratings: fc.nat(4),
  averageStars: fc.integer({ min: 1, max: 5 }),
  shown: fc.option(fc.nat(9), { nil: undefined }),
  title: fc.constantFrom('alpha', 'alphabet', 'beta', 'Ärger', ''),
})
export type Content = typeof content extends fc.Arbitrary<infer T> ? T : never

export function naiveDocument(id: number, { fields, tags, title, shown, ...rest }: Content): NaiveDocument {
  const words = new Map(WORDS.flatMap((word, i) => (fields[i] === undefined ? [] : [[word, fields[i]] as const])))
  const { downloads, ratings, averageStars, flags, author, labels } = rest
  const values = { created: id, downloads, ratings, stars: ratings * averageStars }
  const document = makeDocument(id, words, {
    author,
    flags,
    tags: tags.map((i) => TAGS[i]?.id ?? 0),
    labels,
    titleKey: Buffer.from(title),
    values: shown === undefined ? values : { ...values, shown },
  })
  return { document, words, tagNames: tags.map((i) => TAGS[i]?.name ?? '') }
}

export const query = fc.record({
  words: fc.oneof(
    fc.constant([]),
    fc.uniqueArray(fc.constantFrom(...WORDS, 'r', 'none'), { minLength: 1, maxLength: 4 }),
  ),
  tags: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.uniqueArray(fc.constantFrom('tag0', 'tag1', 'none'))),
  flags: fc.uniqueArray(fc.constantFrom(...FLAGS)),
  author: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 21 })),
  minimums: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.constantFrom(
      [{ value: 'downloads', min: 1 }],
      [{ value: 'average', min: 2.5 }],
      [
        { value: 'average', min: 2 },
        { value: 'downloads', min: 3 },
      ],
    ),
  ),
  labels: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.uniqueArray(label, { maxLength: 2 })),
  excludedLabels: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.uniqueArray(label, { maxLength: 3 })),
  sort: fc.constantFrom(...(Object.keys(SCHEMA.sorts) as Sort[]), 'relevance' as const),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  page: fc.double({ min: 0, max: 1, noNaN: true }),
})
export type Wanted = typeof query extends fc.Arbitrary<infer T> ? T : never

/** A page at this share of all pages. */
export function readQuery({ page, ...rest }: Wanted, total: number): Query {
  return { ...rest, offset: Math.floor(page * Math.ceil(total / 20)) * 20, limit: 20 }
}

export function countNaively(naive: NaiveCatalogue, wanted: Wanted) {
  const flags = FLAGS.map((flag) => {
    const partner = SCHEMA.exclusiveFlags.find((pair) => pair.includes(flag))?.find((other) => other !== flag)
    const others = wanted.flags.filter((other) => other !== partner && other !== flag)
    return [flag, naive.filter({ ...NO_FILTER, ...wanted, flags: [...others, flag] }).length]
  })
  const matches = naive.filter({ ...NO_FILTER, ...wanted })
  const tags = TAGS.map((tag) => ({
    ...tag,
    count: matches.filter(({ tagNames }) => tagNames.includes(tag.name)).length,
  }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  const labels = [...LABELS, 'none'].map((name) => {
    return [name, matches.filter(({ document }) => document.labels.includes(name)).length]
  })
  return {
    total: matches.length,
    flags: Object.fromEntries(flags),
    labels: Object.fromEntries(labels),
    tags: tags.slice(0, 5),
  }
}

export function completeNaively(naive: NaiveCatalogue, prefixes: readonly string[], field: number): number[] {
  const hasPrefix = ({ words }: NaiveDocument, prefix: string) =>
    [...words].some(([word, best]) => best === field && word.startsWith(prefix))
  return [...naive.documents.values()]
    .filter((document) => prefixes.every((prefix) => hasPrefix(document, prefix)))
    .map(({ document }) => ({ id: document.id, downloads: document.values.downloads ?? 0 }))
    .toSorted((a, b) => b.downloads - a.downloads || b.id - a.id)
    .slice(0, 5)
    .map(({ id }) => id)
}
