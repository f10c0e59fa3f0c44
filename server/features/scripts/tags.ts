import { cutCharacters, foldTag } from '@scriptyard/text'
import { sql } from 'kysely'
import { MAX_TAG_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'

/** Names are folded; duplicates are dropped. */
export async function setTags(db: Database, scriptId: number, tags: readonly string[]): Promise<void> {
  const names = [...new Set(tags.map(foldTag).filter(Boolean))]
  // Inserted in sorted order, so that two uploads with the same new tags cannot deadlock.
  const sorted = names.toSorted()
  const colors = sorted.map(tagColor)
  await sql`insert into tags (name, color) select * from unnest(${sorted}::text[], ${colors}::text[])
    on conflict (name) do nothing`.execute(db)
  await db.deleteFrom('script_tags').where('script_id', '=', scriptId).execute()
  await sql`insert into script_tags (script_id, tag_id, position)
    select ${scriptId}::int, t.id, n.position from unnest(${names}::text[]) with ordinality as n (name, position)
    join tags t on t.name = n.name`.execute(db)
}

/** A tag of an earlier version as it is stored today; empty if nothing of it is left. */
export function foldStoredTag(name: string): string {
  // Searches take several tags separated by commas.
  const folded = foldTag(foldTag(name).replaceAll(',', ' '))
  return cutCharacters(folded, MAX_TAG_LENGTH).trim()
}

/** Readable on dark and light backgrounds; shown as a dot beside the name. */
const PALETTE = [
  '#8b5cf6',
  '#6366f1',
  '#3b82f6',
  '#0ea5e9',
  '#06b6d4',
  '#14b8a6',
  '#10b981',
  '#22c55e',
  '#84cc16',
  '#eab308',
  '#f59e0b',
  '#f97316',
  '#ef4444',
  '#f43f5e',
  '#ec4899',
  '#d946ef',
] as const

/** A tag's color, chosen by the FNV-1a hash of its name's UTF-16 units. */
export function tagColor(name: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return PALETTE[(hash >>> 0) % PALETTE.length] ?? PALETTE[0]
}
