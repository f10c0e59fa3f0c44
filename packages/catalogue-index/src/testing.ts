// Support for tests and benchmarks of the index: thresholds and a reference implementation.
import { MAX_RELATED_TAGS, type RelatedQuery, tagWeight } from './related.ts'
import {
  type CatalogueDocument,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type IndexTuning,
  type QueryResult,
  TITLE_KEY,
} from './schema.ts'

/** Thresholds so low that a catalogue of a few hundred documents reaches every branch. */
export const TINY_TUNING: IndexTuning = {
  minDenseCount: 4,
  chunkSize: 16,
  minCostlyList: 1,
  maxCachedFilters: 3,
  maxCountedFilters: 8,
  cachedFilterShift: 30,
  maxCachedSets: 6,
  maxCachedBytes: 200,
  minCachedFullSets: 2,
  minCachedUnion: 2,
  minCompletionWords: 2,
  walkCost: 2,
  sortCost: 20,
  maxProbes: 40,
  maxTierWords: 2,
  minTierPostings: 1,
  uncachedTierShift: 1,
  tagReadCost: 2,
  tagSortInterval: 3,
}

/** A document with its words as text, each with its best field, and the names of its tags. */
export interface NaiveDocument {
  document: CatalogueDocument
  words: ReadonlyMap<string, number>
  tagNames: readonly string[]
}

/** Reference implementation of the index that checks every document. Words match by prefix. */
export class NaiveCatalogue {
  readonly documents = new Map<number, NaiveDocument>()
  readonly #schema: CatalogueSchema

  constructor(schema: CatalogueSchema) {
    this.#schema = schema
  }

  put(document: NaiveDocument): void {
    this.documents.set(document.document.id, document)
  }

  find(query: CatalogueQuery): QueryResult {
    const direction = query.order === 'asc' ? 1 : -1
    const matches = this.filter(query)
      .map((document) => ({ id: document.document.id, keys: this.#sortKeys(document, query) }))
      .toSorted((a, b) => direction * (compareKeys(a.keys, b.keys) || a.id - b.id))
    return { ids: matches.slice(query.offset, query.offset + query.limit).map(({ id }) => id), total: matches.length }
  }

  /** `tagIds` has the ids of all tags by name. */
  related({ tags, author, limit }: RelatedQuery, tagIds: ReadonlyMap<string, number>): number[] {
    const documents = [...this.documents.values()]
    const known = tags
      .map((name) => ({
        name,
        id: tagIds.get(name) ?? 0,
        count: documents.filter((one) => one.tagNames.includes(name)).length,
      }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => a.count - b.count || a.id - b.id)
      .slice(0, MAX_RELATED_TAGS)
    return documents
      .filter(({ document }) => document.author !== author)
      .map(({ document, tagNames }) => {
        const shared = known.filter(({ name }) => tagNames.includes(name))
        const score = shared.reduce((sum, { count }) => sum + tagWeight(documents.length, count), 0)
        const keys = (this.#schema.sorts[this.#schema.popularity] ?? []).map((name) => this.#value(document, name))
        return { id: document.id, score, keys }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || compareKeys(b.keys, a.keys) || b.id - a.id)
      .slice(0, limit)
      .map(({ id }) => id)
  }

  filter(filter: CatalogueFilter): NaiveDocument[] {
    return [...this.documents.values()].filter((document) => this.#matches(document, filter))
  }

  #matches({ document, words, tagNames }: NaiveDocument, filter: CatalogueFilter): boolean {
    return (
      filter.words.every((prefix) => [...words.keys()].some((word) => word.startsWith(prefix))) &&
      filter.tags.every((name) => tagNames.includes(name)) &&
      filter.flags.every((flag) => document.flags & (1 << this.#schema.flags.indexOf(flag))) &&
      (filter.author === undefined || filter.author === document.author) &&
      filter.minimums.every(({ value, min }) => this.#value(document, value) >= min) &&
      filter.labels.every((label) => document.labels.includes(label)) &&
      !filter.excludedLabels.some((label) => document.labels.includes(label))
    )
  }

  #value({ values }: CatalogueDocument, name: string): number {
    const average = this.#schema.averages[name]
    if (!average) return values[name] ?? (this.#schema.columns[name] === 'sparse' ? -Infinity : 0)
    const count = (average.priorCount ?? 0) + (values[average.count] ?? 0)
    return count === 0 ? 0 : ((average.priorSum ?? 0) + (values[average.sum] ?? 0)) / count
  }

  #sortKeys(document: NaiveDocument, { sort, words }: CatalogueQuery): (number | string)[] {
    const names = this.#schema.sorts[sort === 'relevance' ? this.#schema.popularity : sort] ?? []
    const keys = names.map((name) =>
      name === TITLE_KEY
        ? Buffer.from(document.document.titleKey).toString('hex')
        : this.#value(document.document, name),
    )
    return sort === 'relevance' ? [this.#score(document, words), ...keys] : keys
  }

  #score({ words }: NaiveDocument, prefixes: readonly string[]): number {
    const { fields, wholeWordFactor } = this.#schema
    return prefixes.reduce((sum, prefix) => {
      const scores = [...words].map(([word, field]) =>
        word.startsWith(prefix) ? (fields[field]?.weight ?? 0) * (word === prefix ? wholeWordFactor : 1) : 0,
      )
      return sum + Math.max(0, ...scores)
    }, 0)
  }
}

function compareKeys(first: readonly (number | string)[], second: readonly (number | string)[]): number {
  for (const [i, a] of first.entries()) {
    const b = second[i] ?? ''
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}
