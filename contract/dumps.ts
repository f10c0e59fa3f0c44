import Type, { type Static, type TObject } from 'typebox'
import {
  count,
  DumpTag,
  DumpImage,
  DumpMember,
  DumpScript,
  DumpVersion,
  DumpBehavior,
  DumpReview,
  DumpComment,
  DumpCollection,
  DumpGiveaway,
  DumpEntry,
  DumpWithdrawal,
  hashOf,
  instant,
  text,
} from './dump-rows.ts'
import { MAX_URL_LENGTH } from './limits.ts'
import { strict } from './operation.ts'

/** Changes when a consumer of the former format would misread a dump. */
export const DUMP_FORMAT_VERSION = 1

interface DumpKind {
  description: string
  schema: TObject
  /** Fields by which the rows are sorted, ascending; unique together. */
  key: readonly string[]
}

/** The files of a dump, ordered so that rows refer only to rows of earlier files. */
export const DUMP_KINDS = {
  tags: { description: 'Tags of public scripts', schema: DumpTag, key: ['id'] },
  images: { description: 'Images of scripts and members, without their bytes', schema: DumpImage, key: ['hash'] },
  members: { description: 'Public profiles', schema: DumpMember, key: ['id'] },
  scripts: { description: 'Public scripts, without their code', schema: DumpScript, key: ['id'] },
  versions: {
    description: 'Versions of public scripts with their code',
    schema: DumpVersion,
    key: ['script_id', 'number'],
  },
  behavior: { description: 'What the code does, by its SHA-256', schema: DumpBehavior, key: ['sha256'] },
  reviews: { description: 'Ratings that count, with their reviews and replies', schema: DumpReview, key: ['id'] },
  comments: { description: 'Comments that visitors see', schema: DumpComment, key: ['id'] },
  collections: { description: 'Public collections with their public scripts', schema: DumpCollection, key: ['id'] },
  giveaways: { description: 'Giveaways without their prizes', schema: DumpGiveaway, key: ['id'] },
  giveaway_entries: { description: 'Entries that were in a draw', schema: DumpEntry, key: ['id'] },
  withdrawals: { description: 'Withdrawn code, with the reasons', schema: DumpWithdrawal, key: ['id'] },
} as const satisfies Record<string, DumpKind>
export type DumpKindName = keyof typeof DUMP_KINDS
export type DumpRow<K extends DumpKindName> = Static<(typeof DUMP_KINDS)[K]['schema']>
export const DUMP_KIND_NAMES = Object.keys(DUMP_KINDS) as DumpKindName[]
/** Dumps of earlier versions have the first of the files. */
const FIRST_FILES = 11

export const dumpFileName = (kind: DumpKindName): string => `${kind}.ndjson.gz`

const DumpFile = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    kind: Type.Enum(DUMP_KIND_NAMES),
    description: Type.String({ maxLength: 200 }),
    rows: count,
    bytes: Type.Integer({ minimum: 0, description: 'Size of the file' }),
    uncompressed_bytes: count,
    sha256: hashOf('Of the file as it is, compressed'),
  },
  strict,
)
export type DumpFile = Static<typeof DumpFile>

export const DumpTotals = Type.Object(
  {
    members: count,
    scripts: count,
    versions: count,
    tags: count,
    tag_uses: count,
    views: count,
    downloads: count,
    favorites: count,
    ratings: count,
    stars: Type.Integer({ minimum: 0, description: 'Sum of all ratings; divided by `ratings`, their average' }),
    reviews: count,
    comments: count,
    collections: count,
    collection_items: count,
  },
  strict,
)
export type DumpTotals = Static<typeof DumpTotals>

export const DumpManifest = Type.Object(
  {
    format: Type.Literal('scriptyard-dump'),
    format_version: Type.Integer({ minimum: 1 }),
    schema_version: Type.String({
      pattern: '^\\d{4}-[a-z0-9-]+\\.sql$',
      maxLength: 100,
      description: 'The last database migration of the site',
    }),
    created_at: Type.String({ format: 'date-time' }),
    snapshot: Type.Object(
      {
        transaction_id: Type.String({
          pattern: '^\\d{1,20}$',
          description: 'All changes of transactions before this one are in the dump',
        }),
        taken_at: instant,
      },
      strict,
    ),
    site: Type.Object({ name: text(100), url: Type.String({ maxLength: MAX_URL_LENGTH }) }, strict),
    license: Type.String({ maxLength: 2000 }),
    totals: DumpTotals,
    files: Type.Array(DumpFile, { minItems: FIRST_FILES, maxItems: DUMP_KIND_NAMES.length }),
  },
  strict,
)
export type DumpManifest = Static<typeof DumpManifest>

export interface DumpList {
  dumps: {
    name: string
    manifest: string
    schemas: string[]
    created_at: string
    files: (DumpFile & { url: string })[]
  }[]
}
