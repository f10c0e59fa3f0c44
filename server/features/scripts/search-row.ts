import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { searchDocument } from '#server/features/catalogue/service.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import type { LockedMember } from '#server/features/members/standing.ts'
import type { Properties } from './properties.ts'

type Searched = Pick<Properties, 'title' | 'description' | 'tags'>

/** Writes the words that a script is found by. */
export async function writeSearchRow(
  trx: Database,
  scriptId: number,
  script: Searched,
  author: LockedMember,
): Promise<void> {
  const document = searchDocument({ ...script, authorName: displayNameOf(author) })
  await sql`insert into script_search (script_id, document) values (${scriptId}, ${document}::tsvector)
    on conflict (script_id) do update set document = excluded.document`.execute(trx)
}
