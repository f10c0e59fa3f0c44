import type { Database } from '#server/db/database.ts'
import { lockMember } from '#server/features/members/standing.ts'
import type { Caller } from '#server/http/guards.ts'
import type { WritingOptions } from './options.ts'
import { refuseStranger } from './visibility.ts'

/**
 * Deletes the caller's own script for good, with its versions, tags, counters and ratings; the cover's file goes by the
 * media feature once nothing uses it. Throws AppError `not_the_author` or `script_not_found`.
 */
export async function removeScript({ db }: WritingOptions, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockMember(trx, caller.id, { allowMuted: true })
    if (!(await deleteOwn(trx, id, caller.id))) await refuseStranger(trx, id, caller)
  })
}

async function deleteOwn(trx: Database, id: number, authorId: number): Promise<boolean> {
  const gone = await trx
    .deleteFrom('scripts')
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}
