import { sql } from 'kysely'
import type { Tag } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import type { Labels } from './labels.ts'
import { type IndexRow, readLine, selectLines } from './row.ts'

/** The rows of those of these scripts that are listed now, all as of one moment; their tags become known. */
export async function readRows(db: Database, labels: Labels, ids: readonly number[]): Promise<IndexRow[]> {
  const { rows } = await selectLines(sql`s.id = any(${ids}::int[])`).execute(db)
  const read = rows.map(({ line }) => readLine(line))
  const unknown = new Set(read.flatMap(({ tags }) => tags).filter((tag) => !labels.hasTag(tag)))
  if (unknown.size > 0) await readTags(db, labels, [...unknown])
  // A tag that was taken away in between is on no script any more.
  for (const row of read) row.tags = row.tags.filter((tag) => labels.hasTag(tag))
  return read
}

export async function readTags(db: Database, labels: Labels, ids?: number[]): Promise<void> {
  const which = ids ? sql`where id = any(${ids}::int[])` : sql`order by id`
  const { rows } = await sql<Tag>`select id, name, color from tags ${which}`.execute(db)
  for (const tag of rows) labels.addTag(tag)
}
