import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { type Caller, isStaff } from '#server/features/authorization/guards.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { rejectNonAuthor, visibleTo } from '#server/features/scripts/visibility.ts'

/** Sets slow mode. Throws AppError `script_not_found`, and `not_the_author` unless the caller is the author or a moderator. */
export async function setSlowMode(db: Database, caller: Caller, scriptId: number, seconds: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockMember(trx, caller.id, { allowMuted: true })
    const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
      where s.id = ${scriptId} and ${visibleTo(caller)} and (s.author_id = ${caller.id} or ${isStaff(caller)}::boolean)
      for key share of s`.execute(trx)
    if (rows.length === 0) await rejectNonAuthor(trx, scriptId, caller)
    await sql`insert into comment_settings (script_id, slow_seconds) values (${scriptId}, ${seconds})
      on conflict (script_id) do update set slow_seconds = excluded.slow_seconds`.execute(trx)
  })
}
