import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { type Viewer, visibleTo } from './visibility.ts'

/** A state of a script's code, for those who may see the script. */
export interface CodeRow {
  id: number
  title: string
  author_id: number
  content: string
  sha256: string
}

/** The same with what its author may show of themself. */
export interface PresentCodeRow extends CodeRow {
  reputation: number
  is_private: boolean
  show_script_stats: boolean
}

/** The present code of a script. */
export async function findCode(db: Database, id: number, viewer: Viewer): Promise<PresentCodeRow | undefined> {
  const { rows } = await sql<PresentCodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256, m.reputation,
      m.is_private, m.show_script_stats
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    join members m on m.id = s.author_id where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/** The newest kept version whose code has this SHA-256. */
export async function findCodeByHash(
  db: Database,
  id: number,
  sha256: string,
  viewer: Viewer,
): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256
    from scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id
    where s.id = ${id} and v.sha256 = ${sha256} and ${visibleTo(viewer)}
    order by v.number desc limit 1`.execute(db)
  return rows[0]
}
