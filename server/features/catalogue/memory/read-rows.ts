import { sql } from 'kysely'
import type { Tag } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import type { Labels } from './labels.ts'
import { type IndexRow, readRow, selectRows } from './row.ts'

/** The rows of those of these scripts that are listed now, all as of one moment; their tags become known. */
export async function readRows(db: Database, labels: Labels, ids: readonly number[]): Promise<IndexRow[]> {
  const { rows } = await selectRows(sql`s.id = any(${ids}::int[])`).execute(db)
  const read = rows.map(({ row }) => readRow(row))
  const unknown = new Set(read.flatMap(({ tags }) => tags).filter((tag) => !labels.hasTag(tag)))
  if (unknown.size > 0) await learnTags(db, labels, [...unknown])
  // A tag that was taken away in between is on no script any more.
  for (const row of read) row.tags = row.tags.filter((tag) => labels.hasTag(tag))
  return read
}

async function learnTags(db: Database, labels: Labels, ids: number[]): Promise<void> {
  const { rows } = await sql<Tag>`select id, name, color from tags where id = any(${ids}::int[])`.execute(db)
  for (const tag of rows) labels.addTag(tag)
}
