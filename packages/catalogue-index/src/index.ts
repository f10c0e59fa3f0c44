export { BulkBuilder, type BulkBuilderOptions, CatalogueIndex } from './catalogue-index.ts'
export type { FacetOptions, Facets, TagCount } from './facets.ts'
export { MAX_RELATED_TAGS, type RelatedQuery } from './related.ts'
export {
  type Average,
  type CatalogueDocument,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type ColumnType,
  DEFAULT_TUNING,
  encodeWords,
  type Field,
  type IndexTuning,
  type Minimum,
  type QueryResult,
  RELEVANCE,
  TITLE_KEY,
  type WordList,
} from './schema.ts'
export { readSnapshot, type SnapshotData, TimeSlicer, writeSnapshot } from './snapshot.ts'
export type { TagInfo } from './vocabulary.ts'
