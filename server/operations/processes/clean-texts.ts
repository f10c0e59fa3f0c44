// Applies the rules for texts (@scriptyard/text) to rows that earlier versions stored. Doing it again changes nothing.
import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { cleanColumns, TEXT_COLUMNS } from '#server/platform/db/text-columns.ts'
import type { DB } from '#server/platform/db/types.generated.ts'
import { renameAuthor, rewriteSearchRows } from '#server/features/catalogue/search-document.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { foldStoredTag, tagColor } from '#server/features/scripts/tags.ts'

/** Receives a sentence about each change. */
type Report = (sentence: string) => void

/** Short transactions, because the site may be running. */
const BLOCKS_PER_BATCH = 1000
const TAGS_PER_BATCH = 10_000
const SCRIPTS_PER_BATCH = 200

export async function cleanTexts(db: Database, report: Report): Promise<void> {
  await mergeTags(db, report)
  for (const table of Object.keys(TEXT_COLUMNS) as (keyof DB)[]) await cleanTable(db, table, report)
  await db.deleteFrom('pending_cleanups').where('name', '=', 'texts').execute()
}

/** A name with its invisible characters as escapes. */
const show = (name: string): string =>
  `"${name.replaceAll(/[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)}"`

/** Gives the scripts of each tag that is not folded the folded tag. */
async function mergeTags(db: Database, report: Report): Promise<void> {
  for (let last = 0; ;) {
    const tags = await db
      .selectFrom('tags')
      .select(['id', 'name'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(TAGS_PER_BATCH)
      .execute()
    for (const { id, name } of tags) {
      const target = foldStoredTag(name)
      if (target !== name) await replaceTag(db, { id, name }, target, report)
    }
    const end = tags.at(-1)?.id
    if (end === undefined) return
    last = end
  }
}

async function replaceTag(
  db: Database,
  { id, name }: { id: number; name: string },
  target: string,
  report: Report,
): Promise<void> {
  let scripts = 0
  for (;;) {
    const moved = await db.transaction().execute((trx) => moveScripts(trx, id, target))
    scripts += moved
    if (moved < SCRIPTS_PER_BATCH) break
  }
  // A process of the version before may be using it.
  await sql`delete from tags where id = ${id} and not exists (select from script_tags where tag_id = ${id})`.execute(db)
  const uses = scripts === 1 ? '1 script' : `${scripts} scripts`
  report(target ? `Tag ${show(name)} of ${uses} is now "${target}".` : `Tag ${show(name)} of ${uses} was removed.`)
}

/** Returns the number of scripts, which are those with the smallest ids. A new tag instead of a new name: indexes know tags by id. */
async function moveScripts(trx: Transaction, tagId: number, target: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from scripts
    where id in (select script_id from script_tags where tag_id = ${tagId} order by script_id limit ${SCRIPTS_PER_BATCH})
    order by id for no key update`.execute(trx)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  if (target !== '') {
    await sql`insert into tags (name, color) values (${target}, ${tagColor(target)}) on conflict (name) do nothing`.execute(
      trx,
    )
    await sql`insert into script_tags as x (script_id, tag_id, position)
      select s.script_id, t.id, s.position from script_tags s join tags t on t.name = ${target}
      where s.tag_id = ${tagId} and s.script_id = any(${ids}::int[])
      on conflict (script_id, tag_id) do update set position = least(x.position, excluded.position)`.execute(trx)
  }
  await sql`delete from script_tags where tag_id = ${tagId} and script_id = any(${ids}::int[])`.execute(trx)
  await rewriteSearchRows(trx, ids)
  return ids.length
}

/** Characters that a line or a text may have to be cleaned of, for PostgreSQL. Emoji have some of them, too. */
const SUSPICIOUS = String.raw`[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`
const LINE_BREAKS = String.raw`[\t\n]`

async function cleanTable(db: Database, table: keyof DB, report: Report): Promise<void> {
  const { rows } = await sql<{ blocks: number }>`select (pg_relation_size(${table}::regclass)
    / current_setting('block_size')::bigint)::int as blocks`.execute(db)
  const blocks = rows[0]?.blocks ?? 0
  for (let start = 0; start < blocks; start += BLOCKS_PER_BATCH) {
    const changes = await db.transaction().execute((trx) => cleanBlocks(trx, table, start))
    for (const { name, columns } of changes) report(`Cleaned ${table} ${name}: ${columns.join(', ')}.`)
  }
}

interface Change {
  /** The row's id, or those that it has instead. */
  name: string
  columns: string[]
}

interface StoredRow extends Record<string, unknown> {
  row: string
  ids: Record<string, unknown>
}

/** Rows are read and written by their place in the table, because not all tables have an id. */
async function cleanBlocks(trx: Transaction, table: keyof DB, start: number): Promise<Change[]> {
  const { lines = [], texts = [] } = TEXT_COLUMNS[table] ?? {}
  const columns = [...lines, ...texts]
  const isSuspicious = sql.join(
    [
      ...columns.map((column) => sql`${sql.ref(column)} ~ ${SUSPICIOUS}`),
      ...lines.map((column) => sql`${sql.ref(column)} ~ ${LINE_BREAKS}`),
    ],
    sql` or `,
  )
  const [from, to] = [`(${start},0)`, `(${start + BLOCKS_PER_BATCH},0)`]
  const { rows } = await sql<StoredRow>`select ctid::text as row, ${sql.join(columns.map((column) => sql.ref(column)))},
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where key in ('id', 'script_id', 'number',
        'position', 'collection_id', 'author_id', 'member_id')) as ids
    from ${sql.table(table)} t where ctid >= ${from}::tid and ctid < ${to}::tid and (${isSuspicious})
    for no key update`.execute(trx)
  const changes: Change[] = []
  for (const row of rows) {
    const cleaned = cleanColumns(table, row)
    if (Object.keys(cleaned).length === 0) continue
    await writeRow(trx, table, row, cleaned)
    changes.push({ name: nameOf(row.ids), columns: Object.keys(cleaned) })
  }
  return changes
}

const nameOf = (ids: Record<string, unknown>): string =>
  'id' in ids
    ? String(ids['id'])
    : Object.entries(ids)
        .map(([name, id]) => `${name} ${String(id)}`)
        .join(', ')

/** Also writes what is made from the texts. */
async function writeRow(trx: Transaction, table: keyof DB, { row, ids }: StoredRow, cleaned: Record<string, string>) {
  const titleKey = table === 'scripts' && cleaned['title'] !== undefined ? { title_key: fold(cleaned['title']) } : {}
  const values = Object.entries({ ...cleaned, ...titleKey }).map(([name, text]) => sql`${sql.ref(name)} = ${text}`)
  await sql`update ${sql.table(table)} set ${sql.join(values)} where ctid = ${row}::tid`.execute(trx)
  if (table === 'scripts') await rewriteSearchRows(trx, [Number(ids['id'])])
  if (table === 'members') await renameAuthor(trx, Number(ids['id']))
}
