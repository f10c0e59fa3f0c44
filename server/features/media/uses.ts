import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

interface Use {
  table: string
  column: string
}

/** Conditions on a row of media called m. */
export interface Uses {
  isUsed: RawBuilder<unknown>
  isUnused: RawBuilder<unknown>
}

/** Every column that names media, as the schema itself says: a new one is never forgotten. */
export async function findUses(db: Database): Promise<Uses> {
  const { rows } = await sql<Use>`
    select t.relname as "table", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'media'::regclass and c.conparentid = 0
    order by 1, 2`.execute(db)
  const found = rows.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.id(table)} u where u.${sql.id(column)} = m.hash)`,
  )
  return {
    isUsed: sql.join([sql`false`, ...found], sql` or `),
    isUnused: sql.join([sql`true`, ...found.map((use) => sql`not ${use}`)], sql` and `),
  }
}
