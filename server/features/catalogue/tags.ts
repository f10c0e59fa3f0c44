import { sql } from 'kysely'
import type { TagCount } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import { LISTED } from './listing-rules.ts'

/** Tags of listed scripts with how many carry them, most used first. */
export async function findPopularTags(db: Database, most: number): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`select t.id, t.name, t.color, count(*) as count
    from script_tags x join tags t on t.id = x.tag_id join scripts s on s.id = x.script_id
    where ${LISTED}
    group by t.id order by count(*) desc, t.name limit ${most}`.execute(db)
  return rows
}
