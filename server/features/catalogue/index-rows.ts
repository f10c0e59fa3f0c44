import type { CatalogueDocument, WordList } from '@scriptyard/catalogue-index'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { FLAGS } from '#contract/catalogue-names.ts'
import type { Tag } from '#contract/catalogue.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { gameLabel, hostLabel, READY_LABEL, type ScriptIndex } from './script-index.ts'
import { findableDomains, FLAG_CONDITIONS, LIST_TABLES } from './listing-rules.ts'

const flags = sql.join(
  FLAGS.map((flag, i) => sql`((${FLAG_CONDITIONS[flag]})::int << ${sql.lit(i)})`),
  sql` | `,
)

// One value per row: converting sixteen columns to text would take longer than the rest of the query.
const ROW = sql`record_send(row(s.id, s.author_id, ${flags}, s.created_at, s.updated_at, s.showcase_date,
  st.view_count, st.download_count, st.rating_count, st.one_star + 2 * st.two_star + 3 * st.three_star + 4 * st.four_star
  + 5 * st.five_star, st.trend, array(select x.tag_id from script_tags x where x.script_id = s.id),
  case when b.status = 'ready' then b.capabilities end, case when b.status = 'ready' then b.hosts end, d.document,
  s.title_key, s.game_id))`

export function selectRows(condition: RawBuilder<unknown>): RawBuilder<{ row: Buffer }> {
  return sql`select ${ROW} as row from ${LIST_TABLES}
    left join script_search d on d.script_id = s.id where ${isListed('s')} and ${condition}`
}

/** Reads the documents of these scripts in one statement, without unlisted ones. Adds unknown tags to the index. */
export async function readRows(db: Database, index: ScriptIndex, ids: readonly number[]): Promise<CatalogueDocument[]> {
  const { rows } = await selectRows(sql`s.id = any(${ids}::int[])`).execute(db)
  const documents = rows.map(({ row }) => decodeRow(row))
  const isUnknown = (tag: number) => !index.hasTag(tag)
  const unknown = new Set(documents.flatMap(({ tags }) => tags).filter(isUnknown))
  if (unknown.size === 0) return documents
  const newTags = await sql<Tag>`select id, name, color from tags where id = any(${[...unknown]}::int[])`.execute(db)
  for (const tag of newTags.rows) index.addTag(tag)
  // A tag that was deleted between the two queries has no scripts any more.
  return documents.map((document) => ({ ...document, tags: document.tags.filter((tag) => !isUnknown(tag)) }))
}

const COPY_HEADER_BYTES = 19
/** Header of a row with one value: the number of values and the length of the value. */
const COPY_ROW_BYTES = 6

/**
 * Streams the only value of each row of a query without parameters, by binary COPY. The bytes are valid until
 * `onValue` returns. A connection on which this failed must not be used again unless the query failed.
 */
export async function copyRows(client: pg.ClientBase, query: string, onValue: (value: Buffer) => void): Promise<void> {
  // One buffer for all chunks: concatenating each with the rest of the last one leaves hundreds of megabytes of garbage.
  let buffer = Buffer.alloc(1 << 16)
  let filled = 0
  let offset = COPY_HEADER_BYTES
  for await (const chunk of client.query(to(`copy (${query}) to stdout (format binary)`)) as AsyncIterable<Buffer>) {
    if (filled + chunk.length > buffer.length) buffer = Buffer.concat([buffer], 2 * (filled + chunk.length))
    filled += chunk.copy(buffer, filled)
    for (;;) {
      const from = offset + COPY_ROW_BYTES
      // The trailer has the length -1 and nothing after it.
      if (from > filled) break
      const end = from + buffer.readInt32BE(from - 4)
      if (end > filled) break
      onValue(buffer.subarray(from, end))
      offset = end
    }
    if (offset > filled) continue
    buffer.copyWithin(0, offset, filled)
    filled -= offset
    offset = 0
  }
}

const COUNT_BYTES = 4
const NO_WORDS = new Uint8Array(COUNT_BYTES)

/**
 * Decodes a row in the format of PostgreSQL's `record_send`: the number of fields, then for each its type, its length (-1
 * for null) and its value, all numbers big-endian. Words and title are views of the same bytes.
 */
export function decodeRow(bytes: Buffer): CatalogueDocument {
  let end = COUNT_BYTES
  /** Moves on to the next field, which ends at `end`, and returns its offset. */
  const next = () => {
    const from = end + 8
    end = from + Math.max(bytes.readInt32BE(from - 4), 0)
    return from
  }
  const integer = () => bytes.readInt32BE(next())
  const id = integer()
  const author = integer()
  const flagBits = integer()
  const values = {
    created: readBigint(bytes, next()),
    updated: readBigint(bytes, next()),
    showcased: readOptional(bytes, next(), end),
    views: integer(),
    downloads: integer(),
    ratings: integer(),
    stars: integer(),
    trend: bytes.readDoubleBE(next()),
  }
  const tags = readIntegers(bytes, next())
  const capabilities = readTexts(bytes, next(), end)
  const hosts = readTexts(bytes, next(), end)
  const labels = capabilities ? behaviorLabels(capabilities, hosts ?? []) : []
  const words = new TsvectorWords(readBytes(bytes, next(), end))
  const titleKey = bytes.subarray(next(), end)
  const game = bytes.toString('latin1', next(), end)
  if (game !== '') labels.push(gameLabel(game))
  return { id, author, flags: flagBits, values, tags, labels, words, titleKey }
}

const readBigint = (bytes: Buffer, offset: number) =>
  bytes.readInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4)
const readOptional = (bytes: Buffer, from: number, end: number) => (from === end ? -Infinity : readBigint(bytes, from))
const readBytes = (bytes: Buffer, from: number, end: number) => (from === end ? NO_WORDS : bytes.subarray(from, end))

/** An array of integers: its dimensions (0 when empty), two numbers, its length and first index, then each value. */
function readIntegers(bytes: Buffer, offset: number): number[] {
  if (bytes.readInt32BE(offset) === 0) return []
  const length = bytes.readInt32BE(offset + 12)
  return Array.from({ length }, (_, i) => bytes.readInt32BE(offset + 24 + i * 8))
}

/** An array of texts, in the same format, each with its length in bytes. Undefined for null. */
function readTexts(bytes: Buffer, from: number, end: number): string[] | undefined {
  if (from === end) return undefined
  if (bytes.readInt32BE(from) === 0) return []
  const length = bytes.readInt32BE(from + 12)
  let offset = from + 20
  return Array.from({ length }, () => {
    const start = offset + 4
    offset = start + bytes.readInt32BE(offset)
    return bytes.toString('utf8', start, offset)
  })
}

function behaviorLabels(capabilities: readonly string[], hosts: readonly string[]): string[] {
  return [...new Set([READY_LABEL, ...capabilities, ...hosts.flatMap(findableDomains).map(hostLabel)])]
}

/**
 * The words of a tsvector in binary form: after their count, each word ends with a zero byte, then follow the number of its
 * positions and the positions. The lowest position comes first and is the number of the field plus one.
 */
class TsvectorWords implements WordList {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  forEach(visit: (bytes: Uint8Array, from: number, to: number, field: number) => void): void {
    const bytes = this.#bytes
    for (let from = COUNT_BYTES; from < bytes.length;) {
      let end = from
      while ((bytes[end] ?? 0) !== 0) end++
      visit(bytes, from, end, (bytes[end + 4] ?? 0) - 1)
      from = end + 3 + 2 * (((bytes[end + 1] ?? 0) << 8) | (bytes[end + 2] ?? 0))
    }
  }
}
