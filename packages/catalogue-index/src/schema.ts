/** Storage of a number per document. `sparse` suits columns that few documents have; without a value they sort first. */
export type ColumnType = 'int32' | 'float64' | 'sparse'

/** A text of a document, such as its title. */
export interface Field {
  readonly name: string
  /** Score of a searched word that is the prefix of a word in this field. */
  readonly weight: number
}

/** The number `(priorSum + sum) / (priorCount + count)` of two columns; 0 if the divisor is 0. */
export interface Average {
  readonly sum: string
  readonly count: string
  readonly priorSum?: number
  readonly priorCount?: number
}

/** The sort key that compares the `titleKey` of documents. */
export const TITLE_KEY = 'title'

/** Sorting by how well documents match the words of a query, then by `CatalogueSchema.popularity`. */
export const RELEVANCE = 'relevance'

/** Plain data: the version of a snapshot is a hash of it. */
export interface CatalogueSchema<Flag extends string = string, Sort extends string = string> {
  /** Yes-or-no properties, at most 31. Bit n of `CatalogueDocument.flags` is the n-th. */
  readonly flags: readonly Flag[]
  /** Pairs of flags of which a filter has at most one: in facets, turning one on turns the other off. */
  readonly exclusiveFlags: readonly (readonly [NoInfer<Flag>, NoInfer<Flag>])[]
  /** Best first: a word counts for the first field that contains it. */
  readonly fields: readonly Field[]
  /** A searched word scores this many times the weight if it is a whole word of the document, not only a prefix. */
  readonly wholeWordFactor: number
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly averages: Readonly<Record<string, Average>>
  /** Sort orders: names of columns and averages or `TITLE_KEY`, compared one after the other, then the id. */
  readonly sorts: Readonly<Record<Sort, readonly string[]>>
  /** The sort that breaks ties of relevance and orders completions. */
  readonly popularity: NoInfer<Sort>
  /** Labels of many documents, a few dozen at most. Not stored per document; each change looks for all of them. */
  readonly frequentLabels?: readonly string[]
  /** Version of the host's labels, which the host increments when documents get other labels: old snapshots are rejected. */
  readonly labelVersion?: number
}

export interface Minimum {
  /** Name of a column or average that is the first key of a sort. */
  readonly value: string
  readonly min: number
}

/** Conditions that must all be met. Filters must not be mutated, because their keys are cached. */
export interface CatalogueFilter<Flag extends string = string> {
  /**
   * Each is the prefix of a word of the document. Folded like the words of documents, distinct. Relevance counts the first
   * 257, and words of more than 250 letters get no spelling suggestion.
   */
  readonly words: readonly string[]
  readonly tags: readonly string[]
  readonly flags: readonly Flag[]
  readonly author: number | undefined
  readonly minimums: readonly Minimum[]
  readonly labels: readonly string[]
  readonly excludedLabels: readonly string[]
}

export interface CatalogueQuery<
  Flag extends string = string,
  Sort extends string = string,
