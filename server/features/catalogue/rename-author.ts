import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import { searchDocument } from './search-document.ts'

interface Named {
  id: number
  title: string
  description: string
  tags: string[]
  username: string
  display_name: string | null
}

/**
 * Lets a member's scripts be found by the name that they have now. To be called in the transaction that gives it, after
 * their row was changed: who publishes holds that row, so no script is missed.
 */
export async function renameAuthor(trx: Database, memberId: number): Promise<void> {
  const { rows } = await sql<Named>`select s.id, s.title, s.description, m.username, m.display_name,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id
        order by x.position) as tags
    from scripts s join members m on m.id = s.author_id where s.author_id = ${memberId}`.execute(trx)
  const documents = rows.map((row) => searchDocument({ ...row, authorName: displayNameOf(row) }))
  await sql`update script_search set document = given.document::tsvector
    from unnest(${rows.map(({ id }) => id)}::int[], ${documents}::text[]) as given (id, document)
    where script_search.script_id = given.id`.execute(trx)
}
