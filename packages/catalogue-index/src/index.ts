export { BulkBuilder, type BulkBuilderOptions } from './builder.ts'
export { CatalogueIndex } from './catalogue-index.ts'
export type { TagInfo } from './dimensions.ts'
export { type CatalogueDocument, encodeWords, type WordList } from './document.ts'
export type { Facets, TagCount } from './facets.ts'
export {
  type Average,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueSchema,
  type ColumnType,
  type Field,
  type Minimum,
  type QueryResult,
  RELEVANCE,
  TITLE_KEY,
} from './schema.ts'
export { readSnapshot, type SnapshotData, TimeSlicer, writeSnapshot } from './snapshot.ts'
export { DEFAULT_TUNING, type IndexTuning } from './tuning.ts'
