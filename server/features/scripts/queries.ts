import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** Where a script's code is, for those whom a public address serves. */
export interface CodeRow {
  id: number
  title: string
  content: string
  sha256: string
}

/** The present code of a script that everybody may see. */
export async function findPublicCode(db: Database, id: number): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`select s.id, s.title, v.content, v.sha256
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    join members m on m.id = s.author_id
    where s.id = ${id} and s.is_public and (m.banned_until is null or m.banned_until <= now())`.execute(db)
  return rows[0]
}
