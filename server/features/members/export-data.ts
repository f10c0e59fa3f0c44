import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/types.generated.ts'

/** Yields one JSON document. Reads pages: a large export does not fill memory, and a slow client holds no connection. */
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

export interface Section {
  name: string
  table: keyof DB
  /** Columns with member ids. A row belongs to the member if one of them matches. */
  columns: string[]
  /** Another condition for rows of the member; `t` is the table. */
  condition?: (memberId: number) => RawBuilder<boolean>
  /** Columns of the sort order, unique among a member's rows. */
  key: string[]
  /** Columns to leave out: secrets and data about others. */
  exclude?: string[]
  include?: string[]
  /** SQL for additional values, as a JSON object. */
  extra?: RawBuilder<unknown>
  /** A column that `transform` gets unconverted. */
  raw?: string
  transform?: (row: Row, raw: unknown) => Row
  /** There is at most one row, exported as an object instead of a list. */
  isSingle?: boolean
  pageSize?: number
}

interface SectionRow {
  row: Row
  key: unknown[]
  raw: unknown
}

const PAGE_SIZE = 500

/** Yields the rows of a section page by page. No connection is held between pages. */
async function* readPages(db: Database, section: Section, memberId: number): AsyncGenerator<Row[]> {
  const { transform = (row: Row) => row, pageSize = PAGE_SIZE } = section
  for (let after: unknown[] | undefined; ;) {
    const rows = await readPage(db, section, memberId, after)
    if (rows.length > 0) yield rows.map(({ row, raw }) => transform(row, raw))
    if (rows.length < pageSize) return
    after = rows.at(-1)?.key
  }
}

async function readPage(db: Database, section: Section, memberId: number, after?: unknown[]): Promise<SectionRow[]> {
  const { table, columns, condition, extra, raw, pageSize = PAGE_SIZE } = section
  const key = sql.join(section.key.map((column) => sql.ref(`t.${column}`)))
  const conditions = columns.map((column) => sql<boolean>`${sql.ref(`t.${column}`)} = ${memberId}`)
  if (condition) conditions.push(condition(memberId))
  return db.transaction().execute(async (trx) => {
    await sql`set local timezone to 'UTC'`.execute(trx)
    // Converts to JSON outside of the subquery, so that only the rows of this page are converted.
    const { rows } = await sql<Omit<SectionRow, 'key'> & Row>`
      select ${valuesOf(section)} || ${extra ?? sql`'{}'::jsonb`} as row, ${raw ? sql.ref(`t.${raw}`) : sql`null`} as raw,
        ${sql.join(section.key.map((column, i) => sql`${sql.ref(`t.${column}`)} as ${sql.ref(`key${i}`)}`))}
      from (select t.* from ${sql.table(table)} t
        where (${sql.join(conditions, sql` or `)}) and ${after ? sql`(${key}) > (${sql.join(after)})` : sql`true`}
        order by ${key} limit ${pageSize}) t
      order by ${key}`.execute(trx)
    return rows.map(({ row, raw: value, ...rest }) => ({
      row,
      raw: value,
      key: section.key.map((_, i) => rest[`key${i}`]),
    }))
  })
}

function valuesOf({ exclude = [], include }: Section): RawBuilder<unknown> {
  if (!include) return sql`(to_jsonb(t) - ${exclude}::text[])`
  return sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(t)) e where e.key = any(${include}::text[]))`
}
