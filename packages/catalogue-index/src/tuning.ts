/**
 * Every threshold of the index. None changes an answer, only how it is found. Each entry names the rows of the package's
 * benchmark that show it: `node bench/run.ts --documents 1000000 --set NAME=VALUE` measures another value. The defaults were
 * chosen on a catalogue of a million documents.
 */
export interface IndexTuning {
  /** Postings of at least this many ids may become bits; shorter ones stay lists. Rows `build`, `memory`. */
  minDenseCount: number
  /** Ids in a chunk of a sort order; half of it after a split. Rows `put: one value`, `find: middle page`. */
  chunkSize: number

  /** An intersection that starts from a list of this many ids is worth caching. Row `find: mix`. */
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
