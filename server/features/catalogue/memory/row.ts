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
  words: string[]
  /** Of each word, the best place it stands in: 0 title, 1 tags, 2 author, 3 description. */
  places: number[]
  title: string
}

const SEPARATOR = '\u001F'
const FIELDS = 12

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
  const fields = line.split(SEPARATOR)
  const number = (at: number) => Number(fields[at])
  const row: IndexRow = {
    id: number(0),
    author: number(1),
    flags: number(2),
    created: number(3),
    showcased: fields[4] === '' ? -Infinity : number(4),
    views: number(5),
    downloads: number(6),
    ratings: number(7),
    stars: number(8),
    trend: number(9),
    tags: fields[10] ? fields[10].split(',').map(Number) : [],
    words: [],
    places: [],
    // The only text that may hold the separator comes last.
    title: fields.slice(FIELDS).join(SEPARATOR),
  }
  readDocument(fields[11] ?? '', row)
  return row
}

/** `'word':1A,4 'other':4`: words hold no quotes, positions are the places, the best one first. */
function readDocument(document: string, { words, places }: IndexRow): void {
  for (let at = 0; at < document.length;) {
    const end = document.indexOf("'", at + 1)
    words.push(document.slice(at + 1, end))
    places.push(document.charCodeAt(end + 2) - 49)
    const next = document.indexOf("'", end + 1)
    at = next === -1 ? document.length : next
  }
}
