// Finds the script whose code another script has, and notifies its author.
import { type RawBuilder, sql } from 'kysely'
import type { DuplicateOf } from '#contract/duplicates.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { notify } from '#server/features/notifications/notify.ts'

interface Code {
  sha256: string
  /** Hash of the tokens; undefined reads the stored one. */
  tokenSha256?: string | null | undefined
}

interface OriginalRow {
  id: number
  title: string
  author_id: number
  username: string
  display_name: string | null
  author_slug: string
  published_at: Date
  sha256: string
}

/** SQL: hashes of all contents that are copies of this one, itself included. */
const selectClass = ({
  sha256,
  tokenSha256 = null,
}: Code): RawBuilder<{ sha256: string }> => sql`select ${sha256} as sha256
  union select sha256 from code_hashes where token_sha256 = coalesce(${tokenSha256}::text,
    (select token_sha256 from code_hashes where sha256 = ${sha256}))`

/** The earliest version with this code that everyone can see. Private, hidden and deleted scripts are no originals. */
async function findOriginal(db: Database, code: Code): Promise<OriginalRow | undefined> {
  const { rows } = await sql<OriginalRow>`select s.id, s.title, s.author_id, m.username, m.display_name,
      m.slug as author_slug, v.created_at as published_at, v.sha256
    from (select e.* from (${selectClass(code)}) c cross join lateral (
        select v.script_id, v.created_at, v.sha256
        from script_versions v join scripts s on s.id = v.script_id join members m on m.id = s.author_id
        where v.sha256 = c.sha256 and v.state = 'published' and ${isListed('s', 'm')} order by v.created_at, v.script_id limit 1) e
      order by e.created_at, e.script_id limit 1) v
    join scripts s on s.id = v.script_id join members m on m.id = s.author_id`.execute(db)
  return rows[0]
}

/** The original of code by `authorId`. Null if there is none, or if it is by the same member. */
export async function findDuplicate(db: Database, code: Code & { authorId: number }): Promise<DuplicateOf | null> {
  const original = await findOriginal(db, code)
  if (!original || original.author_id === code.authorId) return null
  return {
    slug: scriptSlug(original.title, original.id),
    title: original.title,
    author: displayNameOf(original),
    author_slug: original.author_slug,
    published_at: original.published_at.toISOString(),
    exact: original.sha256 === code.sha256,
  }
}

/** Whether code by this member was published by another one before. */
export async function isCopy(db: Database, sha256: string, { scriptId }: { scriptId: number }): Promise<boolean> {
  const original = await findOriginal(db, { sha256 })
  if (!original) return false
  const { rows } = await sql`select from scripts s join script_versions v on v.script_id = s.id
    where s.id = ${scriptId} and s.author_id <> ${original.author_id} and v.sha256 = ${sha256}
    having min(v.created_at) > ${original.published_at}`.execute(db)
  return rows.length > 0
}

/** Copies that were published or changed earlier were found by a later analysis: their authors do not expect news of them. */
const NEW_WITHIN = sql`interval '1 day'`

interface CopyRow {
  id: number
  title: string
  username: string
  display_name: string | null
}

/** Notifies the author of the original once of each script whose current code is this copy. */
export async function notifyOfCopies(db: Database, sha256: string): Promise<void> {
  const original = await findOriginal(db, { sha256 })
  if (!original) return
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<CopyRow>`with added as (
        insert into copy_notices (original_id, copy_id)
        select o.id, s.id from scripts o, scripts s join members m on m.id = s.author_id
          join script_versions v on v.script_id = s.id and v.number = s.current_version
        where o.id = ${original.id} and v.sha256 = ${sha256} and s.author_id <> o.author_id and ${isListed('s', 'm')}
          and s.updated_at > now() - ${NEW_WITHIN}
        on conflict do nothing returning copy_id
      )
      select s.id, s.title, m.username, m.display_name from added a join scripts s on s.id = a.copy_id
        join members m on m.id = s.author_id order by s.id`.execute(trx)
    for (const copy of rows) {
      await notify(trx, {
        memberId: original.author_id,
        kind: 'script_status',
        type: 'info',
        title: 'Another member published your code',
        message: `“${copy.title}” by ${displayNameOf(copy)} has the same code as your script “${original.title}”.`,
        link: `/scripts/${scriptSlug(copy.title, copy.id)}`,
      })
    }
  })
}