> extends CatalogueFilter<Flag> {
  readonly sort: Sort | typeof RELEVANCE
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

export interface QueryResult {
  ids: number[]
  total: number
}

const filterKeys = new WeakMap<CatalogueFilter, string>()

/** Cache key: equivalent filters have the same one. */
export function filterKey(filter: CatalogueFilter): string {
  const cached = filterKeys.get(filter)
  if (cached !== undefined) return cached
  const { words, tags, flags, author, minimums, labels, excludedLabels } = filter
  const key = JSON.stringify([
    words.toSorted(),
    tags,
    flags,
    author ?? 0,
    minimums.map(({ value, min }) => [value, min]),
    labels,
    excludedLabels,
  ])
  filterKeys.set(filter, key)
  return key
}

/** A schema with derived values. Throws RangeError for a schema that the index cannot represent. */
export class CompiledSchema {
  readonly source: CatalogueSchema
  readonly flagCount: number
  readonly fieldCount: number
  /** Scores that a word can have in a document, highest first. */
  readonly wordScores: readonly number[]
  readonly #flagIndexes: ReadonlyMap<string, number>

  constructor(source: CatalogueSchema) {
    const { flags, fields, wholeWordFactor } = source
    this.source = source
    this.flagCount = flags.length
    this.fieldCount = fields.length
    this.#flagIndexes = new Map(flags.map((flag, i) => [flag, i]))
    const scores = new Set(fields.flatMap(({ weight }) => [weight, weight * wholeWordFactor]))
    this.wordScores = [...scores].toSorted((a, b) => b - a)
    if (flags.length > 31) throw new RangeError('A schema has at most 31 flags')
    if (this.wordScores.some((score) => !Number.isInteger(score) || score < 1 || score > 255)) {
      throw new RangeError('The weights of fields, also times wholeWordFactor, are whole numbers from 1 to 255')
    }
  }

  get maxWordScore(): number {
    return this.wordScores[0] ?? 0
  }

  /** Throws RangeError for a name that is not in the schema. */
  flagIndex(flag: string): number {
    const index = this.#flagIndexes.get(flag)
    if (index === undefined) throw new RangeError(`The schema has no flag "${flag}"`)
    return index
  }

  flagMask(flags: readonly string[]): number {
    return flags.reduce((mask, flag) => mask | (1 << this.flagIndex(flag)), 0)
  }

  partnerOf(flag: string): string | undefined {
    for (const [a, b] of this.source.exclusiveFlags) {
      if (flag === a) return b
      if (flag === b) return a
    }
    return undefined
  }

  withFlag(flags: readonly string[], added: string): string[] {
    const partner = this.partnerOf(added)
    return [...flags.filter((flag) => flag !== partner && flag !== added), added]
  }
}

/** The distinct words of a document, each with the best field that contains it (0 is the first field of the schema). */
export interface WordList {
  /** Calls `visit` for each word: the UTF-8 bytes from `from` to before `to`, which are valid during the call. */
  forEach(visit: (bytes: Uint8Array, from: number, to: number, field: number) => void): void
}

/** A document as the index reads it. The index keeps no reference to it. */
export interface CatalogueDocument {
  /** Positive. Memory is proportional to the highest id, so ids should have few gaps. */
  readonly id: number
  readonly author: number
  /** Bit n is the n-th flag of the schema. */
  readonly flags: number
  /** Ids of tags that were added before. */
  readonly tags: readonly number[]
  /**
   * Distinct texts by which the document is found, of any number and without announcement, such as domains. Unlike flags
   * they take memory only in the documents that have them, and a filter can exclude them.
   */
  readonly labels: readonly string[]
  readonly words: WordList
  /** Sort key for `TITLE_KEY`, in UTF-8: its byte order is that of the code points. */
  readonly titleKey: Uint8Array
  /** Values by column name. A missing value counts as 0, in a sparse column as -Infinity. */
  readonly values: Readonly<Record<string, number>>
}

const encoder = new TextEncoder()

export function encodeWords(words: Iterable<readonly [word: string, field: number]>): WordList {
  const encoded = Array.from(words, ([word, field]) => ({ bytes: encoder.encode(word), field }))
  return {
    forEach(visit) {
      for (const { bytes, field } of encoded) visit(bytes, 0, bytes.length, field)
    },
  }
}

export function startsWith(bytes: Uint8Array, from: number, to: number, prefix: Uint8Array): boolean {
  if (to - from < prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[from + i] !== prefix[i]) return false
  return true
}

/** Returns a test for documents that have a word with this prefix, in any field or with `bestField` as its best field. */
export function prefixMatcher(prefix: string, bestField?: number): (document: CatalogueDocument) => boolean {
  const encoded = encoder.encode(prefix)
  return ({ words }) => {
    let isFound = false
    words.forEach((bytes, from, to, field) => {
      isFound ||= (bestField ?? field) === field && startsWith(bytes, from, to, encoded)
    })
    return isFound
  }
}

/** Returns a function for the score of a searched word in a document: its best weight, times `wholeWordFactor` if whole. */
export function wordScorer(
  word: string,
  weights: readonly number[],
  wholeWordFactor: number,
): (document: CatalogueDocument) => number {
  const prefix = encoder.encode(word)
  return ({ words }) => {
    let best = 0
    words.forEach((bytes, from, to, field) => {
      if (!startsWith(bytes, from, to, prefix)) return
      best = Math.max(best, (weights[field] ?? 0) * (to - from === prefix.length ? wholeWordFactor : 1))
    })
    return best
  }
}

/**
 * The thresholds of the index that depend on speed. None changes an answer, only how it is found. Each names the rows of
 * the benchmark that show it: `node lab/bench/run.ts --documents 1000000 --set NAME=VALUE`. Defaults were chosen on a million
 * documents.
 */
export interface IndexTuning {
  /** Postings of at least this many ids may become bits; shorter ones stay lists. Rows `build`, `memory`. */
  minDenseCount: number
  /** Ids in a chunk of a sort order, a multiple of 16. Rows `put: one value`, `find: middle page`. */
  chunkSize: number

  /** An intersection that starts from a list of this many ids is cached. Row `find: mix`. */
  minCostlyList: number
  /** Results of filters that are cached. Rows `find: mix`, `put: one value`. */
  maxCachedFilters: number
  /** Filters whose requests are counted; beyond that all counts are halved. Row `find: mix`. */
  maxCountedFilters: number
  /** A filter result is cached from `maxId >>> cachedFilterShift` ids on. Row `find: mix`. */
  cachedFilterShift: number

  /** Sets in the cache of unions, minimums and tiers. Rows `find: mix`, `memory`. */
  maxCachedSets: number
  /** Bytes of that cache. Rows `find: mix`, `memory`. */
  maxCachedBytes: number
  /** The byte limit is raised until this many bit sets over all ids fit. Rows `find: mix`, `memory`. */
  minCachedFullSets: number
  /** The union of a prefix is cached as bits from this many postings plus `maxId >>> 8` on. Row `find: two letters`. */
  minCachedUnion: number
  /** A completion caches the set of a prefix that this many words have. Row `complete: two letters`. */
  minCompletionWords: number

  // The cost model of a page: walking a sort order against sorting the matching ids.
  /** Cost of walking past one id of a sort order, in nanoseconds. Rows `find: first page`, `find: middle page`. */
  walkCost: number
  /** Cost of sorting one matching id, in nanoseconds. Rows `find: first page`, `find: middle page`. */
  sortCost: number

  /** Up to this many probes of postings, documents are scored one by one. Row `find: relevance`. */
  maxProbes: number
  /** The tiers of up to this many words are intersected with each other. Row `find: relevance`. */
  maxTierWords: number
  /** The tiers of a word are cached from this many postings plus `maxId >>> 5` on. Row `find: relevance`. */
  minTierPostings: number
  /** One word with fewer than `maxId >>> uncachedTierShift` postings needs no tiers. Row `find: two letters`. */
  uncachedTierShift: number

  /** Cost of reading the tags of one document, in postings tested. Row `facets`. */
  tagReadCost: number
  /** Tags are sorted by frequency again after this many counts. Row `facets`. */
  tagSortInterval: number
}

export const DEFAULT_TUNING: IndexTuning = {
  minDenseCount: 64,
  chunkSize: 1024,
  minCostlyList: 1024,
  maxCachedFilters: 64,
  maxCountedFilters: 2048,
  cachedFilterShift: 11,
  maxCachedSets: 512,
  maxCachedBytes: 32e6,
  minCachedFullSets: 256,
  minCachedUnion: 128,
  minCompletionWords: 512,
  walkCost: 2,
  sortCost: 40,
  maxProbes: 10_000,
  maxTierWords: 3,
  minTierPostings: 128,
  uncachedTierShift: 2,
  tagReadCost: 40,
  tagSortInterval: 256,
}
