import { type RawBuilder, sql } from 'kysely'
import { FLAGS } from '#contract/catalogue-names.ts'
import { FLAG_CONDITIONS, LISTED } from '../sql-filter.ts'

/** What the index knows of a listed script. */
export interface IndexRow {
  id: number
  author: number
  /** Bit n is the n-th of FLAGS. */
  flags: number
  /** Microseconds, as the database has them. */
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
  document: RowDocument
  title: string
}

/** The words of a script and where they stand, as a part of the text it was read from. */
export interface RowDocument {
  text: string
  from: number
  to: number
}

const SEPARATOR = '\u001F'
const FIRST_PLACE = '1'.charCodeAt(0)

const flags = sql.join(
  FLAGS.map((flag, place) => sql`((${FLAG_CONDITIONS[flag]})::int << ${sql.lit(place)})`),
  sql` | `,
)
const microseconds = (column: RawBuilder<unknown>) => sql`trunc(extract(epoch from ${column}) * 1000000)`

// One text a row: reading thirteen columns of a million rows takes the driver longer than all the rest.
const LINE = sql`concat_ws(chr(31), s.id, s.author_id, ${flags}, ${microseconds(sql`s.created_at`)},
  coalesce(${microseconds(sql`s.showcase_date`)}::text, ''), st.view_count, st.download_count,
  st.rating_count, st.one_star + 2 * st.two_star + 3 * st.three_star + 4 * st.four_star + 5 * st.five_star, st.trend,
  (select coalesce(string_agg(x.tag_id::text, ',' order by x.tag_id), '') from script_tags x where x.script_id = s.id),
  coalesce(d.document::text, ''), s.title_key)`

/** Rows of listed scripts for which a condition holds, as lines. */
export function selectLines(condition: RawBuilder<unknown>): RawBuilder<{ line: string }> {
  return sql`select ${LINE} as line from scripts s join script_stats st on st.script_id = s.id
    left join script_search d on d.script_id = s.id where ${LISTED} and ${condition}`
}

export function readLine(line: string): IndexRow {
  let [from, end] = [0, -1]
  const pass = () => {
    from = end + 1
    end = line.indexOf(SEPARATOR, from)
  }
  const next = () => {
    pass()
    return line.slice(from, end)
  }
  const number = () => Number(next())
  const numbers = {
    id: number(),
    author: number(),
    flags: number(),
    created: number(),
    showcased: readShowcased(next()),
    views: number(),
    downloads: number(),
    ratings: number(),
    stars: number(),
    trend: number(),
  }
  const tags = readTags(next())
  pass()
  // The only text that may hold the separator comes last.
  return { ...numbers, tags, document: { text: line, from, to: end }, title: line.slice(end + 1) }
}

const readShowcased = (text: string) => (text === '' ? -Infinity : Number(text))

const readTags = (text: string) => (text === '' ? [] : text.split(',').map(Number))

/**
 * Each word of a document such as `'word':1A,4 'other':4` and the best place it stands in: 0 title, 1 tags, 2 author,
 * 3 description. Words hold no quotes; positions are the places, the best one first.
 */
export function eachWord(
  { text, from, to }: RowDocument,
  visit: (from: number, to: number, place: number) => void,
): void {
  for (let at = from; at >= 0 && at < to; at = text.indexOf("'", at)) {
    const end = text.indexOf("'", at + 1)
    visit(at + 1, end, text.charCodeAt(end + 2) - FIRST_PLACE)
    at = end + 1
  }
}

/** Whether a document has a word that begins like this. */
export function hasBeginning(document: RowDocument, prefix: string): boolean {
  let isFound = false
  eachWord(document, (from, to) => {
    isFound ||= prefix.length <= to - from && document.text.startsWith(prefix, from)
  })
  return isFound
}
