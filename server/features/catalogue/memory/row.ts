import { type RawBuilder, sql } from 'kysely'
import { FLAGS } from '#contract/catalogue-names.ts'
import { FLAG_CONDITIONS, LISTED } from '#server/features/catalogue/listing-rules.ts'

/** What the index knows of a listed script. */
export interface IndexRow {
  id: number
  author: number
  /** Bit n is the n-th of FLAGS. */
  flags: number
  /** Microseconds, as the database counts them. */
  created: number
  /** -Infinity when it was never showcased: before all others, as null is in SQL. */
  showcased: number
  views: number
  downloads: number
  ratings: number
  /** The sum of all stars. */
  stars: number
  trend: number
  tags: number[]
  words: RowWords
  /** The title's key, UTF-8. */
  title: Uint8Array
}

/** The words of a script and where they stand, as PostgreSQL sends a tsvector. */
export type RowWords = Uint8Array

const flags = sql.join(
  FLAGS.map((flag, place) => sql`((${FLAG_CONDITIONS[flag]})::int << ${sql.lit(place)})`),
  sql` | `,
)

// One value a row: reading thirteen columns as texts takes the database and the driver longer than all the rest.
const ROW = sql`record_send(row(s.id, s.author_id, ${flags}, s.created_at, s.showcase_date, st.view_count,
  st.download_count, st.rating_count, st.one_star + 2 * st.two_star + 3 * st.three_star + 4 * st.four_star
  + 5 * st.five_star, st.trend, array(select x.tag_id from script_tags x where x.script_id = s.id), d.document,
  s.title_key))`

/** Listed scripts for which a condition holds, each as the bytes that `readRow` reads. */
export function selectRows(condition: RawBuilder<unknown>): RawBuilder<{ row: Buffer }> {
  return sql`select ${ROW} as row from scripts s join script_stats st on st.script_id = s.id
    left join script_search d on d.script_id = s.id where ${LISTED} and ${condition}`
}

const COUNT_BYTES = 4
const NONE = new Uint8Array(COUNT_BYTES)

/**
 * Reads a row as PostgreSQL's `record_send` writes it: how many fields, then of each its type, its length (-1 for null) and
 * its value, all numbers with the highest byte first. Words and title stay parts of these bytes.
 */
export function readRow(bytes: Buffer): IndexRow {
  let end = COUNT_BYTES
  /** Goes to the next field and tells where it begins; it ends at `end`. */
  const next = () => {
    const from = end + 8
    end = from + Math.max(bytes.readInt32BE(from - 4), 0)
    return from
  }
  const integer = () => bytes.readInt32BE(next())
  return {
    id: integer(),
    author: integer(),
    flags: integer(),
    created: readLong(bytes, next()),
    showcased: readOptional(bytes, next(), end),
    views: integer(),
    downloads: integer(),
    ratings: integer(),
    stars: integer(),
    trend: bytes.readDoubleBE(next()),
    tags: readIntegers(bytes, next()),
    words: readWords(bytes, next(), end),
    title: bytes.subarray(next(), end),
  }
}

const readLong = (bytes: Buffer, at: number) => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
const readOptional = (bytes: Buffer, from: number, end: number) => (from === end ? -Infinity : readLong(bytes, from))
const readWords = (bytes: Buffer, from: number, end: number) => (from === end ? NONE : bytes.subarray(from, end))

/** An array of integers: its dimensions (none when it is empty), two numbers, its length and first index, then its values. */
function readIntegers(bytes: Buffer, from: number): number[] {
  if (bytes.readInt32BE(from) === 0) return []
  const length = bytes.readInt32BE(from + 12)
  return Array.from({ length }, (_, place) => bytes.readInt32BE(from + 24 + place * 8))
}

/**
 * Each word and the best place it stands in: 0 title, 1 tags, 2 author, 3 description. After their count each word ends
 * with a zero, then come the number of its positions and the positions, the first one best.
 */
export function eachWord(words: RowWords, visit: (from: number, to: number, place: number) => void): void {
  for (let from = COUNT_BYTES; from < words.length;) {
    let to = from
    while ((words[to] ?? 0) !== 0) to++
    visit(from, to, (words[to + 4] ?? 0) - 1)
    from = to + 3 + 2 * (((words[to + 1] ?? 0) << 8) | (words[to + 2] ?? 0))
  }
}

/** Whether the word that stands here begins like this; a zero ends it. */
export function beginsWith(words: RowWords, from: number, beginning: Uint8Array): boolean {
  for (let at = 0; at < beginning.length; at++) if (words[from + at] !== beginning[at]) return false
  return true
}

const encoder = new TextEncoder()

/** Whether a row has a word that begins like this, in its best place where one is given. */
export function havingBeginning(text: string, wanted?: number): (row: IndexRow) => boolean {
  const beginning = encoder.encode(text)
  return ({ words }) => {
    let isFound = false
    eachWord(words, (from, _to, place) => {
      isFound ||= (wanted ?? place) === place && beginsWith(words, from, beginning)
    })
    return isFound
  }
}
