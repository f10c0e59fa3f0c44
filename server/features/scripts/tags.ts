import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { foldTag } from '#server/features/catalogue/service.ts'
import { tagColor } from './tag-colors.ts'

/** Gives a script exactly these tags, in this order; new ones are made. Names are compared lower-case, each kept once. */
export async function setTags(db: Database, scriptId: number, tags: readonly string[]): Promise<void> {
  const names = [...new Set(tags.map(foldTag).filter(Boolean))]
  // Inserted in one order, so that two uploads with the same new tags do not wait for each other in a ring.
  const sorted = names.toSorted()
  const colors = sorted.map(tagColor)
  await sql`insert into tags (name, color) select * from unnest(${sorted}::text[], ${colors}::text[])
    on conflict (name) do nothing`.execute(db)
  await db.deleteFrom('script_tags').where('script_id', '=', scriptId).execute()
  await sql`insert into script_tags (script_id, tag_id, position)
    select ${scriptId}::int, t.id, n.position from unnest(${names}::text[]) with ordinality as n (name, position)
    join tags t on t.name = n.name`.execute(db)
}
