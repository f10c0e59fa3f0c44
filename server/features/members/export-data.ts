import type { Database } from '#server/db/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from '#server/db/types.generated.ts'

/**
 * Everything about a member as the pieces of one JSON document, a page of rows at a time: it may be far larger than what
 * should be in memory, and nobody who reads slowly keeps a connection to the database.
 */
export async function* exportMember(db: Database, sections: Section[], memberId: number): AsyncGenerator<string> {
  yield `{\n"exported_at": ${JSON.stringify(new Date())}`
  for (const section of sections) {
    yield `,\n${JSON.stringify(section.name)}: `
    yield* section.isSingle ? exportRow(db, section, memberId) : exportList(db, section, memberId)
  }
  yield '\n}\n'
}

async function* exportRow(db: Database, section: Section, memberId: number): AsyncGenerator<string> {
  const { value } = await readPages(db, section, memberId).next()
  yield JSON.stringify(Array.isArray(value) ? value[0] : null)
}

async function* exportList(db: Database, section: Section, memberId: number): AsyncGenerator<string> {
  let before = '['
  for await (const rows of readPages(db, section, memberId)) {
    yield `${before}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]' : '\n]'
}

export type Row = Record<string, unknown>

/** One part of what a member downloads: the rows of a table that are about them. */
export interface Section {
  name: string
  table: keyof DB
  /** Each names a member; where it names this one the row is theirs. */
  columns: string[]
  /** Where rows are theirs by way of another table. `t` is the row. */
  condition?: (memberId: number) => RawBuilder<boolean>
  /** Columns that tell a member's rows apart and put them into an order. */
  key: string[]
  /** Columns that are left out: secrets, and what is about others. */
  exclude?: string[]
  /** The only columns that are in. */
  include?: string[]
  /** Further values, as a JSON object. */
  extra?: RawBuilder<unknown>
  /** The column that `finish` gets as it is. */
  raw?: string
  transform?: (row: Row, raw: unknown) => Row
  /** There is at most one row: it stands as it is and not in a list. */
  isSingle?: boolean
  /** Rows that are read at once. */
  page?: number
}

interface Read {
  row: Row
  key: unknown[]
  raw: unknown
}

const PAGE = 500

/** The rows of a section in order, a page of them at a time: nothing is held between two pages. */
export async function* readPages(db: Database, section: Section, memberId: number): AsyncGenerator<Row[]> {
  const { transform = (row: Row) => row, page = PAGE } = section
  for (let after: unknown[] | undefined; ;) {
    const rows = await readPage(db, section, memberId, after)
    if (rows.length > 0) yield rows.map(({ row, raw }) => transform(row, raw))
    if (rows.length < page) return
    after = rows.at(-1)?.key
  }
}

async function readPage(db: Database, section: Section, memberId: number, after?: unknown[]): Promise<Read[]> {
  const { table, columns, condition, extra, raw, page = PAGE } = section
  const key = sql.join(section.key.map((column) => sql.ref(`t.${column}`)))
  const theirs = columns.map((column) => sql<boolean>`${sql.ref(`t.${column}`)} = ${memberId}`)
  if (condition) theirs.push(condition(memberId))
  return db.transaction().execute(async (trx) => {
    await sql`set local timezone to 'UTC'`.execute(trx)
    // Rows become JSON after they are counted out: else all of a long table would.
    const { rows } = await sql<Omit<Read, 'key'> & Row>`
      select ${valuesOf(section)} || ${extra ?? sql`'{}'::jsonb`} as row, ${raw ? sql.ref(`t.${raw}`) : sql`null`} as raw,
        ${sql.join(section.key.map((column, at) => sql`${sql.ref(`t.${column}`)} as ${sql.ref(`key${at}`)}`))}
      from (select t.* from ${sql.table(table)} t
        where (${sql.join(theirs, sql` or `)}) and ${after ? sql`(${key}) > (${sql.join(after)})` : sql`true`}
        order by ${key} limit ${page}) t
      order by ${key}`.execute(trx)
    return rows.map(({ row, raw: value, ...rest }) => ({
      row,
      raw: value,
      key: section.key.map((_, at) => rest[`key${at}`]),
    }))
  })
}

function valuesOf({ exclude = [], include }: Section): RawBuilder<unknown> {
  if (!include) return sql`(to_jsonb(t) - ${exclude}::text[])`
  return sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(t)) e where e.key = any(${include}::text[]))`
}
